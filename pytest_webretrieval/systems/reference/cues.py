"""Lists of words and phrases that point to something, as one pattern each."""

from __future__ import annotations

import re

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def cues(listing: str) -> re.Pattern[str]:
    """A pattern for a listing: one or more alternatives a line, parted by `` / ``, each a regular expression.

    Alternatives match whole words in any case, except in scripts that part no words by blanks.
    """
    alternatives = [
        part.strip() for line in listing.splitlines() for part in line.split(" / ") if part.strip()
    ]
    parted = [part for part in alternatives if not CJK.search(part)]
    unparted = [part for part in alternatives if CJK.search(part)]
    patterns = ([rf"(?<!\w)(?:{'|'.join(parted)})(?!\w)"] if parted else []) + unparted
    return re.compile("|".join(patterns), re.I)


def words(listing: str) -> frozenset[str]:
    """The words of a listing, parted by blanks."""
    return frozenset(listing.split())

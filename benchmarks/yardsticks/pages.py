"""Page detectors: login forms that people annotated, challenge pages of past years, and ordinary pages, which are none
of what the detectors look for. Cues were tuned on one half of the annotated pages (by a hash)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from pytest_webretrieval.gates.agreement import agreement
from pytest_webretrieval.grade.forms import login_forms
from pytest_webretrieval.grade.page import Page, decode, read_page
from pytest_webretrieval.grade.refusal import Document, is_challenge, is_login_wall, is_soft_404

from .measured import Measured, is_held_out, precision_of, share
from .robots import files

FALSE_POSITIVES = 0.01
# Files of the challenge archive that are no challenge: what was asked for, and a search page that embeds a captcha.
_ORDINARY = ("requested_page", "page_with_emails", "page_with_recaptcha")


def measure(data: Path) -> Iterator[Measured]:
    yield from _login(data)
    yield _challenges(data)
    yield from _ordinary(data)


def _login(data: Path) -> Iterator[Measured]:
    pages = [(name, "l" in forms, bool(login_forms(_whole(body)))) for name, forms, body in annotated(data)]
    table = agreement((found, is_there) for _, is_there, found in pages)
    rest = agreement((found, is_there) for name, is_there, found in pages if is_held_out(name))
    beside = f"held-out half: precision {rest.precision:.3f}, recall {rest.recall:.3f}"
    yield precision_of("login forms, precision", table, 0.93, beside)
    there = table.true_accepts + table.false_rejects
    yield share("login forms, recall", table.true_accepts, there, 0.93, "any password field: 0.75 and 0.96")


def _challenges(data: Path) -> Measured:
    found = {name: is_challenge(document(body)) for name, body in files(data / "pages" / "challenge.tar.gz")}
    true = [hit for name, hit in found.items() if not any(word in name for word in _ORDINARY)]
    false = sum(hit for name, hit in found.items() if any(word in name for word in _ORDINARY))
    return share(
        "challenge pages of 2015 to 2019, recall", sum(true), len(true), None, f"{false} of 4 ordinary ones"
    )


def _ordinary(data: Path) -> Iterator[Measured]:
    """Pages on which a detector must be silent. A page with a form that nobody annotated may have a login."""
    news = [gzip.decompress(packed) for _, packed in files(data / "pages" / "htmldate.tar.gz")]
    forms = [(labels, body) for _, labels, body in annotated(data)]
    without_login = [body for labels, body in forms if not {"l", "-"} & set(labels)]
    every = [body for _, body in forms]
    yield _silent("challenge", is_challenge, [*news, *every])
    yield _silent("soft 404", is_soft_404, [*news, *every])
    yield _silent("login wall", is_login_wall, [*news, *without_login])


def _silent(name: str, detects: Callable[[Document], bool], bodies: list[bytes]) -> Measured:
    silent = sum(not detects(document(body)) for body in bodies)
    return share(f"ordinary pages that are no {name}", silent, len(bodies), 1 - FALSE_POSITIVES)


def annotated(data: Path) -> Iterator[tuple[str, list[str], bytes]]:
    """Formasaurus's fully annotated pages with the type of each form."""
    index = json.loads((data / "pages" / "formasaurus.index.json").read_text(encoding="utf-8"))
    for name, packed in files(data / "pages" / "formasaurus.tar.gz"):
        key = f"html/{Path(name).name.removesuffix('.gz')}"
        if key in index:
            yield key, index[key]["forms"], gzip.decompress(packed)


def document(body: bytes) -> Document:
    """A page as if it had been asked for and delivered with status 200."""
    page: Page = read_page(body, "text/html")
    url = "https://n.example/a"
    return Document(url, 200, {}, page, None, False, url, True)


def _whole(body: bytes) -> LexborHTMLParser:
    """With what is hidden: people annotated the markup, not the view."""
    return LexborHTMLParser(decode(body, ""))

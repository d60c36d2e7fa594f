"""What a run folder holds for judges and people: the texts of its pages, the judged records, the adjudication."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_webretrieval.grade.page import read_page
from pytest_webretrieval.records.folder import body_reader

from .sampling import Item
from .settling import SHOWN

JUDGED, KEY, ADJUDICATED = "judged.jsonl", "adjudication-key.json", "adjudication.json"


def page_texts(folder: Path) -> Callable[[Mapping[str, Any], str], str]:
    """Reads the visible text of a representation by its SHA-256. Raises FolderError for one that is missing."""
    body = body_reader(folder)

    @lru_cache(maxsize=256)
    def text(sha256: str) -> str:
        return read_page(body(sha256), "").text

    return lambda _, sha256: text(sha256)


def items(
    records: Iterator[Mapping[str, Any]], page: Callable[[Mapping[str, Any], str], str]
) -> Iterator[Item]:
    """Every cited claim of which there is a page and a verdict, by proof or by a judge."""
    for record in records:
        for step in record["verdicts"]:
            for claim in step["citation"].get("claims", ()):
                verdict = claim.get("settled") or claim["support"]
                sha256 = claim["ground"]["sha256"]
                if sha256 is not None and verdict != "unknown":
                    yield Item(claim=claim["claim"], source=page(record, sha256)[:SHOWN], verdict=verdict)


def unfit(lock: str, folder: Path) -> str | None:
    """Why figures of a judge with that lock must not decide a gate; None where people judged a sample of them."""
    try:
        known = json.loads((folder / ADJUDICATED).read_text(encoding="utf-8"))["lock"]
    except (OSError, ValueError, LookupError, TypeError):
        return f"no sample of the judge's verdicts was adjudicated: webretrieval adjudicate {folder.name}"
    if known != lock:
        return "the judge's lock changed since people judged a sample: adjudicate a fresh one"
    return None

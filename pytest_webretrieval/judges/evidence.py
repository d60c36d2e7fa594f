"""What a run folder holds for judges and people: the texts of its pages, the judged records, the adjudication."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_webretrieval.grade.page import read_page
from pytest_webretrieval.grade.replies import Result, results
from pytest_webretrieval.records.evidence import StoredRun, load, read_testimony
from pytest_webretrieval.records.folder import body_reader, read_json

from .sampling import Item
from .settling import SHOWN

# Records with the word of a judge of claims; the rows of the judges of answers and of search results.
JUDGED, ANSWERED, SERVED = "judged.jsonl", "judged-answers.jsonl", "judged-results.jsonl"
# Who judged, and what people said of a sample.
JUDGE, KEY, ADJUDICATED = "judge.json", "adjudication-key.json", "adjudication.json"


def page_texts(folder: Path) -> Callable[[Mapping[str, Any], str], str]:
    """Reads the visible text of a representation by its SHA-256. Raises FolderError for one that is missing."""
    body = body_reader(folder)

    @lru_cache(maxsize=256)
    def text(sha256: str) -> str:
        return read_page(body(sha256), "").text

    return lambda _, sha256: text(sha256)


def answers(folder: Path) -> Callable[[Mapping[str, Any]], list[str | None]]:
    """Reads what each step of a record answered, None where it gave nothing that can be read. Raises FolderError."""

    def read(record: Mapping[str, Any]) -> list[str | None]:
        results = [read_testimony(step.testimony)[0] for step in _run(folder, record).steps]
        return [None if result is None else result.answer for result in results]

    return read


def searches(folder: Path) -> Callable[[Mapping[str, Any]], Iterator[tuple[int, list[Result]]]]:
    """Reads the results of each search of a record, by the number of its attempt. Raises FolderError."""
    body = body_reader(folder)

    def read(record: Mapping[str, Any]) -> Iterator[tuple[int, list[Result]]]:
        for step in _run(folder, record).steps:
            for attempt in step.trace.attempts:
                answered = attempt.body is not None and (attempt.status or 0) < 300
                if attempt.channel == "search-api" and answered and attempt.body is not None:
                    yield attempt.number, list(results(body(attempt.body)))

    return read


def _run(folder: Path, record: Mapping[str, Any]) -> StoredRun:
    return load(read_json(folder / record["evidence"] / "evidence.json"))


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


def judged_by(folder: Path) -> str | None:
    """The identity of the judge of the run's claims; None where proof alone has judged them."""
    if not (folder / JUDGED).is_file():
        return None
    return str(read_json(folder / JUDGE)["support"])


def unfit(identity: str, folder: Path) -> str | None:
    """Why figures of that judge must not decide a gate; None where people judged a sample of them."""
    try:
        known = json.loads((folder / ADJUDICATED).read_text(encoding="utf-8"))["lock"]
    except (OSError, ValueError, LookupError, TypeError):
        return f"no sample of the judge's verdicts was adjudicated: webretrieval adjudicate {folder.name}"
    if known != identity:
        return "the judge changed since people judged a sample: adjudicate a fresh one"
    return None

"""What a run folder holds for judges and people: the texts of its pages, the judged records, the adjudication."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_webretrieval.grade.page import read_page
from pytest_webretrieval.grade.replies import Result, results
from pytest_webretrieval.records.evidence import StoredRun, load, read_testimony
from pytest_webretrieval.records.folder import FolderError, body_reader, read_json

# Records with the word of a judge of claims; the rows of the judges of answers and of search results.
JUDGED, ANSWERED, SERVED = "judged.jsonl", "judged-answers.jsonl", "judged-results.jsonl"
# The identity of the judge of each kind.
JUDGE = "judge.json"


def key(what: str) -> str:
    """The file with the verdicts that were hidden from people."""
    return f"adjudication-{what}-key.json"


def adjudicated(what: str) -> str:
    """The file with what people said of the last sample."""
    return f"adjudication-{what}.json"


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
    return _stored(folder / record["evidence"] / "evidence.json")


@lru_cache(maxsize=64)
def _stored(path: Path) -> StoredRun:
    return load(read_json(path))


def judged_by(folder: Path, what: str) -> str | None:
    """The identity of the judge of that kind of a run; None where none was asked."""
    try:
        said = read_json(folder / JUDGE).get(what)
    except FolderError:
        return None
    return None if said is None else str(said)


def sample_command(run: str, what: str) -> str:
    """The command that draws a sample."""
    return f"webretrieval adjudicate {run}" + ("" if what == "support" else f" --what {what}")

"""What the judges of a run decided, each as the item that a person can judge too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_webretrieval.records.folder import RESULTS, read_rows
from pytest_webretrieval.records.people import Judged

from .evidence import ANSWERED, JUDGED, SERVED, answers, judged_by, page_texts, searches
from .sampling import SHEETS, Item
from .showing import source_of

# In place of a judge's identity where proof alone has judged claims.
PROOF_ALONE = "no judge"


def items(folder: Path, what: str) -> Iterator[Item]:
    """Every item of a kind in a run, open ones too, each once. Raises FolderError for evidence that is missing."""
    return iter({item.id: item for item in _READ[what](folder)}.values())


def judge_of(folder: Path, what: str) -> str | None:
    """Whose verdicts they are; None where nobody judged any."""
    judge = judged_by(folder, what)
    return PROOF_ALONE if judge is None and what == "support" else judge


def judged(folder: Path, what: str) -> Judged | None:
    """What the judge of a kind said in a run, counted; None where no judge was asked."""
    judge = judged_by(folder, what)
    if judge is None:
        return None
    every = list(items(folder, what))
    graded = [item.verdict for item in every if not item.is_open]
    return Judged(
        what=what,
        run=folder.name,
        lock=judge,
        right=sum(verdict in SHEETS[what].right for verdict in graded),
        graded=len(graded),
        open=len(every) - len(graded),
    )


def _claims(folder: Path) -> Iterator[Item]:
    """Every cited claim of which there is a page, with its verdict by proof or by a judge."""
    page = page_texts(folder)
    for record in read_rows(folder, RESULTS if judged_by(folder, "support") is None else JUDGED):
        for step in record["verdicts"]:
            for claim in step["citation"].get("claims", ()):
                source = source_of(record, claim, page)
                if source is not None:
                    shown = {"claim": claim["claim"], "source": source.text}
                    yield Item(what="support", shown=shown, verdict=claim.get("settled") or claim["support"])


def _answers(folder: Path) -> Iterator[Item]:
    """Every required fact that was not sure to be said, with its verdict by a rule or by a judge."""
    said = answers(folder)
    for record, row in _with_records(folder, ANSWERED):
        answer = said(record)[row["step"]] or ""
        shown = {"question": record["query"], "right_answer": row["value"], "answer": answer}
        yield Item(what="answer", shown=shown, verdict=row["verdict"])


def _results(folder: Path) -> Iterator[Item]:
    """Every result of a search that says something of its page."""
    found = searches(folder)
    for record, row in _with_records(folder, SERVED):
        told = [result.text for result in dict(found(record))[row["attempt"]] if result.text]
        shown = {"query": record["query"], "result": told[row["rank"] - 1]}
        yield Item(what="relevance", shown=shown, verdict=row["verdict"])


def _with_records(folder: Path, name: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The rows of a judge, each with the record that it is about."""
    records = {(record["case"], record["key"]["trial"]): record for record in read_rows(folder)}
    for row in read_rows(folder, name):
        yield records[row["case"], row["trial"]], row


_READ: Mapping[str, Callable[[Path], Iterator[Item]]] = {
    "support": _claims,
    "answer": _answers,
    "relevance": _results,
}

"""The answer grader on two sets of human verdicts. Rules were tuned on one half of the questions (by a hash); the other
half is printed beside the whole."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_webretrieval.gates.agreement import Agreement, agreement
from pytest_webretrieval.grade.answers import CORRECT, grade_answer
from pytest_webretrieval.grade.words import runs, words

from .measured import Measured, is_held_out, kappa_of, precision_of


@dataclass(frozen=True, slots=True)
class Row:
    """An answer that people judged."""

    question: str
    golds: tuple[str, ...]
    answer: str
    is_right: bool


def measure(data: Path) -> Iterator[Measured]:
    rows = list(evouna(data))
    whole, rest = _table(rows, _graded), _table(_held_out(rows), _graded)
    contained = _table(rows, _contained)
    beside = f"containment {contained.precision:.3f}, kappa {contained.kappa:.3f}"
    yield precision_of("EVOUNA NQ, precision", whole, 0.975, beside)
    yield kappa_of("EVOUNA NQ, kappa", whole, 0.74, f"recall {whole.recall:.3f}")
    yield precision_of("EVOUNA NQ, held-out half, precision", rest, None)
    yield kappa_of("EVOUNA NQ, held-out half, kappa", rest, None)
    rows = list(nq301(data))
    whole, rest, contained = _table(rows, _graded), _table(_held_out(rows), _graded), _table(rows, _contained)
    yield kappa_of("NQ301, kappa", whole, 0.58, "BEM 0.62, GPT-4 0.70, second person 0.74")
    yield kappa_of("NQ301, held-out half, kappa", rest, None, f"containment on all {contained.kappa:.3f}")


def evouna(data: Path) -> Iterator[Row]:
    """EVOUNA's Natural Questions: five systems' answers to each question."""
    for record in json.loads((data / "answers" / "evouna.NQ.json").read_text(encoding="utf-8")):
        if record.get("improper"):
            continue
        for key, verdict in record.items():
            if key.startswith("judge_") and verdict is not None:
                answer = record[f"answer_{key.removeprefix('judge_')}"] or ""
                yield Row(
                    record["question"], tuple(record["golden_answer"].split("/")), answer, bool(verdict)
                )


def nq301(data: Path) -> Iterator[Row]:
    """301 questions; the rows of the two files align by position, and a few do not hold the same answer."""
    people = _rows(data / "answers" / "nq301.human.tsv")
    for judged, with_golds in zip(people, _rows(data / "answers" / "nq301.BEM.tsv"), strict=True):
        if words(judged["Model answer"]) != words(with_golds["Model answer"]):
            continue
        golds = tuple(gold.strip() for gold in with_golds["Gold answers"].split("|"))
        yield Row(judged["Question"], golds, judged["Model answer"], judged["Acceptable?"] == "Yes")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _held_out(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if is_held_out(row.question)]


def _table(rows: Sequence[Row], accepts: Callable[[Row], bool]) -> Agreement:
    return agreement((accepts(row), row.is_right) for row in rows)


def _graded(row: Row) -> bool:
    return grade_answer(row.question, row.golds, row.answer).verdict == CORRECT


def _contained(row: Row) -> bool:
    """The line to beat: the gold's words in the answer without a gap."""
    said = [word.text for word in words(row.answer)]
    return any(runs([word.text for word in words(gold)], said) for gold in row.golds)

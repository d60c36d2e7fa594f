"""The two graders of answers on two sets of human verdicts: the one of short free answers (``grade.answers``, used by
``judge --what answer``), and the reader of required facts that labels are made with (``grade.facts``).

The rules of the first were tuned on one half of the questions (by a hash); the other half is printed beside the whole.
The second asks whether the answer states the fact as truth writes it: its figures here, where golds are taken as such
facts, say how seldom it accepts what people would not, and how much it needs aliases."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_webretrieval.cases.truth import Fact
from pytest_webretrieval.gates.agreement import Agreement, agreement
from pytest_webretrieval.grade.answers import CORRECT, grade_answer
from pytest_webretrieval.grade.facts import states_fact
from pytest_webretrieval.grade.words import runs, words

from .measured import Measured, is_held_out, kappa_of, precision_of

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?", re.ASCII)


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
    yield from _label_reader("EVOUNA NQ", rows, 0.975)
    rows = list(nq301(data))
    whole, rest, contained = _table(rows, _graded), _table(_held_out(rows), _graded), _table(rows, _contained)
    yield kappa_of("NQ301, kappa", whole, 0.58, "BEM 0.62, GPT-4 0.70, second person 0.74")
    yield kappa_of("NQ301, held-out half, kappa", rest, None, f"containment on all {contained.kappa:.3f}")
    yield from _label_reader("NQ301", rows, None)


def _label_reader(name: str, rows: Sequence[Row], bar: float | None) -> Iterator[Measured]:
    table = _table(rows, _stated)
    yield precision_of(f"{name}, reader of labels, precision", table, bar)
    yield kappa_of(f"{name}, reader of labels, kappa", table, None, f"recall {table.recall:.3f}")


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


def _stated(row: Row) -> bool:
    """Whether the answer states one of the golds as it would have to state a required fact."""
    return any(states_fact(_fact(gold), row.answer) for gold in row.golds if gold.strip())


def _fact(gold: str) -> Fact:
    return Fact(id="gold", value=gold, match="number" if _NUMBER.fullmatch(gold.strip()) else "text")


def _contained(row: Row) -> bool:
    """The line to beat: the gold's words in the answer without a gap."""
    said = [word.text for word in words(row.answer)]
    return any(runs([word.text for word in words(gold)], said) for gold in row.golds)

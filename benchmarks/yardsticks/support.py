"""Citation support without a model, on three sets that people judged: of what is called ``full``, how much is not
supported at all, beside the word-overlap line at the same coverage; of ``contradicted``, how much is refuted; and the
curve of risk over coverage. Rules were written from the rows of one half of the claims (by a hash); of the
other half no row was read, but its counts decided how much a claim may lack: its figures are a little too kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webretrieval.grade.passages import passages
from pytest_webretrieval.grade.statement import CONTENT, Word, read_words
from pytest_webretrieval.grade.support import (
    CONTRADICTED,
    FULL,
    NONE,
    PARTIAL,
    STRENGTH,
    UNKNOWN,
    VERDICTS,
    Support,
    weigh,
)
from pytest_webretrieval.judges.entailment import Model

from .measured import ENOUGH, Measured, is_held_out, missing, share
from .overlap import beside

MOST_UNSUPPORTED = 0.02
REFUTED = 0.80
# Of all rows; the lower bound must reach it. A grader that proves nothing would else be wrong of nothing.
CHECKED = {"WiCE dev": 0.005, "Factcheck-GPT": 0.03, "ExpertQA val": 0.015}
AT = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_SUPPORTED = frozenset(("full", "partial"))
_EXPERTS = {"Complete": "full", "Partial": "partial", "Incomplete": "none"}


@dataclass(frozen=True, slots=True)
class Row:
    """A claim, the text that it cites, and what people say: ``full``, ``partial``, ``none`` or ``refuted``."""

    key: str
    claim: str
    text: str
    label: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A row with the grader's verdict and the share of the claim's words that stand in the text."""

    row: Row
    support: Support
    overlap: float

    @property
    def rank(self) -> tuple[int, float]:
        """Proof first, by how strict it is; then the share of words."""
        return (STRENGTH.get(self.support.rule, 0) if self.support.verdict == FULL else 0, self.overlap)


def measure(data: Path, entails: Model | None = None) -> Iterator[Measured]:
    """Each set: what must hold on all rows, the same on the half of which no row was read, then the curve; and that
    of a local model, where there is one."""
    for name, read in (("WiCE dev", wice), ("Factcheck-GPT", factcheck), ("ExpertQA val", expertqa)):
        weighed = [_weighed(row) for row in read(data)]
        yield from _figures(name, weighed)
        yield from _nothing_proven(name, weighed)
        checked = sum(item.support.verdict != UNKNOWN for item in weighed)
        yield share(f"{name}, not unknown", checked, len(weighed), CHECKED[name])
        yield from _figures(f"{name}, held-out half", [item for item in weighed if is_held_out(item.row.key)])
        yield from _curve(name, weighed)
        if entails is not None:
            yield from _curve_with(name, weighed, entails)


def _weighed(row: Row) -> Weighed:
    source = passages(row.text, "en", row.topic)
    said = {part for passage in source for word in passage.words for part in _parts(word)}
    own = {part for word in read_words(row.claim, "en") if word.kind in CONTENT for part in _parts(word)}
    return Weighed(row, weigh(row.claim, source, "en"), len(own & said) / len(own) if own else 0.0)


def _parts(word: Word) -> list[str]:
    """A word as word overlap counts it: of a version or time each part by itself."""
    return re.findall(r"\w+", word.stem) if word.kind == "code" else [word.stem]


def _figures(name: str, rows: Sequence[Weighed]) -> Iterator[Measured]:
    by_verdict = {verdict: [item for item in rows if item.support.verdict == verdict] for verdict in VERDICTS}
    full, refuting, none = by_verdict[FULL], by_verdict[CONTRADICTED], by_verdict[NONE]
    if full:
        yield _of_full(f"{name}, full is supported", full, rows)
    if refuting and _some_refuted(rows):
        refuted = sum(item.row.label == "refuted" for item in refuting)
        yield share(f"{name}, contradicted is refuted", refuted, len(refuting), REFUTED)
    if none:
        yield share(f"{name}, none is not full", sum(item.row.label != "full" for item in none), len(none))


def _nothing_proven(name: str, rows: Sequence[Weighed]) -> Iterator[Measured]:
    """A grader that is never wrong because it says nothing is below its bar."""
    said = {item.support.verdict for item in rows}
    if FULL not in said:
        yield missing(f"{name}, full is supported", 1 - MOST_UNSUPPORTED, "nothing is full")
    if CONTRADICTED not in said and _some_refuted(rows):
        yield missing(f"{name}, contradicted is refuted", REFUTED, "nothing is contradicted")


def _some_refuted(rows: Sequence[Weighed]) -> bool:
    return any(item.row.label == "refuted" for item in rows)


def _of_full(name: str, full: Sequence[Weighed], rows: Sequence[Weighed]) -> Measured:
    """From ENOUGH rows on the bar is a share; below, as many rows as word overlap ranks first."""
    line = sorted(rows, key=lambda item: item.overlap, reverse=True)[: len(full)]
    note = f"wholly {_wholly(full):.3f}, overlap {_wholly(line):.3f}"
    if len(full) >= ENOUGH:
        return share(name, _supported(full), len(full), 1 - MOST_UNSUPPORTED, note)
    return beside(name, full, line, _supported, note)


def _curve(name: str, rows: Sequence[Weighed]) -> Iterator[Measured]:
    """Risk over coverage: of the best-supported share of rows, how many are not supported at all."""
    ours = sorted(rows, key=lambda item: item.rank, reverse=True)
    line = sorted(rows, key=lambda item: item.overlap, reverse=True)
    for part in AT:
        size = max(1, round(part * len(rows)))
        risk, by_line = size - _supported(ours[:size]), size - _supported(line[:size])
        yield share(
            f"{name}, risk at {part:.0%} of rows", risk, size, None, f"word overlap {by_line / size:.3f}"
        )


def _curve_with(name: str, rows: Sequence[Weighed], model: Model) -> Iterator[Measured]:
    """The same curve where the rows that proof leaves unknown stand in the order of a model of entailment."""

    def likely(item: Weighed) -> float:
        verdict, _, score = model.lean(item.row.claim, item.row.text)
        return score if verdict == FULL else -score

    proven = {FULL: 1.0, PARTIAL: 1.0, CONTRADICTED: -1.0, NONE: -1.0}
    ranks = [
        (item.rank[0], likely(item) if item.support.verdict == UNKNOWN else proven[item.support.verdict])
        for item in rows
    ]
    order = sorted(range(len(rows)), key=ranks.__getitem__, reverse=True)
    for part in AT:
        best = [rows[at] for at in order[: max(1, round(part * len(rows)))]]
        yield share(
            f"{name}, entailment, risk at {part:.0%} of rows", len(best) - _supported(best), len(best)
        )
    sure = [rows[at] for at in order if rows[at].support.verdict == UNKNOWN and ranks[at][1] >= model.sure]
    if sure:
        yield share(f"{name}, entailment, full is supported", _supported(sure), len(sure))


def _supported(rows: Sequence[Weighed]) -> int:
    return sum(item.row.label in _SUPPORTED for item in rows)


def _wholly(rows: Sequence[Weighed]) -> float:
    return sum(item.row.label == "full" for item in rows) / len(rows)


def wice(data: Path) -> Iterator[Row]:
    """Wikipedia's claims against the whole page that each cites."""
    labels = {"supported": "full", "partially_supported": "partial", "not_supported": "none"}
    for record in _records(data / "citation" / "wice.claim.dev.jsonl"):
        yield Row(
            record["meta"]["id"], record["claim"], "\n".join(record["evidence"]), labels[record["label"]]
        )


def factcheck(data: Path) -> Iterator[Row]:
    """Claims of a model against one passage of a web page each."""
    labels = {
        "completely-support": "full", "partially-support": "partial", "irrelevant": "none", "refute": "refuted",
    }  # fmt: skip
    for record in _records(data / "citation" / "factcheck-gpt.stance.jsonl"):
        yield Row(record["claim"], record["claim"], record["evidence"], labels[record["stance"]])


def expertqa(data: Path) -> Iterator[Row]:
    """Answers' sentences against the passages that they cite. ``Incomplete`` is read as not supported, the strictest
    reading; experts gave it to sentences that their passage has word for word too."""
    known: set[str] = set()
    for name in ("domain", "rand"):
        for record in _records(data / "citation" / f"expertqa.{name}_val.jsonl"):
            for system, answer in record["answers"].items():
                for claim in answer["claims"]:
                    key = "|".join((record["question"], system, claim["claim_string"]))
                    texts = [text.partition("\n\n")[2] for text in claim["evidence"]]
                    if key in known or not any(texts) or claim["support"] not in _EXPERTS:
                        continue
                    known.add(key)
                    text = "\n".join(filter(None, texts))
                    yield Row(key, claim["claim_string"], text, _EXPERTS[claim["support"]])


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)

"""``webretrieval calibrate``: measure a grader on rows that people labelled."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webretrieval.gates.agreement import agreement
from pytest_webretrieval.gates.statistics import wilson
from pytest_webretrieval.grade.passages import passages
from pytest_webretrieval.grade.support import UNKNOWN, VERDICTS, weigh
from pytest_webretrieval.judges import entailment
from pytest_webretrieval.judges.asking import JudgeError

# Probabilities from which a model's word may count.
SURE = (0.5, 0.8, 0.9, 0.95, 0.99)


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("calibrate", help="measure a grader on rows that people labelled")
    parser.add_argument(
        "--labels",
        type=Path,
        required=True,
        metavar="FILE",
        help='JSON lines: {"claim", "source", "label"}, or with "verdict" to measure any other grader',
    )
    parser.add_argument(
        "--entailment",
        type=Path,
        metavar="DIR",
        help="a local model, measured on what proof leaves unknown",
    )
    parser.set_defaults(verb=calibrate)


def calibrate(arguments: argparse.Namespace) -> int:
    """Print the table of verdicts and labels, how far ``full`` and ``contradicted`` can be trusted, and what a model of
    entailment would add."""
    try:
        labelled = list(_rows(arguments.labels))
        added = list(_added(labelled, arguments.entailment)) if arguments.entailment else []
    except (OSError, ValueError) as error:
        print(f"webretrieval: {arguments.labels}: {error}", file=sys.stderr)
        return 1
    except JudgeError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    if not labelled:
        print(f"webretrieval: {arguments.labels}: no rows", file=sys.stderr)
        return 1
    for line in (*_table([(row.verdict, row.label) for row in labelled]), *added):
        print(line)
    return 0


def _table(rows: list[tuple[str, str]]) -> Iterator[str]:
    counts = Counter(rows)
    labels = [label for label in VERDICTS if any(pair[1] == label for pair in rows)]
    yield f"{'verdict':<14}" + "".join(f"{label:>14}" for label in labels)
    for verdict in VERDICTS:
        yield f"{verdict:<14}" + "".join(f"{counts[verdict, label]:>14}" for label in labels)
    known = sum(verdict != UNKNOWN for verdict, _ in rows)
    yield f"checked {known} of {len(rows)}, unknown {len(rows) - known}"
    for verdict in ("full", "contradicted"):
        table = agreement((said == verdict, label == verdict) for said, label in rows)
        if table.accepted:
            low, high = wilson(table.true_accepts, table.accepted)
            yield (
                f"{verdict:<14}precision {table.precision:.3f} [{low:.3f}, {high:.3f}]  "
                f"sensitivity {table.recall:.3f}  specificity {table.specificity:.3f}  "
                f"kappa {table.kappa:.3f}  (n = {table.n})"
            )


@dataclass(frozen=True, slots=True)
class Labelled:
    """A row of the file: the grader's verdict, what people say, and the pair where the row has it."""

    verdict: str
    label: str
    claim: str
    source: str


def _added(rows: list[Labelled], folder: Path) -> Iterator[str]:
    """For each of several probabilities: how many unknown rows the model would settle, and how many rightly."""
    model = entailment.load(folder)
    unknown = [row for row in rows if row.verdict == UNKNOWN and row.source]
    leanings = [(*model.lean(row.claim, row.source)[::2], row.label) for row in unknown]
    for sure in SURE:
        counted = [(verdict, label) for verdict, score, label in leanings if score >= sure]
        told = []
        for verdict in ("full", "contradicted"):
            labels = [label for said, label in counted if said == verdict]
            if labels:
                right = labels.count(verdict)
                low, high = wilson(right, len(labels))
                told.append(f"{verdict} {right} of {len(labels)} right [{low:.3f}, {high:.3f}]")
        checked = (len(rows) - sum(row.verdict == UNKNOWN for row in rows) + len(counted)) / len(rows)
        yield f"entailment at {sure:<5g} checked {checked:.3f}  {'; '.join(told) or 'settles nothing more'}"


def _rows(path: Path) -> Iterator[Labelled]:
    """Raises ValueError with the line's number for one that cannot be read."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                verdict = row["verdict"] if "verdict" in row else _weighed(row)
                read = Labelled(verdict, row["label"], row.get("claim", ""), row.get("source", ""))
            except (ValueError, LookupError, TypeError) as error:
                raise ValueError(
                    f"line {number}: {error!r}; each is an object of claim, source and label"
                ) from error
            for value in (read.verdict, read.label):
                if value not in VERDICTS:
                    raise ValueError(f"line {number}: {value!r} is none of {', '.join(VERDICTS)}")
            yield read


def _weighed(row: dict[str, str]) -> str:
    locale = row.get("lang")
    return weigh(row["claim"], passages(row["source"], locale, row.get("topic", "")), locale).verdict

"""``webretrieval calibrate``: measure a grader on rows that people labelled."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_webretrieval.gates.agreement import agreement
from pytest_webretrieval.gates.statistics import wilson
from pytest_webretrieval.grade.passages import passages
from pytest_webretrieval.grade.support import UNKNOWN, VERDICTS, weigh


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
    parser.set_defaults(verb=calibrate)


def calibrate(arguments: argparse.Namespace) -> int:
    """Print the table of verdicts and labels, and how far ``full`` and ``contradicted`` can be trusted."""
    try:
        rows = list(_rows(arguments.labels))
    except (OSError, ValueError) as error:
        print(f"webretrieval: {arguments.labels}: {error}", file=sys.stderr)
        return 1
    if not rows:
        print(f"webretrieval: {arguments.labels}: no rows", file=sys.stderr)
        return 1
    counts = Counter(rows)
    labels = [label for label in VERDICTS if any(pair[1] == label for pair in rows)]
    print(f"{'verdict':<14}" + "".join(f"{label:>14}" for label in labels))
    for verdict in VERDICTS:
        print(f"{verdict:<14}" + "".join(f"{counts[verdict, label]:>14}" for label in labels))
    known = sum(verdict != UNKNOWN for verdict, _ in rows)
    print(f"checked {known} of {len(rows)}, unknown {len(rows) - known}")
    for verdict in ("full", "contradicted"):
        table = agreement((said == verdict, label == verdict) for said, label in rows)
        if table.accepted:
            low, high = wilson(table.true_accepts, table.accepted)
            print(
                f"{verdict:<14}precision {table.precision:.3f} [{low:.3f}, {high:.3f}]  "
                f"sensitivity {table.recall:.3f}  specificity {table.specificity:.3f}  "
                f"kappa {table.kappa:.3f}  (n = {table.n})"
            )
    return 0


def _rows(path: Path) -> Iterator[tuple[str, str]]:
    """(verdict, label) of each row. Raises ValueError with the line's number for one that cannot be read."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                verdict = row["verdict"] if "verdict" in row else _weighed(row)
                label = row["label"]
            except (ValueError, LookupError, TypeError) as error:
                raise ValueError(
                    f"line {number}: {error!r}; each is an object of claim, source and label"
                ) from error
            for value in (verdict, label):
                if value not in VERDICTS:
                    raise ValueError(f"line {number}: {value!r} is none of {', '.join(VERDICTS)}")
            yield verdict, label


def _weighed(row: dict[str, str]) -> str:
    locale = row.get("lang")
    return weigh(row["claim"], passages(row["source"], locale, row.get("topic", "")), locale).verdict

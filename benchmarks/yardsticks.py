"""Graders measured on data that other people made: value, n, Wilson interval, bar.

    python benchmarks/yardsticks.py

The data is not part of the project. WEBRETRIEVAL_DATA names its folder; without it, ``shared/data`` beside the project
is tried. A yardstick whose data is absent is skipped with the reason.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path
from typing import Any

from pytest_webretrieval.gates.statistics import wilson
from pytest_webretrieval.grade.httpcache import may_reuse, retry_after

NOW = 1_790_000_000.0
_OFFSETS = ("date", "expires", "last-modified")


@dataclass(frozen=True, slots=True)
class Measured:
    """How many of how many rows came out right, and how many must."""

    right: int
    n: int
    bar: int
    wrong: tuple[str, ...] = ()


def freshness(cache: str) -> Callable[[Path], Measured]:
    """The required static vectors of the cache-tests suite, as a private or a shared cache."""

    def measure(data: Path) -> Measured:
        vectors = json.loads((data / "freshness" / "freshness.vectors.json").read_text(encoding="utf-8"))[
            "vectors"
        ]
        rows = [row for row in vectors if row["kind"] == "required" and cache in row["applies"]]
        wrong = tuple(row["id"] for row in rows if _reusable(row, cache) != (row["expect"] == "fresh"))
        return Measured(len(rows) - len(wrong), len(rows), len(rows), wrong)

    return measure


def _reusable(row: Mapping[str, Any], cache: str) -> bool:
    headers = _headers(row["response_headers"])
    headers.setdefault("date", formatdate(NOW, usegmt=True))
    return may_reuse(headers, row["status"], NOW, NOW, NOW + row["elapsed_s"], cache=cache)


def _headers(pairs: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """Several fields of one name are one list; a number under a date field counts from the server's clock."""
    found: dict[str, str] = {}
    for name, value in pairs:
        key = name.lower()
        text = (
            formatdate(NOW + value, usegmt=True) if isinstance(value, int) and key in _OFFSETS else str(value)
        )
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def retry_after_table(_: Path) -> Measured:
    """The grammar of RFC 9110, section 10.2.3, on the values that clients are known to read differently."""
    refused = ("-1", "+1", "1.0", "1e3", "", "foo", "²", "٣", "120, 60", "Fri, 32 Dec 2026 00:00:00 GMT")
    table: dict[str, float | None] = {"0": 0.0, "120": 120.0, "007": 7.0, "99999999999": float(2**31)}
    table |= dict.fromkeys(refused)
    table[formatdate(NOW - 60, usegmt=True)] = 0.0
    table[formatdate(NOW + 30, usegmt=True)] = 30.0
    wrong = tuple(repr(value) for value, delay in table.items() if retry_after(value, NOW) != delay)
    return Measured(len(table) - len(wrong), len(table), len(table), wrong)


YARDSTICKS: dict[str, Callable[[Path], Measured]] = {
    "freshness, private cache": freshness("private"),
    "freshness, shared cache": freshness("shared"),
    "Retry-After": retry_after_table,
}


def main() -> int:
    """Print one line a yardstick; 1 when one is below its bar."""
    data = Path(os.environ.get("WEBRETRIEVAL_DATA") or Path(__file__).parents[2] / "shared" / "data")
    below = 0
    for name, measure in YARDSTICKS.items():
        try:
            measured = measure(data)
        except FileNotFoundError as error:
            print(
                f"{name:<26} skipped: {Path(error.filename).name} is not here; WEBRETRIEVAL_DATA names its folder"
            )
            continue
        low, high = wilson(measured.right, measured.n)
        missed = measured.right < measured.bar
        below += missed
        verdict = f"BELOW: {', '.join(measured.wrong[:8])}" if missed else "holds"
        print(
            f"{name:<26} {measured.right:>3} of {measured.n:<3}  "
            f"[{low:.3f}, {high:.3f}]  bar {measured.bar}  {verdict}"
        )
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())

"""``webretrieval explain``: one run of one case, with all that it was judged by."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_webretrieval.records.folder import (
    ATTEMPTS,
    FolderError,
    find_folder,
    read_json,
    read_rows,
    run_name,
)
from pytest_webretrieval.report.page import headline, page
from pytest_webretrieval.settings import DEFAULT_OUTPUT


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("explain", help="show one run of a case: verdicts, wire, answer")
    parser.add_argument("run", help="a run folder, the end of its name, or latest")
    parser.add_argument("case", help="a case id, as in S06")
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="where run folders are")
    parser.set_defaults(verb=explain)


def explain(arguments: argparse.Namespace) -> int:
    """Print every trial of the case; 1 where the run has none."""
    try:
        folder = find_folder(arguments.output, arguments.run)
        records = [row for row in read_rows(folder) if row["case"] == arguments.case]
        if not records:
            known = ", ".join(dict.fromkeys(row["case"] for row in read_rows(folder))) or "none"
            raise FolderError(f"{folder}: no record of {arguments.case}; there: {known}")
        for record in records:
            print("\n".join(_pages(folder, record)))
    except FolderError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    return 0


def _pages(folder: Path, record: dict[str, Any]) -> Iterator[str]:
    key = record["key"]
    attempts = [
        row
        for row in read_rows(folder, ATTEMPTS)
        if all(row.get(f"webretrieval.{name}") == key[name] for name in ("case", "seed", "trial", "test"))
    ]
    yield headline(record)
    yield ""
    yield page(record, attempts, {"again": f"webretrieval regrade {run_name(folder.absolute(), Path.cwd())}"})
    for number, step in enumerate(read_json(folder / record["evidence"] / "evidence.json")["steps"], 1):
        yield ""
        yield f"     answer {number}"
        yield from (f"       {line}" for line in _answer(step["testimony"]).splitlines())
    yield f"     evidence     {folder / record['evidence']}"


def _answer(testimony: dict[str, Any]) -> str:
    payload = testimony["payload"]
    if isinstance(payload, dict) and isinstance(payload.get("answer"), str):
        refusal = payload.get("refusal") or {}
        return (
            payload["answer"]
            or f"(declined: {refusal.get('reason') or refusal.get('detail') or 'no reason given'})"
        )
    if isinstance(payload, str):
        return payload
    return testimony["error"] or f"(none: {testimony['ending']})"

"""``webretrieval explain``: one run of one case, with all that it was judged by, and how it came to its answer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_webretrieval.records.evidence import StoredRun, load
from pytest_webretrieval.records.folder import (
    ATTEMPTS,
    FolderError,
    body_reader,
    find_folder,
    read_json,
    read_rows,
    run_name,
)
from pytest_webretrieval.report.page import headline, page
from pytest_webretrieval.report.story import story_lines
from pytest_webretrieval.settings import DEFAULT_OUTPUT
from pytest_webretrieval.wire.story import tell


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("explain", help="show one run of a case: verdicts, wire, answer")
    parser.add_argument("run", help="a run folder, the end of its name, or latest")
    parser.add_argument("case", help="a case id, as in S06")
    parser.add_argument(
        "--trial", type=int, metavar="K", help="only this trial, counted from 0 (default: all)"
    )
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="where run folders are")
    parser.set_defaults(verb=explain)


def explain(arguments: argparse.Namespace) -> int:
    """Print the trial that is named, or every one of the case; 1 where the run has none."""
    try:
        folder = find_folder(arguments.output, arguments.run)
        records = [row for row in read_rows(folder) if row["case"] == arguments.case]
        if not records:
            known = ", ".join(dict.fromkeys(row["case"] for row in read_rows(folder))) or "none"
            raise FolderError(f"{folder}: no record of {arguments.case}; there: {known}")
        if arguments.trial is not None:
            trials = [record["key"]["trial"] for record in records]
            records = [record for record in records if record["key"]["trial"] == arguments.trial]
            if not records:
                listed = ", ".join(map(str, trials))
                raise FolderError(
                    f"{folder}: no trial {arguments.trial} of {arguments.case}; there: {listed}"
                )
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
    evidence = read_json(folder / record["evidence"] / "evidence.json")
    yield from _story(folder, load(evidence))
    for number, step in enumerate(evidence["steps"], 1):
        yield ""
        yield f"     answer {number}"
        yield from (f"       {line}" for line in _answer(step["testimony"]).splitlines())
    yield f"     evidence     {folder / record['evidence']}"


def _story(folder: Path, run: StoredRun) -> Iterator[str]:
    """What the model and its tools did, where the wire or spans tell of any."""
    read = body_reader(folder)
    for number, step in enumerate(run.steps, 1):
        turns = (attempt for attempt in step.trace.attempts if attempt.role == "model")
        bodies = {attempt.body: read(attempt.body) for attempt in turns if attempt.body is not None}
        beats = tell(step.trace, bodies)
        if any(beat.turn is not None or beat.uses for beat in beats):
            yield ""
            yield f"     story {number}"
            yield from (f"       {line}" for line in story_lines(beats, step.trace.attempts))


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

"""``webretrieval dispute``: a proposal that a judgement is wrong, with all that it rests on, for a person to decide.

It is a file and changes nothing: neither truth nor the run.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pytest_webretrieval.records.folder import FolderError, find_folder, read_rows
from pytest_webretrieval.records.proposal import proposal
from pytest_webretrieval.settings import DEFAULT_OUTPUT
from pytest_webretrieval.wire.secrets import scrubber

DEFAULT_FOLDER = Path("disputes")


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "dispute", help="write down why a judgement is wrong, with the evidence, for a person to decide"
    )
    parser.add_argument("run", help="a run folder, the end of its name, or latest")
    parser.add_argument("case", help="a case id, as in S06")
    parser.add_argument("--trial", type=int, default=0, metavar="K", help="which trial, counted from 0")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why it is wrong, in a sentence")
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="where run folders are")
    parser.add_argument(
        "--to", type=Path, default=DEFAULT_FOLDER, metavar="DIR", help="where to write the proposal"
    )
    parser.set_defaults(verb=dispute)


def dispute(arguments: argparse.Namespace) -> int:
    """Write the proposal, unless it is there already; 1 where the run has no such case or trial."""
    try:
        folder = find_folder(arguments.output, arguments.run)
        record = _record(folder, arguments.case, arguments.trial)
        text = proposal(folder, record, arguments.reason)
    except FolderError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    trial = f"-{arguments.trial}" if arguments.trial else ""
    target = arguments.to / f"{folder.absolute().name}-{record['case']}{trial}.yaml"
    if target.exists():
        print(f"{target} is there already, and stays as it is; remove it to have it written anew")
        return 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(scrubber()(text), encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        print(
            f"webretrieval: cannot write {target}: {error.strerror}; name another folder with --to",
            file=sys.stderr,
        )
        return 1
    print(f"{target}: decide there what is right; nothing else was changed")
    return 0


def _record(folder: Path, case: str, trial: int) -> dict[str, Any]:
    rows = list(read_rows(folder))
    of_case = [row for row in rows if row["case"] == case]
    if not of_case:
        known = ", ".join(dict.fromkeys(row["case"] for row in rows)) or "none"
        raise FolderError(f"{folder}: no record of {case}; there: {known}")
    for row in of_case:
        if row["key"]["trial"] == trial:
            return row
    known = ", ".join(str(row["key"]["trial"]) for row in of_case)
    raise FolderError(f"{folder}: no trial {trial} of {case}; there: {known}")

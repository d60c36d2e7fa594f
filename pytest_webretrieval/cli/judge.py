"""``webretrieval judge``: ask a model about the claims of a finished run that proof left unknown, and nothing else."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from pytest_webretrieval.judges.asking import DEFAULT_RECORDINGS, Bench, JudgeError, live, unrecorded
from pytest_webretrieval.judges.evidence import JUDGED, page_texts, unfit
from pytest_webretrieval.judges.lock import DEFAULT_LOCK, LockError, lock_for, read_lock, write_lock
from pytest_webretrieval.judges.settling import settle, with_settled
from pytest_webretrieval.records.folder import FolderError, Writer, find_folder, read_rows
from pytest_webretrieval.records.row import row_of
from pytest_webretrieval.settings import DEFAULT_OUTPUT

DEFAULT_BASE_URL = "https://api.openai.com/v1"


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("judge", help="ask a model about claims that nothing could be proven of")
    parser.add_argument("run", nargs="?", help="a run folder, the end of its name, or latest")
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="where run folders are")
    parser.add_argument("--lock", type=Path, default=DEFAULT_LOCK, help="the file that pins the judge")
    parser.add_argument(
        "--lock-model", metavar="MODEL", help="write the lock for this model, and do nothing else"
    )
    parser.add_argument("--temperature", type=float, default=0.0, help="for --lock-model")
    parser.add_argument(
        "--gate", action="store_true", help="fail where people have not judged a sample of this lock"
    )
    parser.add_argument("--live", action="store_true", help="ask the model what was not recorded")
    parser.add_argument("--base-url", default=DEFAULT_BASE_URL, help="of any OpenAI-compatible API")
    parser.add_argument(
        "--key-env", default="OPENAI_API_KEY", metavar="NAME", help="the variable with its key"
    )
    parser.add_argument(
        "--recordings",
        type=Path,
        default=DEFAULT_RECORDINGS,
        help="what the judge said before, to be committed",
    )
    parser.set_defaults(verb=judge)


def judge(arguments: argparse.Namespace) -> int:
    """0 where all was asked; 1 where a gate must not rest on it, the judge is not fit or cannot be asked; 2 where the
    call makes no sense."""
    if arguments.lock_model:
        write_lock(arguments.lock, lock_for(arguments.lock_model, arguments.temperature))
        print(
            f"{arguments.lock}: pinned {arguments.lock_model}; adjudicate a fresh sample before a figure counts"
        )
        return 0
    if not arguments.run:
        print("webretrieval: judge needs a RUN, or --lock-model MODEL", file=sys.stderr)
        return 2
    try:
        folder = find_folder(arguments.output, arguments.run)
        lock = read_lock(arguments.lock)
        ask = (
            live(lock, arguments.base_url, os.environ.get(arguments.key_env, ""))
            if arguments.live
            else unrecorded
        )
        bench = Bench(lock, ask, arguments.recordings)
        records = list(read_rows(folder))
        bench.probe("support")
        settled = list(settle(records, page_texts(folder), bench))
    except FolderError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 2
    except (LockError, JudgeError) as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    judged = [with_settled(record, settled) for record in records]
    writer = Writer(folder)
    writer.write_text(JUDGED, "")
    writer.append(JUDGED, judged)
    writer.close()
    _tell(records, judged, len(settled), sum(item.verdict == "ungraded" for item in settled), bench.asked)
    problem = unfit(lock.identity, folder)
    if problem is not None:
        print(f"not for a gate: {problem}")
    return 1 if problem is not None and arguments.gate else 0


def _tell(before: list[Any], after: list[Any], settled: int, ungraded: int, asked: int) -> None:
    print(f"{settled} unknown claims judged, {ungraded} of them ungraded; the model was asked {asked} times")
    for name, records in (("proof alone", before), ("with the judge", after)):
        rows = [row_of(record, "") for record in records]
        claims = sum(row.claims for row in rows)
        full, unknown = sum(row.claims_full for row in rows), sum(row.claims_unknown for row in rows)
        if claims:
            print(
                f"{name:<14} {claims} cited claims: {full} borne out, "
                f"{sum(row.claims_refuted for row in rows)} refuted, {unknown} unknown; "
                f"borne out at least {full / claims:.2f}"
            )

"""``webretrieval from-trace``: an agent's traces become draft cases, with the pages to capture."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_webretrieval.capture.exchange import CaptureError
from pytest_webretrieval.capture.scrub import scrubber_for
from pytest_webretrieval.capture.traces.drafts import capture_line, drafts_text
from pytest_webretrieval.capture.traces.read import FORMATS, read_traces
from pytest_webretrieval.capture.traces.trace import TraceTask
from pytest_webretrieval.capture.write import write_case
from pytest_webretrieval.cases.yaml_reader import shown

from .capture import CASES


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("from-trace", help="make draft cases of an agent's traces")
    parser.add_argument("file", type=Path, help=f"an export: {', '.join(name for name, *_ in FORMATS)}")
    parser.add_argument("--into", type=Path, default=CASES, metavar="DIR", help=f"case folder ({CASES})")
    parser.add_argument("--replace", action="store_true", help="write anew what is there already")
    parser.set_defaults(verb=from_trace)


def from_trace(arguments: argparse.Namespace) -> int:
    """Print the file and the lines to run next; 1 with one line where the export cannot be read."""
    scrub = scrubber_for({}).text
    try:
        name, found = read_traces(arguments.file)
        tasks = [_scrubbed(task, scrub) for task in found]
        path = arguments.into / f"{_stem(arguments.file)}.yaml"
        write_case(path, drafts_text(tasks, f"{arguments.file.name}, {name}"), arguments.replace)
    except CaptureError as error:
        print(f"webretrieval: from-trace: {error}", file=sys.stderr)
        return 1
    print(f"{shown(path)}: {len(tasks)} draft{'s' if len(tasks) != 1 else ''} from {name}")
    urls = dict.fromkeys(url for task in tasks for url in task.urls)
    if urls:
        print("capture what was read, with what is right on each page:")
        for url in urls:
            print(f"  {capture_line(url)}")
    print(f"then say what is right in {shown(path)}, and take `draft: true` away")
    return 0


def _scrubbed(task: TraceTask, scrub: Callable[[str], str]) -> TraceTask:
    return TraceTask(
        name=scrub(task.name),
        query=scrub(task.query),
        answer=scrub(task.answer),
        urls=tuple(map(scrub, task.urls)),
    )


def _stem(file: Path) -> str:
    """A name that a case file can have."""
    kept = "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "-" for letter in file.stem
    )
    return kept.strip(".-_") or "traces"

"""``webretrieval history``: the nights of the live lane, and which of them count as baseline."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pytest_webretrieval.configuration import FILE, ConfigurationError, LiveConfiguration, read_live
from pytest_webretrieval.records import history
from pytest_webretrieval.records.folder import FolderError
from pytest_webretrieval.records.history import DEFAULT_HISTORY, Night, corpora, read_nights


def add(subparsers: Any) -> None:
    """Add the verbs."""
    group = subparsers.add_parser("history", help="the nights of the live lane, and which count as baseline")
    verbs = group.add_subparsers(title="verbs", metavar="VERB", required=True)
    parser = verbs.add_parser("list", help="every run, what it came to, and whether it counts")
    _add_folder(parser)
    parser.set_defaults(verb=list_nights)
    decisions: tuple[tuple[str, str, Callable[..., Night]], ...] = (
        ("accept", "let a run count as baseline", history.accept),
        ("withdraw", "let a run not count as baseline any more", history.withdraw),
    )
    for name, says, decide in decisions:
        parser = verbs.add_parser(name, help=says)
        parser.add_argument("run", help="its name, or the end of it")
        parser.add_argument(
            "--because", required=True, metavar="TEXT", help="the reason, for those who read it later"
        )
        parser.add_argument("--by", metavar="NAME", help="who decides (whoever is logged in)")
        _add_folder(parser)
        parser.set_defaults(verb=decided, decide=decide)


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--history", type=Path, metavar="DIR", help=f"the folder of it (as configured, or {DEFAULT_HISTORY})"
    )


def decider(given: str | None) -> str:
    """Who decides: as given, or whoever is logged in."""
    if given:
        return given
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a uid without a name, as in some containers
        return f"uid {os.getuid()}"


def configured() -> LiveConfiguration | None:
    """The configuration of the folder that we are in; None where there is none. Raises ConfigurationError for one that
    is not in order."""
    try:
        return read_live(Path.cwd())
    except ConfigurationError:
        if (Path.cwd() / FILE).is_file():
            raise
        return None


def history_folder(given: Path | None) -> Path:
    """Where the history is: as given, as configured, or where it is by itself. Raises ConfigurationError."""
    if given is not None:
        return given
    configuration = configured()
    return DEFAULT_HISTORY if configuration is None else configuration.history


def list_nights(arguments: argparse.Namespace) -> int:
    """Print every run of every corpus; 1 where there is no history."""
    try:
        folder = history_folder(arguments.history)
        every = [(corpus, read_nights(folder, corpus)) for corpus in corpora(folder)]
    except FolderError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    if not every:
        print(f"webretrieval: no history in {folder}; a run of the live lane begins one", file=sys.stderr)
        return 1
    for corpus, nights in every:
        print(corpus)
        for night in nights:
            print(f"  {' '.join(_columns(night))}")
    return 0


def _columns(night: Night) -> Iterator[str]:
    counted = [run for run in night.cases if run.counts]
    right = sum(run.as_expected for run in counted)
    left = len(night.cases) - len(counted)
    yield f"{night.run}  {night.observed_at:%Y-%m-%d %H:%M}  {night.lane} {night.region} {night.fingerprint[:12]} "
    yield f"{right} of {len(counted)} as expected{f', {left} left out' if left else ''} "
    yield f"{'accepted' if night.accepted else 'not accepted'}: {night.why}"


def decided(arguments: argparse.Namespace) -> int:
    """Write the decision down; 1 where no run has that name."""
    because = " ".join(arguments.because.split())
    if not because:
        print("webretrieval: --because wants a reason", file=sys.stderr)
        return 2
    try:
        folder = history_folder(arguments.history)
        night = arguments.decide(folder, arguments.run, decider(arguments.by), because)
    except FolderError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    print(f"{night.corpus} {night.run}: {night.why}")
    return 0

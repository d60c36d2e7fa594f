"""The ``webretrieval`` command: one file a group of verbs.

A verb file offers ``add(subparsers)``, which adds a parser and sets its default ``verb`` to a function from
the arguments to the exit code: 0 all is well, 1 something is wrong with the data or the run, 2 the call
makes no sense. Only the file of the verb that is called is imported.
"""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from collections.abc import Sequence

from pytest_webretrieval.cases.case import CaseError

# verb and file, and what `webretrieval --help` says of it
VERBS = (
    ("init", "write a first case, its page, and what runs it"),
    ("capture", "make a case and its site of a real page, or of a HAR"),
    ("from-trace", "make draft cases of an agent's traces"),
    ("explain", "show one run of a case: verdicts, wire, answer"),
    ("baseline", "accept what a run came to, so that later runs are held to it"),
    ("history", "list the nights of the live lane, and say which count as baseline"),
    ("dispute", "write down why a judgement is wrong, with the evidence, for a person to decide"),
    ("judge", "ask a model about what nothing could be proven of"),
    ("adjudicate", "let people judge a blind sample, and correct rates by it; or decide about probes"),
    ("calibrate", "measure a grader on rows that people labelled"),
    ("regrade", "judge a run's stored evidence again with today's truth and graders"),
    ("net", "run a command in a slot against the world and print the wire"),
    ("doctor", "say what this machine can run, and what is missing"),
    ("browser", "find a browser for systems, or install one"),
    ("truth", "check, lock and extend what is right"),
    ("corpus", "check and lock what is asked"),
    ("controls", "run a corpus on systems that see no web, and on one that is given the right page"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    words = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="webretrieval", description="Web retrieval, tested from the wire.")
    subparsers = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    called = next((word for word in words if not word.startswith("-")), None)
    for name, says in VERBS:
        if name == called:
            importlib.import_module(f"{__name__}.{name.replace('-', '_')}").add(subparsers)
        else:
            subparsers.add_parser(name, help=says)
    try:
        arguments = parser.parse_args(words)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 2
    try:
        code: int = arguments.verb(arguments)
        sys.stdout.flush()
    except CaseError as error:
        for line in error.problems:
            print(line, file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stdout = io.StringIO()  # nobody reads: the interpreter's last flush must not complain
        return 1
    except KeyboardInterrupt:
        return 130
    return code

"""``webretrieval init``: a first case, its page, and what runs it, wherever there is none yet."""

from __future__ import annotations

import argparse
import sys
from importlib import resources
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.yaml_reader import shown

# file of the starter, where it goes
STARTER = (
    ("first.yaml", "cases/first.yaml"),
    ("releases", "cases/pages/https/docs.bramble-router.example/releases"),
    ("conftest.py.txt", "conftest.py"),
    ("webretrieval.yml", ".github/workflows/webretrieval.yml"),
)
_CONFTEST = "conftest.py"
_NAMES_A_SYSTEM = "pytest_webretrieval_system"


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("init", help="write a first case, its page, and what runs it")
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(), metavar="DIR", help="where (default: here)"
    )
    parser.set_defaults(verb=init)


def init(arguments: argparse.Namespace) -> int:
    """Write what is not there, and say so; nothing that is there is touched. 1 where the folder cannot be written."""
    folder: Path = arguments.folder
    try:
        for name, place in STARTER:
            path = folder / place
            if path.exists():
                print(f"kept     {shown(path)}")
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((resources.files(__package__) / "starter" / name).read_bytes())
            print(f"written  {shown(path)}")
        hint = _hint(folder / _CONFTEST)
    except OSError as error:
        print(f"webretrieval: init: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    if hint:
        print(hint)
    there = "" if folder == Path() else f"cd {shown(folder)} && "
    print(f"next     {there}pytest --lane=fixture cases/")
    print(f"yours    {there}pytest --lane=fixture cases/ --webretrieval-system my_agent:answer")
    return 0


def _hint(conftest: Path) -> str:
    """What a conftest that was there may lack."""
    if _NAMES_A_SYSTEM in conftest.read_text(encoding="utf-8", errors="replace"):
        return ""
    return f"or       {shown(conftest)} is yours: `webretrieval_system = my_agent:answer` in the pytest ini is enough"

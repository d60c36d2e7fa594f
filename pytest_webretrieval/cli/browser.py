"""``webretrieval browser``: find a browser for systems, or bring one."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from pytest_webretrieval.slots.bring import bring
from pytest_webretrieval.slots.browser import BrowserUnusable


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("browser", help="find a browser for systems, or install one")
    parser.add_argument("--webretrieval-browser", metavar="PATH", help="take this one")
    parser.set_defaults(verb=browser)


def browser(arguments: argparse.Namespace) -> int:
    """0 when there is one in the end, else 1."""
    try:
        brought = bring(arguments.webretrieval_browser, os.environ)
    except BrowserUnusable as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    found = brought.browser
    if found is None:
        print(f"webretrieval: no browser, and none could be installed: {brought.how}", file=sys.stderr)
        return 1
    print(f"{found.kind} {found.version} at {found.path} {brought.how}")
    return 0

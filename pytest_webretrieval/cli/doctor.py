"""``webretrieval doctor``: what this machine can run, what is missing, and how to mend it.

With ``--lane=live``: what would meet the real web, what the lane lacks, what a run may cost. Nothing is sent.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pytest_webretrieval.faults import toxiproxy
from pytest_webretrieval.settings import DEFAULT_CORPUS
from pytest_webretrieval.slots.loss import loss_refused
from pytest_webretrieval.slots.probe import GOOD, LIMITED, MISSING, Finding, probe

from .live_plan import live_plan


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("doctor", help="say what this machine can run, and what is missing")
    parser.add_argument(
        "--lane", choices=("fixture", "live"), default="fixture", help="the lane that would run"
    )
    parser.add_argument("--corpus", default=DEFAULT_CORPUS, help=f"of the live lane ({DEFAULT_CORPUS})")
    parser.set_defaults(verb=doctor)


def doctor(arguments: argparse.Namespace) -> int:
    """Print what was found: 0 when the lane can run here, else 1."""
    if arguments.lane == "live":
        planned = live_plan(arguments.corpus, Path.cwd(), os.environ)
        for line in planned.lines:
            print(line)
        return _print(planned.findings)
    return _print([*probe(), *_faults()])


def _print(findings: Sequence[Finding]) -> int:
    wide = max(len(finding.name) for finding in findings)
    for finding in findings:
        print(f"{finding.state:<8} {finding.name:<{wide}}  {finding.detail}")
        if finding.mend:
            for line in finding.mend.splitlines():
                print(f"{'':<8} {'':<{wide}}  {line}")
    return 1 if any(finding.state == MISSING for finding in findings) else 0


def _faults() -> list[Finding]:
    """Whose toxics faults are made of, and whether packets can be lost."""
    found = toxiproxy.choose(toxiproxy.AUTO)
    other = "no toxiproxy-server on PATH" if found.program is None else f"{found.program} with `auto`"
    toxics = Finding(
        name="toxiproxy", state=GOOD, detail=f"the embedded one is used by default; {other} (docs/faults.md)"
    )
    why = loss_refused()
    if why is None:
        return [toxics, Finding(name="packet loss", state=GOOD, detail="by nftables in the slot")]
    detail = f"{why}: cases with the fault `loss` are skipped"
    return [toxics, Finding(name="packet loss", state=LIMITED, detail=detail)]

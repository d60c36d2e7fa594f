"""``webretrieval doctor``: what this machine can run, what is missing, and how to mend it."""

from __future__ import annotations

from typing import Any

from pytest_webretrieval.slots.probe import MISSING, probe


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("doctor", help="say what this machine can run, and what is missing")
    parser.set_defaults(verb=lambda _: doctor())


def doctor() -> int:
    """Make a slot, and print what was found: 0 when slots can be made here, else 1."""
    findings = probe()
    wide = max(len(finding.name) for finding in findings)
    for finding in findings:
        print(f"{finding.state:<8} {finding.name:<{wide}}  {finding.detail}")
        if finding.mend:
            for line in finding.mend.splitlines():
                print(f"{'':<8} {'':<{wide}}  {line}")
    return 1 if any(finding.state == MISSING for finding in findings) else 0

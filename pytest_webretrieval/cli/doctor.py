"""``webretrieval doctor``: what this machine can run, what is missing, and how to mend it."""

from __future__ import annotations

from typing import Any

from pytest_webretrieval.faults import toxiproxy
from pytest_webretrieval.slots.loss import loss_refused
from pytest_webretrieval.slots.probe import GOOD, LIMITED, MISSING, Finding, probe


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("doctor", help="say what this machine can run, and what is missing")
    parser.set_defaults(verb=lambda _: doctor())


def doctor() -> int:
    """Make a slot, and print what was found: 0 when slots can be made here, else 1."""
    findings = [*probe(), *_faults()]
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

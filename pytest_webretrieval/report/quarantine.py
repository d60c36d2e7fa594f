"""Probes under suspicion, in every summary until a person has decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from pytest_webretrieval.records.quarantine import Quarantine


def quarantine_lines(undecided: Sequence[Quarantine], now: datetime) -> Iterator[str]:
    """A line for each that nobody released, and what decides; nothing where there is none."""
    for number, one in enumerate(undecided):
        yield f"{'' if number else 'probes':<8} {said(one, now)}"
    if undecided:
        yield f"{'':<8} decide: webretrieval adjudicate --probes"


def said(one: Quarantine, now: datetime) -> str:
    """One quarantine in one line."""
    since = f"{one.first or one.since:%Y-%m-%d}"
    if one.open(now):
        state = f"in quarantine until {one.until:%Y-%m-%d %H:%M} UTC, counts on neither side"
    else:
        state = f"in quarantine until {one.until:%Y-%m-%d %H:%M} UTC, which is over: counts again"
    by = f", kept by {one.by}" if one.by else ""
    return printable(f"{one.case} since {since} {state}: {one.reason} (run {one.run}{by})")


def printable(text: str) -> str:
    """In one line, with what would move a terminal's cursor written out: some of it comes from the web."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in " ".join(text.split()))

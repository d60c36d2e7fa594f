"""An item's outcome in words: the first line, the rows of its page, the lines of the summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_webretrieval.gates.baseline import Accepted
from pytest_webretrieval.gates.confirm import FLAKY, KNOWN, OBSERVED, UNEXPECTED_PASS
from pytest_webretrieval.gates.outcome import Outcome

from .figures import WIDTH, shortened


def first_line(record: Mapping[str, Any], outcome: Outcome, run: str) -> str:
    """What is red about an item, enough for whoever reads only this; ``record`` is that of the trial that is shown,
    ``run`` the name of the run."""
    tolerated = outcome.accepted.tolerated if outcome.accepted is not None else None
    if outcome.state == UNEXPECTED_PASS and tolerated is not None:
        advice = f"webretrieval baseline accept {run} --case {outcome.name}"
        passes = f"{record['case']} {record['label']}{_of_trials(outcome, outcome.passed)}"
        return f"{passes}, known to fail ({tolerated.owner}): accept the pass with `{advice}`"
    failed = _of_trials(outcome, len(outcome.labels) - outcome.passed)
    expected = f"expected {record['expect']}"
    if tolerated is not None and outcome.expired:
        expected += f", known to fail until {tolerated.expires} ({tolerated.owner})"
    elif tolerated is not None and outcome.accepted is not None:
        expected += f", known to fail as {_labels(outcome.accepted, outcome.expect)}"
    reason = f": {record['reason']}" if record["reason"] else ""
    return shortened(f"{record['case']} {record['label']}{failed}, {expected}{reason}", 160)


def page_rows(outcome: Outcome) -> dict[str, str]:
    """Rows of a page by their name: the other trials, and what was accepted before."""
    rows = {}
    if len(outcome.labels) > 1:
        first = len(outcome.labels) - outcome.further
        rows["trials"] = ", ".join(outcome.labels[:first])
        if outcome.further:
            rows["trials"] += f"; to confirm: {', '.join(outcome.labels[first:])}"
    if (accepted := outcome.accepted) is not None:
        right, n = accepted.labels.get(outcome.expect, 0), accepted.trials
        rows["main"] = (
            f"{accepted.label} on the accepted baseline of {accepted.accepted} ({right} of {n}); "
            f"here {outcome.passed} of {len(outcome.labels)}"
        )
        if accepted.tolerated is not None:
            rows["known"] = _tolerated(accepted)
    return rows


def known_line(outcome: Outcome) -> str:
    """Why a known failure is tolerated, for pytest's line of an expected failure."""
    assert outcome.accepted is not None
    return f"{', '.join(dict.fromkeys(outcome.labels))}: {_tolerated(outcome.accepted)}"


def outcome_lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The cases that are green and yet not what they should be, and those whose reason is used up."""
    for name, applies, text in (
        ("flaky", lambda outcome: outcome.state == FLAKY, _flaky),
        ("observed", lambda outcome: outcome.state == OBSERVED and outcome.says_something, _observed),
        ("known", lambda outcome: outcome.state == KNOWN, known_line),
        ("passing", _no_longer_needed, _passing),
        ("expired", lambda outcome: outcome.expired and not outcome.green, _expired),
    ):
        for number, outcome in enumerate(filter(applies, outcomes)):
            line = f"{'' if number else name:<8} {outcome.case}  "
            yield line + shortened(text(outcome), WIDTH - len(line))


def _observed(outcome: Outcome) -> str:
    return f"{', '.join(dict.fromkeys(outcome.labels))}, expected {outcome.expect}"


def _flaky(outcome: Outcome) -> str:
    failed = dict.fromkeys(label for label in outcome.labels if label != outcome.expect)
    return f"{outcome.passed} of {len(outcome.labels)} as expected, else {', '.join(failed)}"


def _no_longer_needed(outcome: Outcome) -> bool:
    """A case that may fail and passed in every trial: either strictly asked for, or, where it was also seen to pass,
    for people to judge."""
    tolerated = outcome.accepted is not None and outcome.accepted.tolerated is not None
    return tolerated and outcome.passed == len(outcome.labels)


def _passing(outcome: Outcome) -> str:
    """Short enough for a line: who reads the failure is told the whole command."""
    return f"{outcome.passed} of {len(outcome.labels)} as expected, but known to fail: accept the pass"


def _expired(outcome: Outcome) -> str:
    assert outcome.accepted is not None
    return _tolerated(outcome.accepted)


def _tolerated(accepted: Accepted) -> str:
    assert accepted.tolerated is not None
    known = accepted.tolerated
    return f"{known.reason} ({known.owner}, until {known.expires})"


def _labels(accepted: Accepted, expect: str) -> str:
    return " or ".join(label for label in accepted.labels if label != expect)


def _of_trials(outcome: Outcome, count: int) -> str:
    """`` in 4 of 5 trials``; nothing where there was one."""
    return f" in {count} of {len(outcome.labels)} trials" if len(outcome.labels) > 1 else ""

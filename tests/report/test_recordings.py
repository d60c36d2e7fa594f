"""What the end of a run says of recordings."""

from __future__ import annotations

from pytest_webretrieval.records.recordings import Recordings
from pytest_webretrieval.report.recordings import MOST, recording_lines


def test_nothing_is_said_where_there_is_nothing() -> None:
    recordings = Recordings()
    recordings.take({})
    assert list(recording_lines(recordings)) == []


def test_each_is_named_once_however_many_trials_used_it() -> None:
    recordings = Recordings()
    for _ in range(3):
        recordings.take(
            {"unplayed": ["c/A.yaml #1 GET x", "c/A.yaml #2 GET y"], "expired": ["c/A.yaml #1 GET x"]}
        )
    recordings.take({"recorded": 2, "unordered": ["c/B.yaml GET z"]})
    recordings.take({"recorded": 1})
    assert list(recording_lines(recordings)) == [
        "recorded 3 requests of listed hosts",
        "unplayed c/A.yaml #1 GET x",
        "         c/A.yaml #2 GET y",
        "expired  c/A.yaml #1 GET x",
        "by order c/B.yaml GET z",
    ]


def test_many_are_counted() -> None:
    recordings = Recordings()
    recordings.take({"unplayed": [f"c/{number}.yaml #1" for number in range(MOST + 3)]})
    lines = list(recording_lines(recordings))
    assert len(lines) == MOST + 1
    assert lines[-1] == "         … and 3 more"

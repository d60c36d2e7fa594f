"""Recordings that nobody asked for, that are old, that depend on chance: by name, at the end of a run."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_webretrieval.records.recordings import Recordings

MOST = 20


def recording_lines(recordings: Recordings) -> Iterator[str]:
    """A line each, up to MOST of a kind."""
    if recordings.recorded:
        yield f"recorded {recordings.recorded} requests of listed hosts"
    for word, names in (
        ("unplayed", recordings.unplayed),
        ("expired", recordings.expired),
        ("by order", recordings.unordered),
    ):
        for number, name in enumerate(names):
            if number == MOST:
                yield f"         … and {len(names) - MOST} more"
                break
            yield f"{'' if number else word:<8} {name}"

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pytest_webretrieval.records.folder import FolderError
from pytest_webretrieval.records.quarantine import (
    QUARANTINE,
    Quarantine,
    expired,
    keep,
    open_quarantines,
    quarantine,
    release,
    undecided,
)
from pytest_webretrieval.report.quarantine import quarantine_lines

NOW = datetime(2026, 11, 30, 3, tzinfo=UTC)
DAY = timedelta(days=1)
GONE = Quarantine(
    case="D01",
    corpus="web-v1",
    since=NOW,
    until=NOW + 7 * DAY,
    run="20261130-0300-ab12",
    reason="target answers 404",
)


def test_a_quarantine_is_open_until_it_is_over_and_then_counts_again(tmp_path: Path) -> None:
    assert quarantine(tmp_path, GONE)
    assert open_quarantines(tmp_path, "web-v1", NOW) == (GONE,)
    assert open_quarantines(tmp_path, "web-v2", NOW) == ()
    assert open_quarantines(tmp_path, "web-v1", NOW + 7 * DAY) == ()
    assert expired(tmp_path, "web-v1", NOW + 7 * DAY) == (GONE,)


def test_what_a_later_run_sees_does_not_make_it_longer(tmp_path: Path) -> None:
    quarantine(tmp_path, GONE)
    again = replace(GONE, since=NOW + DAY, until=NOW + 8 * DAY)
    assert not quarantine(tmp_path, again)
    assert open_quarantines(tmp_path, "web-v1", NOW + DAY) == (GONE,)


def test_one_that_begins_anew_remembers_since_when_nobody_decided(tmp_path: Path) -> None:
    quarantine(tmp_path, GONE)
    for week in (1, 2):
        later = NOW + week * 7 * DAY
        assert quarantine(tmp_path, replace(GONE, since=later, until=later + 7 * DAY))
    (found,) = open_quarantines(tmp_path, "web-v1", NOW + 15 * DAY)
    assert (found.since, found.first) == (NOW + 14 * DAY, NOW)


def test_a_person_releases_or_keeps_it_and_nothing_is_overwritten(tmp_path: Path) -> None:
    quarantine(tmp_path, GONE)
    before = (tmp_path / QUARANTINE).read_text()
    kept = keep(tmp_path, "web-v1", "D01", "Kim", "asked the site", 3, NOW + 6 * DAY)
    assert open_quarantines(tmp_path, "web-v1", NOW + 8 * DAY) == (kept,)
    assert (kept.until, kept.by, kept.reason) == (NOW + 9 * DAY, "Kim", "asked the site")
    assert release(tmp_path, "web-v1", "D01", "Kim", "truth has a new version", NOW + 8 * DAY) == kept
    assert undecided(tmp_path) == ()
    with pytest.raises(FolderError, match="web-v1::D01 is in no quarantine"):
        release(tmp_path, "web-v1", "D01", "Kim", "again")
    after = (tmp_path / QUARANTINE).read_text()
    assert after.startswith(before)
    assert len(after.splitlines()) == 3


def test_a_summary_shows_each_until_a_person_has_decided() -> None:
    late = replace(GONE, case="K03", since=NOW - 9 * DAY, until=NOW - 2 * DAY, reason="title is now \x1b[2J")
    assert list(quarantine_lines((late, GONE), NOW)) == [
        "probes   K03 since 2026-11-21 in quarantine until 2026-11-28 03:00 UTC, which is over: counts again: "
        "title is now \\x1b[2J (run 20261130-0300-ab12)",
        "         D01 since 2026-11-30 in quarantine until 2026-12-07 03:00 UTC, counts on neither side: "
        "target answers 404 (run 20261130-0300-ab12)",
        "         decide: webretrieval adjudicate --probes",
    ]
    assert list(quarantine_lines((), NOW)) == []

"""A person at a terminal decides about probes; the history keeps it, and truth is never touched."""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml

from pytest_webretrieval.cli import main
from pytest_webretrieval.records.history import append_night, read_nights
from pytest_webretrieval.records.probe_proposal import FactSeen, ProbeProposal, Seen, write_proposal
from pytest_webretrieval.records.quarantine import Quarantine, quarantine, undecided

from ..gates.nights import night_of

NOW = datetime.now(UTC).replace(microsecond=0)
VERSION = {"valid_at": "2026-11-30T00:00:00Z", "reason": "moved", "adjudicated_by": "human"}


class Terminal(io.StringIO):
    """What a person types, line by line."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A history with two probes under suspicion, of which one has a proposal."""
    monkeypatch.chdir(tmp_path)
    proposal = ProbeProposal(
        case="D01",
        corpus="web-v1",
        target="https://example.org/rates",
        observed_at=NOW,
        why="the page no longer says what truth expects",
        seen=Seen(
            url="https://example.org/rates",
            status=200,
            sha256="ab" * 32,
            title="Rates",
            excerpt="4.1 %\n\x1b[2J",
        ),
        truth=(
            FactSeen(id="rate", value="3.9 %", stands=False),
            FactSeen(id="from", value="1 May", stands=True),
        ),
        version=VERSION,
    )
    path = write_proposal(tmp_path / ".webretrieval" / "20261130-0300-ab12", proposal)
    for case, why, where in (("D01", "changed", str(path.relative_to(tmp_path))), ("K03", "gone", None)):
        found = Quarantine(
            case=case,
            corpus="web-v1",
            since=NOW,
            until=NOW + timedelta(days=7),
            run="20261130-0300-ab12",
            reason=why,
            proposal=where,
        )
        quarantine(tmp_path / "history", found)
    return tmp_path


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("".join(f"{line}\n" for line in lines)))


def test_without_a_terminal_it_lists_and_decides_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("r\nwhatever\n"))
    assert main(["adjudicate", "--probes"]) == 0
    said = capsys.readouterr().out
    assert "  seen     200 https://example.org/rates at " in said
    assert "  says     4.1 % \\x1b[2J\n" in said
    assert "  truth    rate '3.9 %' does not stand there\n  truth    from '1 May' stands there\n" in said
    assert "  seen     nothing is kept: the run wrote no proposal\n" in said
    assert [one.case for one in undecided(folder / "history")] == ["D01", "K03"]


def test_a_release_says_how_truth_is_added_and_does_not_add_it(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "what?", "r", "", "read it: the rate moved", "k", "asked the site")
    assert main(["adjudicate", "--probes", "--by", "Kim", "--days", "3"]) == 0
    said = capsys.readouterr().out
    (kept,) = undecided(folder / "history")
    assert (kept.case, kept.by, kept.reason) == ("K03", "Kim", "asked the site")
    assert timedelta(days=2) < kept.until - NOW < timedelta(days=4)
    draft = Path(".webretrieval/20261130-0300-ab12/proposals/D01.version.yaml")
    assert f"webretrieval truth add D01 --from {draft} --corpus web-v1 --lane live" in said
    assert "mend .webretrieval/20261130-0300-ab12/proposals/D01.version.yaml" in said
    assert yaml.safe_load((folder / draft).read_text()) == VERSION
    assert not (folder / "truth").exists()
    assert "read it: the rate moved" in (folder / "history" / "quarantine.jsonl").read_text()


def test_who_quits_has_decided_nothing_more(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "q")
    assert main(["adjudicate", "--probes"]) == 0
    typed(monkeypatch, "r")  # and then the end of file instead of a reason
    assert main(["adjudicate", "--probes"]) == 0
    assert len(undecided(folder / "history")) == 2


@pytest.mark.parametrize("days", ["-3", "0", "1.5", "366", "soon"])
def test_a_quarantine_is_not_ended_by_its_days(
    folder: Path, days: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "k", "asked the site")
    assert main(["adjudicate", "--probes", f"--days={days}"]) == 2
    assert f"`{days}` is no number of days from 1 to 365" in capsys.readouterr().err
    assert all(one.by is None for one in undecided(folder / "history"))


def test_without_probes_a_run_is_needed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adjudicate"]) == 2
    assert "adjudicate needs a RUN, or --probes" in capsys.readouterr().err


def test_the_history_is_listed_and_a_run_withdrawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2):
        append_night(folder / "history", night_of(number, labels={"K01": "probe_invalid"}))
    assert main(["history", "withdraw", "0002", "--because", "the network was ours", "--by", "Kim"]) == 0
    assert main(["history", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "web-v1 20261102-0300-0002: withdrawn by Kim: the network was ours"
    assert lines[1] == "web-v1"
    assert lines[2].startswith("  20261101-0300-0001  2026-11-01 03:00  live eu-central f1  ")
    assert lines[2].endswith("of 29 as expected, 1 left out  accepted: no gate failed")
    assert lines[3].endswith("not accepted: withdrawn by Kim: the network was ours")
    assert [night.accepted for night in read_nights(folder / "history", "web-v1")] == [True, False]
    assert main(["history", "accept", "ffff", "--because", "why"]) == 1
    assert main(["history", "accept", "0002", "--because", " "]) == 2
    assert main(["history", "list", "--history", "nowhere"]) == 1
    assert "no history in nowhere" in capsys.readouterr().err

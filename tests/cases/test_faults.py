"""Faults in corpus files and in own cases: what is read, what is refused with file and line, what identity covers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.faults import Fault
from pytest_webretrieval.cases.load import load_corpus

CORPUS = """\
version: faulty
cases:
- id: F1
  stratum: known-url
  query: What does it say?
  fixture: fixture://known/static
  live_channel: direct-fetch
  expect: success
"""


def corpus(folder: Path, *faults: str) -> Path:
    path = folder / "faulty.yaml"
    lines = "".join(f"  - {{host: 'fixture://vendor', {fault}}}\n" for fault in faults)
    path.write_text(CORPUS + ("  faults:\n" + lines if faults else ""), encoding="utf-8")
    return path


def test_faults_are_read(tmp_path: Path) -> None:
    path = corpus(
        tmp_path,
        "toxic: reset_peer, stream: upstream, first: 2",
        "toxic: limit_data, bytes: 500, by: document, path: /a, end: reset, toxicity: 0.5",
    )
    (case,) = load_corpus(path).cases
    assert case.faults == (
        Fault(toxic="reset_peer", host="fixture://vendor", stream="upstream", first=2),
        Fault(
            toxic="limit_data",
            host="fixture://vendor",
            attributes={"bytes": 500},
            by="document",
            path="/a",
            end="reset",
            toxicity=0.5,
        ),
    )
    assert [fault.label for fault in case.faults] == ["reset_peer upstream", "limit_data downstream"]


def test_identity_covers_faults_where_there_are_any(tmp_path: Path) -> None:
    plain = load_corpus(corpus(tmp_path)).identity
    timed = load_corpus(corpus(tmp_path, "toxic: timeout")).identity
    assert len({plain, timed, load_corpus(corpus(tmp_path, "toxic: timeout, timeout: 1")).identity}) == 3


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("toxic: lag", "unknown faults[0].toxic `lag`"),
        ("toxic: timeout, rate: 3", "faults[0]: `rate` is none of `timeout`, which has `timeout`"),
        ("toxic: latency", "faults[0]: `latency` does nothing without `latency` above 0"),
        ("toxic: timeout, toxicity: 2", "faults[0]: `toxicity` is a share; the most is 1"),
        ("toxic: loss, percent: 101", "faults[0]: `percent` is a share; the most is 100"),
        ("toxic: timeout, path: /a", "faults[0]: `path` needs `by: document`"),
        ("toxic: slow_close, end: reset", "faults[0]: `slow_close` ends no connection"),
        ("toxic: down, stream: upstream", "faults[0]: `down` has no `stream`"),
        ("toxic: down, by: document", "faults[0]: `down` is by connection"),
        ("toxic: loss, percent: 5, first: 1", "faults[0]: `loss` has no `first`"),
        ("toxic: timeout, first: 0", "`faults[0].first` is 0; the least is 1"),
        ("toxic: timeout, stream: sideways", "unknown faults[0].stream `sideways`"),
    ],
)
def test_what_cannot_be_is_refused_with_file_and_line(tmp_path: Path, fault: str, message: str) -> None:
    with pytest.raises(CaseError) as refused:
        load_corpus(corpus(tmp_path, fault))
    assert "faulty.yaml:10: case F1: " in str(refused.value)
    assert message in str(refused.value)

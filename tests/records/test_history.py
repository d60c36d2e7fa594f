from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_webretrieval.records.folder import FolderError
from pytest_webretrieval.records.history import (
    accept,
    append_night,
    comparable,
    corpora,
    read_nights,
    withdraw,
)

from ..gates.nights import night_of


def test_a_night_comes_back_as_it_was_and_is_there_once(tmp_path: Path) -> None:
    first, second = night_of(1), night_of(2, labels={"K01": "unsupported"}, quarantined=frozenset({"S02"}))
    assert append_night(tmp_path / "history", second)
    assert append_night(tmp_path / "history", first)
    assert not append_night(tmp_path / "history", replace(first, why="again"))
    assert read_nights(tmp_path / "history", "web-v1") == (first, second)
    assert corpora(tmp_path / "history") == ("web-v1",)
    assert read_nights(tmp_path / "history", "another") == ()


def test_a_run_that_was_stopped_and_went_on_is_one_night(tmp_path: Path) -> None:
    whole = night_of(1)
    half = replace(
        whole, cases=whole.cases[:10], missing=tuple(one.case for one in whole.cases[10:]), accepted=False
    )
    assert append_night(tmp_path, half)
    assert append_night(tmp_path, whole)
    assert not append_night(tmp_path, whole)
    assert read_nights(tmp_path, "web-v1") == (whole,)
    assert len((tmp_path / "web-v1.jsonl").read_text().splitlines()) == 2, "nothing is overwritten"


def test_a_part_that_went_on_is_one_night_and_a_whole_one_no_part_of_it(tmp_path: Path) -> None:
    whole = night_of(1)
    part = replace(whole, cases=whole.cases[:10], unasked=tuple(one.case for one in whole.cases[10:]))
    assert part.partial == "partial: 10 of 30 cases"
    assert append_night(tmp_path, part)
    assert read_nights(tmp_path, "web-v1") == (part,)
    assert append_night(tmp_path, whole)
    assert not append_night(tmp_path, part)
    assert read_nights(tmp_path, "web-v1") == (whole,)


def test_a_half_line_is_set_aside_and_the_next_night_is_whole(tmp_path: Path) -> None:
    append_night(tmp_path, night_of(1))
    path = tmp_path / "web-v1.jsonl"
    line = path.read_bytes()
    path.write_bytes(line + line[:300])
    assert read_nights(tmp_path, "web-v1") == (night_of(1),)
    append_night(tmp_path, night_of(2))
    assert read_nights(tmp_path, "web-v1") == (night_of(1), night_of(2))
    assert (tmp_path / "web-v1.jsonl.half").read_bytes() == line[:300] + b"\n"


def test_several_processes_append_one_line_a_run(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from tests.gates.nights import night_of\n"
        "from pytest_webretrieval.records.history import append_night\n"
        "for number in range(1, 11): append_night(Path(sys.argv[1]), night_of(number))\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    for process in [subprocess.Popen(command, cwd=Path(__file__).parents[2]) for _ in range(2)]:
        assert process.wait() == 0
    lines = [json.loads(line) for line in (tmp_path / "web-v1.jsonl").read_text().splitlines()]
    assert sorted(line["run"] for line in lines) == [night_of(number).run for number in range(1, 11)]


def test_people_accept_and_withdraw_in_lines_of_their_own(tmp_path: Path) -> None:
    night = replace(night_of(1), accepted=False, why="failed latency")
    append_night(tmp_path, night)
    before = (tmp_path / "web-v1.jsonl").read_text()
    said = accept(tmp_path, night.run[-4:], "Kim", "the provider was slow everywhere")
    assert (said.accepted, said.why) == (True, "accepted by Kim: the provider was slow everywhere")
    said = withdraw(tmp_path, night.run, "Sam", "it was us")
    assert read_nights(tmp_path, "web-v1") == (said,)
    assert (said.accepted, said.why) == (False, "withdrawn by Sam: it was us")
    after = (tmp_path / "web-v1.jsonl").read_text()
    assert after.startswith(before)
    assert len(after.splitlines()) == 3


def test_a_run_that_is_none_or_many_is_named(tmp_path: Path) -> None:
    append_night(tmp_path, night_of(1))
    append_night(tmp_path, replace(night_of(1), corpus="other-v1"))
    with pytest.raises(FolderError, match=r"ffff is no run of .*; there: .*20261101-0300-0001"):
        accept(tmp_path, "ffff", "Kim", "why")
    with pytest.raises(FolderError, match="0001 names more than one run"):
        accept(tmp_path, "0001", "Kim", "why")


def test_what_is_not_comparable_is_counted_by_what_sets_it_apart() -> None:
    like = night_of(9)
    nights = [
        replace(night_of(5), region="us"),
        night_of(2),
        night_of(1),
        replace(night_of(3), fingerprint="f2"),
        replace(night_of(4), fingerprint="f2", region="us"),
        like,
    ]
    found = comparable(nights, like)
    assert found.nights == (night_of(1), night_of(2))
    assert found.others == {"fingerprint f2": 1, "region us": 2}


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "history").write_text("a file", encoding="utf-8")
    with pytest.raises(FolderError, match="cannot make the history folder"):
        append_night(tmp_path / "history", night_of(1))

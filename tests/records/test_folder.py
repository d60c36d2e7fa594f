from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from pytest_webretrieval.records.folder import (
    MANIFEST,
    RESULTS,
    FolderError,
    Writer,
    find_folder,
    keep_evidence,
    make_folder,
    new_path,
    read_rows,
    set_half_lines_aside,
)
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.secrets import scrubber


def test_rows_come_back_as_they_were_written(tmp_path: Path) -> None:
    writer = Writer(tmp_path)
    writer.append(RESULTS, ({"case": "S02", "query": "找出台灣官方的颱風警報來源"},))
    writer.append(RESULTS, ({"case": "K01"}, {"case": "K02"}))
    writer.close()
    assert [row["case"] for row in read_rows(tmp_path)] == ["S02", "K01", "K02"]


def row(case: str) -> bytes:
    return json.dumps({"case": case, "key": {"case": case, "seed": 0, "trial": 0}}).encode()


def test_a_half_line_is_set_aside_and_the_whole_ones_are_kept(tmp_path: Path) -> None:
    (tmp_path / RESULTS).write_bytes(row("K01") + b"\n" + row("K02")[:25])
    assert [found["case"] for found in read_rows(tmp_path)] == ["K01"]
    set_half_lines_aside(tmp_path)
    writer = Writer(tmp_path)
    writer.append(RESULTS, (json.loads(row("K02")),))
    writer.close()
    assert [found["case"] for found in read_rows(tmp_path)] == ["K01", "K02"]
    assert (tmp_path / f"{RESULTS}.half").read_bytes() == row("K02")[:25] + b"\n"


def test_a_broken_line_in_the_middle_is_named_by_file_and_line(tmp_path: Path) -> None:
    (tmp_path / RESULTS).write_bytes(b'{"case":"K01"}\nnot json\n{"case":"K02"}\n')
    with pytest.raises(FolderError, match=rf"{RESULTS}:2: not JSON"):
        list(read_rows(tmp_path))


def test_a_full_disk_leaves_whole_lines_and_one_message(tmp_path: Path) -> None:
    script = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from pytest_webretrieval.records.folder import Writer\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "writer = Writer(Path(sys.argv[1]))\n"
        "for number in range(100): writer.append('results.jsonl', ({'case': number, 'pad': 'x' * 90},))\n"
        "print(writer.failure)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    rows = list(read_rows(tmp_path))
    assert [row["case"] for row in rows] == list(range(len(rows)))
    assert 10 < len(rows) < 25
    assert (tmp_path / RESULTS).read_bytes().endswith(b"\n")
    assert done.stdout.startswith(f"cannot write {tmp_path / RESULTS}: ")
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 2000


def test_a_folder_that_cannot_be_made_is_said_with_its_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(
        FolderError,
        match=r"cannot make the run folder .*: Not a directory; name another with --webretrieval-output",
    ):
        make_folder(new_path(tmp_path / "file", datetime(2026, 11, 29, 23, 1)))


def test_runs_are_found_by_path_name_end_and_age(tmp_path: Path) -> None:
    for name in ("20261128-0100-1111", "20261129-0100-7f3a"):
        (tmp_path / name).mkdir()
        (tmp_path / name / MANIFEST).write_text("{}", encoding="utf-8")
    assert find_folder(tmp_path, "7f3a").name == "20261129-0100-7f3a"
    assert find_folder(tmp_path, "latest").name == "20261129-0100-7f3a"
    assert find_folder(tmp_path, str(tmp_path / "20261128-0100-1111")).name == "20261128-0100-1111"
    with pytest.raises(
        FolderError, match=r"9999 is no run in .*; there: 20261128-0100-1111, 20261129-0100-7f3a"
    ):
        find_folder(tmp_path, "9999")


def test_the_latest_run_of_a_minute_is_the_one_that_began_last(tmp_path: Path) -> None:
    for second, name in enumerate(("20261129-0100-ffff", "20261129-0100-0000", "20261129-0100-7f3a")):
        (tmp_path / name).mkdir()
        manifest = tmp_path / name / MANIFEST
        manifest.write_text("{}", encoding="utf-8")
        os.utime(manifest, (second, second))
    assert find_folder(tmp_path, "latest").name == "20261129-0100-7f3a"


def test_bodies_are_kept_once_under_their_hash(tmp_path: Path) -> None:
    archive = Archive(bodies={"ab" * 32: b"page"})
    assert keep_evidence(tmp_path, "cases/c/K01/0", {"steps": []}, (archive,)) is None
    assert keep_evidence(tmp_path, "cases/c/K02/0", {"steps": []}, (archive,)) is None
    kept = [path for path in (tmp_path / "representations").rglob("*") if path.is_file()]
    assert [path.read_bytes() for path in kept] == [b"page"]


def test_secrets_of_the_environment_never_reach_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_API_KEY", "sk-canary-0123456789")
    writer = Writer(tmp_path)
    writer.append(RESULTS, ({"answer": "the key is sk-canary-0123456789."},))
    writer.write("manifest.json", {"system": "cmd: agent --key sk-canary-0123456789"})
    writer.close()
    assert keep_evidence(tmp_path, "cases/c/K01/0", {"stdout": "sk-canary-0123456789"}, ()) is None
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"canary" not in path.read_bytes(), path


def test_short_values_are_no_secrets() -> None:
    assert scrubber({"API_KEY": "page"})("a page") == "a page"
    assert scrubber({"API_KEY": "page-and-more"})("a page-and-more") == "a [redacted:API_KEY]"


def test_two_writers_of_one_file_interleave_whole_lines(tmp_path: Path) -> None:
    """As happens where a user points two runs at one folder: no line is ever broken."""
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from pytest_webretrieval.records.folder import Writer\n"
        "writer = Writer(Path(sys.argv[1]))\n"
        "for number in range(5):\n"
        "    writer.append('results.jsonl', ({'id': sys.argv[2] + str(number), 'pad': 'x' * 300_000},))\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), letter], env=dict(os.environ))
        for letter in "abcdef"
    ]
    assert [process.wait(60) for process in running] == [0] * 6
    ids = [json.loads(line)["id"] for line in (tmp_path / RESULTS).read_text(encoding="utf-8").splitlines()]
    assert len(ids) == len(set(ids)) == 30

"""What keeps a live run from beginning."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webretrieval.configuration import SMALLEST, read_live
from pytest_webretrieval.lanes.live_grounds import unready

ACCOUNT = """
[live.accounts.reader]
kind = "basic"
credential_name = "reader"
value_env = "READER_WORD"
url = "https://www.example.org/"
"""
WORD = "open sesame"
KEYS = {"TAVILY_API_KEY": "tvly-4f9aB7c2D8e1F6a3", "READER_WORD": WORD}


@pytest.fixture(autouse=True)
def in_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(text: str = SMALLEST + ACCOUNT, **environment: str) -> tuple[str, ...]:
    Path("webretrieval.toml").write_text(text, encoding="utf-8")
    return unready(read_live(Path.cwd()), KEYS | environment)


def test_nothing_where_all_is_there() -> None:
    assert said() == ()


@pytest.mark.parametrize("name", KEYS)
def test_a_secret_too_short_to_be_kept_out_of_files_is_refused_and_not_shown(name: str) -> None:
    (line,) = said(**{name: "hunter2"})
    assert line.startswith(f"{name} holds fewer than 8 characters (webretrieval.toml): ")
    assert "hunter2" not in line
    assert said(**{name: "hunter22"}) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('region = "eu-central"', f'region = "{WORD}"'),
        ("example-bot/1.0", f"example-bot/1.0 {WORD}"),
        ('credential_name = "reader"', f'credential_name = "{WORD}"'),
        ("[live.accounts.reader]", f'[live.accounts."{WORD}"]'),
    ],
)
def test_a_secret_that_stands_in_the_file_as_well_is_refused_and_not_shown(old: str, new: str) -> None:
    text = (SMALLEST + ACCOUNT).replace(old, new)
    number = next(number for number, line in enumerate(text.splitlines(), 1) if WORD in line)
    (line,) = said(text)
    assert line.startswith(f"webretrieval.toml:{number}: what READER_WORD holds stands here (not shown)")
    assert WORD not in line

"""The last look: files in which a secret got by are named, and their secrets are not."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

import pytest

from pytest_webretrieval.wire.scan import scan

VALUE = "4f1c9a7be2d84c6f9a10"
ENVIRONMENT = {"VAULT_TOKEN": VALUE}
WAYS = {
    "plain": VALUE.encode(),
    "base64": base64.b64encode(f"me:{VALUE}".encode()),
    "gzip": gzip.compress(f'{{"a": "{VALUE}"}}'.encode()),
    "within bytes": b"\xff\x00" + VALUE.encode() + b"\xfe",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_file_with_a_secret_is_named(tmp_path: Path, way: str) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(WAYS[way])
    (tmp_path / "other").write_text("nothing", encoding="utf-8")
    (line,) = scan([tmp_path], ENVIRONMENT)
    assert line.startswith(f"the secret VAULT_TOKEN stands in {tmp_path / 'deep' / 'file'}; ")
    assert VALUE not in line


def test_a_name_of_a_file_is_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / VALUE).write_text("", encoding="utf-8")
    assert len(scan([tmp_path], ENVIRONMENT)) == 1


def test_a_word_is_no_proof(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("in development", encoding="utf-8")
    assert scan([tmp_path], {"SECRET_KEY": "development"}) == []


def test_a_folder_that_is_not_there_holds_none(tmp_path: Path) -> None:
    assert scan([tmp_path / "cassettes"], ENVIRONMENT) == []

"""The same tests, by an ordinary user: user namespaces are all that one needs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import AGENTS

UID = 54321  # nobody's, and with nothing but its own home


@pytest.fixture
def home() -> Iterator[Path]:
    """Not below pytest's own temporary folders: those are closed to other users."""
    folder = Path(tempfile.mkdtemp(prefix="webretrieval-home-"))
    os.chown(folder, UID, UID)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.skipif(
    os.getuid() != 0, reason="only root can become another user; the tests ran as one already"
)
@pytest.mark.parametrize(
    "tests",
    [
        "test_power.py",
        "test_no_way_out.py",
        "test_doors.py",
        "test_endings.py -k dies",
        "test_home.py",
        "test_browser.py",
    ],
)
def test_as_an_ordinary_user(tests: str, home: Path) -> None:
    file, *options = tests.split()
    pytest_command = [
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *("--basetemp", str(home / "tests"), str(Path(__file__).parent / file), *options),
    ]
    done = subprocess.run(
        [sys.executable, str(AGENTS / "as_user.py"), str(UID), str(home), *pytest_command],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
    )
    if re.search(r"no slot can be made here", done.stdout):
        pytest.skip("this machine gives an ordinary user no namespaces")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d+ passed", done.stdout)
    assert "failed" not in done.stdout

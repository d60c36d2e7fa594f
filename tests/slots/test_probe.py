"""``webretrieval doctor`` on machines that lack something: what it says, and that slots work as far as they can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webretrieval.slots.browser import find_browser
from pytest_webretrieval.slots.probe import GOOD, MISSING, probe

DOCTOR = f"{sys.executable} -m pytest_webretrieval.cli doctor"


def on_a_machine_where(prepare: str) -> subprocess.CompletedProcess[str]:
    """The doctor after ``prepare`` was run, in namespaces that make it harmless."""
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    enter = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*enter, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine gives no user namespaces")
    return subprocess.run(
        [*enter, "sh", "-c", f"{prepare} && exec {DOCTOR}"],
        capture_output=True,
        text=True,
        check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
    )


def test_here() -> None:
    findings = {finding.name: finding for finding in probe()}
    assert findings["machine"].state == GOOD
    if findings["slots"].state == MISSING:
        assert findings["slots"].mend
    else:
        assert "first slot ready in" in findings["slots"].detail
        assert findings["trust"].state == GOOD
        assert "browser" in findings
        assert "HOME" not in findings


def test_masked_proc() -> None:
    done = on_a_machine_where("mount --bind /dev/null /proc/version")
    assert done.returncode == 0, done.stderr
    assert "limited  /proc" in done.stdout
    assert "docker run --security-opt systempaths=unconfined" in done.stdout


@pytest.mark.parametrize("name", [f"max_{kind}_namespaces" for kind in ("user", "net", "mnt", "pid")])
def test_no_namespaces(name: str) -> None:
    done = on_a_machine_where(f"echo 0 > /proc/sys/user/{name}")
    assert done.returncode == 1, done.stderr
    assert "missing  slots" in done.stdout
    assert f"sudo sysctl -w user.{name}=10000" in done.stdout
    assert not [line for line in done.stdout.splitlines() if line[9:].startswith("trust ")]
    assert "limited  proxy" in done.stdout


def test_a_file_system_in_home() -> None:
    done = on_a_machine_where("mkdir -p $HOME/.cache && mount -t tmpfs none $HOME/.cache")
    assert done.returncode == 0, done.stderr
    assert "limited  HOME" in done.stdout
    assert "HOME stays as it is: Invalid argument" in done.stdout


def test_without_a_browser() -> None:
    done = on_a_machine_where("export PATH=/nowhere")
    assert done.returncode == 0, done.stderr
    assert "limited  browser" in done.stdout
    assert "webretrieval browser" in done.stdout


@pytest.mark.skipif(find_browser(None) is None, reason="no browser is here")
def test_with_a_browser() -> None:
    (browser,) = [finding for finding in probe() if finding.name == "browser"]
    assert browser.state == GOOD
    assert "works in a slot" in browser.detail


def test_a_browser_that_cannot_start() -> None:
    program = Path(os.environ["HOME"], "chromium")
    program.write_text(
        "#!/bin/sh\n[ $1 = --version ] && exec echo Chromium 141.0.0.1\n"
        "echo error while loading shared libraries: libnss3.so >&2; exit 127\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    done = on_a_machine_where("export PATH=$HOME:$PATH")
    assert done.returncode == 0, done.stderr
    assert "does not work in a slot: error while loading shared libraries: libnss3.so" in done.stdout


def test_roots_that_cannot_be_hidden() -> None:
    done = on_a_machine_where("mount -t tmpfs none /etc/ssl/certs")
    assert done.returncode == 0, done.stderr
    assert "good     slots" in done.stdout

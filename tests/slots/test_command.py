"""Commands in a slot, on the caller's terminal."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_webretrieval.slots.command import run_command

from .conftest import Open

NET = """
import asyncio, sys
from pathlib import Path
import trustme
from pytest_webretrieval.slots.carrier import open_carrier
from pytest_webretrieval.slots.command import TERMINAL, run_command

async def main():
    carrier = await open_carrier(None, ca_pem=trustme.CA().cert_pem.bytes(), isolation="run", folder=Path.cwd())
    try:
        await carrier.imported()
        slot = await carrier.open_slot("net", terminal=TERMINAL)
        return await run_command(slot, sys.argv[1:])
    finally:
        await carrier.close()

code = asyncio.run(main())
print(f"code {code}", flush=True)
"""


def run(place: Open, *argv: str, given: bytes = b"") -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""

    async def steps(inputs: int, out: int, err: int) -> int:
        async with place(None, terminal=(inputs, out, err)) as here:
            return await run_command(here.slot, list(argv))

    inputs, out, err = os.pipe(), os.pipe(), os.pipe()
    try:
        os.write(inputs[1], given)
        os.close(inputs[1])
        code = asyncio.run(steps(inputs[0], out[1], err[1]))
        os.close(out[1])
        os.close(err[1])
        with (
            open(out[0], closefd=False, encoding="utf-8") as said,
            open(err[0], closefd=False, encoding="utf-8") as bad,
        ):
            return code, said.read(), bad.read()
    finally:
        for descriptor in (inputs[0], out[0], err[0]):
            os.close(descriptor)


@pytest.mark.parametrize(
    ("script", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -9 $$", 137)]
)
def test_the_exit_code_is_the_commands(place: Open, script: str, code: int) -> None:
    assert run(place, "sh", "-c", script)[0] == code


def test_commands_that_cannot_be_run(place: Open, tmp_path: Path) -> None:
    code, _, said = run(place, "no-such-program-anywhere")
    assert (code, said) == (127, "no-such-program-anywhere: not found\n")
    file = tmp_path / "no program"
    file.touch()
    code, _, said = run(place, str(file))
    assert code == 126
    assert "Permission denied" in said


def test_input_and_output_are_the_callers(place: Open) -> None:
    code, said, bad = run(place, "sh", "-c", "cat; echo no >&2; id -u", given=b"yes\n")
    assert (code, said, bad) == (0, f"yes\n{os.getuid()}\n", "no\n")


def test_a_command_meets_the_web(place: Open) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    assert run(place, "curl", "-sS", "https://acme.example/")[:2] == (0, "this is acme.example")


class Terminal:
    """A harness that runs a command, on a terminal of its own."""

    def __init__(self, *argv: str) -> None:
        ours, theirs = pty.openpty()
        self._screen = ours
        self.text = ""
        self.process = subprocess.Popen(
            ["setsid", "--ctty", "--wait", sys.executable, "-c", NET, *argv],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "PS1": "ready>"},
        )
        os.close(theirs)

    def type(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def read_until(self, wanted: str, timeout_s: float = 15.0) -> None:
        until = time.monotonic() + timeout_s
        while wanted not in self.text:
            left = until - time.monotonic()
            ready = select.select([self._screen], [], [], max(0, left))[0]
            assert ready, f"no {wanted!r} in {self.text!r}"
            try:
                self.text += os.read(self._screen, 4096).decode()
            except OSError:
                raise AssertionError(f"no {wanted!r} in {self.text!r}") from None

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self._screen)


def terminal(place: Open, *argv: str) -> Terminal:
    if shutil.which("setsid") is None:
        pytest.skip("setsid is not installed")

    async def once() -> None:
        async with place(None):
            pass

    asyncio.run(once())
    return Terminal(*argv)


def test_the_terminals_keys_are_the_commands(place: Open) -> None:
    screen = terminal(place, "sh", "-c", "test -t 0 && test -t 1 && echo on a terminal; exec sleep 600")
    try:
        screen.read_until("on a terminal")
        screen.type("\x03")
        screen.read_until("code 130")
        assert screen.process.wait(10) == 0
    finally:
        screen.close()


def test_a_shell_with_job_control(place: Open) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    screen = terminal(place, "bash", "--norc", "--noprofile", "-i")
    try:
        screen.read_until("ready>")
        assert "job control" not in screen.text
        screen.type("sh -c 'echo be''gun; exec sleep 600'\n")
        screen.read_until("begun")
        screen.type("\x03")
        screen.type("echo $((40 + 2))\n")
        screen.read_until("42")
        screen.type("exit 5\n")
        screen.read_until("code 5")
        assert screen.process.wait(10) == 0
    finally:
        screen.close()

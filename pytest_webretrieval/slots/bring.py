"""Bringing a browser to a machine that has none: by its distribution, else by Playwright."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from .browser import Browser, look

_UPDATE_S, _INSTALL_S, _PLAYWRIGHT_S, _ASK_S = 120.0, 300.0, 300.0, 10.0

# Each by its own name: what is run before, and what installs Chromium.
_MANAGERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "apt-get": (("update", "-qq"), ("install", "-y", "-qq", "--no-install-recommends", "chromium")),
    "dnf": ((), ("install", "-y", "-q", "chromium")),
    "apk": ((), ("add", "--no-cache", "--quiet", "chromium")),
    "pacman": ((), ("-Sy", "--noconfirm", "--needed", "--quiet", "chromium")),
}


@dataclass(frozen=True, slots=True)
class Brought:
    """``browser`` is None when there is none; ``how`` says where it came from, or why there is none."""

    browser: Browser | None
    how: str


def bring(option: str | None, environment: Mapping[str, str]) -> Brought:
    """The browser that is here, or the first that can be installed. Raises BrowserUnusable for a bad ``option``."""
    browser, reasons = look(option, environment)
    if _works(browser):
        return Brought(browser, "was here already")
    failures = list(reasons)
    for way, told in _ways(environment):
        browser, reasons = look(None, environment)
        if _works(browser):
            return Brought(browser, f"was installed by {way}")
        failures += [f"{way}: {told}", *reasons]
    return Brought(None, "; ".join(dict.fromkeys(failures)))


def _works(browser: Browser | None) -> bool:
    """One without a version could not even be asked for it: it lacks libraries."""
    return browser is not None and browser.version is not None


def _ways(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each way that there is, once it was gone, with the last that was told."""
    path = environment.get("PATH")
    managers = [name for name in _MANAGERS if shutil.which(name, path=path)]
    power = _power(environment) if managers else None
    for name in managers[:1]:
        if power is None:
            yield name, "it needs root, or sudo without a password"
            continue
        update, install = _MANAGERS[name]
        quiet = {**environment, "DEBIAN_FRONTEND": "noninteractive"}
        if update:
            _run((*power, name, *update), quiet, _UPDATE_S)
        yield name, _run((*power, name, *install), quiet, _INSTALL_S)
    libraries = ("--with-deps",) if power == () else ()
    install = (sys.executable, "-m", "playwright", "install", *libraries, "chromium")
    yield "playwright install", _run(install, environment, _PLAYWRIGHT_S)


def _power(environment: Mapping[str, str]) -> tuple[str, ...] | None:
    """What to put before a command that only root may run; None when nothing helps."""
    if os.geteuid() == 0:
        return ()
    sudo = shutil.which("sudo", path=environment.get("PATH"))
    if sudo is None or _run((sudo, "-n", "true"), environment, _ASK_S):
        return None
    return sudo, "-n", "env", "DEBIAN_FRONTEND=noninteractive"


def _run(command: Sequence[str], environment: Mapping[str, str], at_most_s: float) -> str:
    """The last line that a command printed before it failed; empty when it did not."""
    program = shutil.which(command[0], path=environment.get("PATH")) or command[0]
    with subprocess.Popen(
        [program, *command[1:]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=dict(environment),
        start_new_session=True,
    ) as process:
        try:
            said = process.communicate(timeout=at_most_s)[0].decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            return f"it took more than {at_most_s:g} s"
    if process.returncode == 0:
        return ""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1] if lines else f"it ended with {process.returncode}"

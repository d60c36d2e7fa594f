"""The browser of this machine: found by option, on PATH, or where Playwright keeps its own."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_SYSTEM = {
    "chromium": "chromium",
    "chromium-browser": "chromium",
    "google-chrome-stable": "chrome",
    "google-chrome": "chrome",
}
_VERSION_S = 20.0
_LAUNCHER = 1 << 16  # a launcher script is smaller; a browser is not
_SNAP = "is a snap: it sees neither the mounts nor the network of a slot"


class BrowserUnusable(Exception):
    """The browser that was asked for cannot be used; the message says why and how to mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """``path`` is absolute. ``kind`` is ``chromium``, ``chrome``, or ``playwright`` for one that Playwright
    installed. ``version`` is as in ``140.0.7339.16``; None when it would not say."""

    path: str
    kind: str
    version: str | None

    @property
    def major(self) -> int | None:
        return int(self.version.partition(".")[0]) if self.version else None


def find_browser(option: str | None, environment: Mapping[str, str] | None = None) -> Browser | None:
    """The browser of ``--webretrieval-browser``, else the system's, else Playwright's own; None: there is none.

    Raises BrowserUnusable for an option that leads to none.
    """
    return look(option, environment)[0]


def look(
    option: str | None, environment: Mapping[str, str] | None = None
) -> tuple[Browser | None, tuple[str, ...]]:
    """The same, with what was passed over and why, one line each."""
    environment = os.environ if environment is None else environment
    if option:
        return _asked_for(option, environment), ()
    passed_over = []
    for name, kind in _SYSTEM.items():
        found = shutil.which(name, path=environment.get("PATH"))
        if found is None:
            continue
        if _is_snap(found):
            passed_over.append(f"{found} {_SNAP}")
        elif (browser := _described(found, kind)).version is None:
            passed_over.append(f"{found} does not say its version")
        else:
            return browser, tuple(passed_over)
    for own in playwrights_own(registry(environment)):
        return _described(own, "playwright"), tuple(passed_over)
    return None, tuple(passed_over)


def registry(environment: Mapping[str, str]) -> Path | None:
    """Where Playwright keeps its browsers; None where each installed package keeps its own."""
    named = environment.get("PLAYWRIGHT_BROWSERS_PATH")
    if named == "0":
        return None
    if named:
        return Path(named)
    cache = environment.get("XDG_CACHE_HOME") or Path(home_of(environment), ".cache")
    return Path(cache, "ms-playwright")


def home_of(environment: Mapping[str, str]) -> str:
    return environment.get("HOME") or os.path.expanduser("~")


def playwrights_own(place: Path | None) -> list[str]:
    """Executables of Chromium that Playwright installed, the newest first, whole ones before headless shells."""
    if place is None:
        return []
    whole = [*place.glob("chromium-*/chrome-linux*/chrome")]
    shells = [
        *place.glob("chromium_headless_shell-*/chrome-linux*/headless_shell"),
        *place.glob("chromium_headless_shell-*/chrome-headless-shell-linux*/chrome-headless-shell"),
    ]
    return [str(path) for found in (whole, shells) for path in sorted(found, key=_revision, reverse=True)]


def _revision(path: Path) -> int:
    number = path.parent.parent.name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def _asked_for(option: str, environment: Mapping[str, str]) -> Browser:
    found = shutil.which(os.path.expanduser(option), path=environment.get("PATH"))
    if found is None:
        missing = "is no program" if Path(option).exists() else "is not there"
        raise BrowserUnusable(
            f"--webretrieval-browser: {option} {missing}; expected the path of Chromium or Chrome"
        )
    if _is_snap(found):
        raise BrowserUnusable(f"--webretrieval-browser: {option} {_SNAP}; use a package of the distribution")
    kind = "playwright" if "ms-playwright" in found else "chrome" if "chrome" in found else "chromium"
    browser = _described(str(Path(found).absolute()), kind)
    if browser.version is None:
        raise BrowserUnusable(
            f"--webretrieval-browser: {option} --version says nothing of Chromium or Chrome; "
            "Firefox and WebKit cannot be given trust"
        )
    return browser


def _described(path: str, kind: str) -> Browser:
    return Browser(path=path, kind=kind, version=_version(path, Path(path).stat().st_mtime_ns))


@functools.cache
def _version(path: str, _changed_at: int) -> str | None:
    try:
        said = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_VERSION_S,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"Chrom\D*(\d+(?:\.\d+)+)", said)
    return found[1] if found else None


def _is_snap(path: str) -> bool:
    """A link into /snap, or a small script that starts one (Ubuntu's package ``chromium-browser`` is that)."""
    real = Path(os.path.realpath(path))
    if real.is_relative_to("/snap") or Path(path).is_relative_to("/snap") or real == Path("/usr/bin/snap"):
        return True
    try:
        return real.stat().st_size < _LAUNCHER and b"/snap/bin/" in real.read_bytes()
    except OSError:
        return False

"""A folder that stands for the one in which Playwright keeps its browsers, where its own Chromium is missing.

Playwright looks for an executable at a path that its package's ``browsers.json`` gives, below
PLAYWRIGHT_BROWSERS_PATH. The shim has every such path lead to the browser of this machine, and links to what
Playwright has really installed.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from .browser import Browser, registry

# Old and new names, x64 and arm64.
_EXECUTABLES = {
    "chromium": ("chrome-linux/chrome", "chrome-linux64/chrome", "chrome-linux-arm64/chrome"),
    "chromium-headless-shell": (
        "chrome-linux/headless_shell",
        "chrome-headless-shell-linux64/chrome-headless-shell",
        "chrome-headless-shell-linux-arm64/chrome-headless-shell",
    ),
}
# Installed as a whole; and its libraries were looked for and found (they are the system's business here).
_MARKERS = ("INSTALLATION_COMPLETE", "DEPENDENCIES_VALIDATED")
_MOST_PARENTS = 8


def write_shim(
    folder: Path, browser: Browser, places: Iterable[Path], environment: Mapping[str, str]
) -> dict[str, str]:
    """The variables by which Playwright (and Puppeteer, which names the file itself) find ``browser``; none where
    they need no help. ``places`` are environments and project folders in which packages may lie."""
    found = _of_puppeteer(browser, environment)
    real = registry(environment)
    if real is None:
        return found
    missing = [
        (name, revision)
        for name, revision in dict.fromkeys(_wanted(places))
        if not _folder(real, name, revision).is_dir()
    ]
    if not missing:
        return found
    shim = folder / "browsers"
    shim.mkdir()
    for installed in real.iterdir() if real.is_dir() else ():
        (shim / installed.name).symlink_to(installed)
    for name, revision in missing:
        _lead(_folder(shim, name, revision), _EXECUTABLES[name], browser.path)
    return found | {"PLAYWRIGHT_BROWSERS_PATH": str(shim)}


def _lead(folder: Path, executables: Iterable[str], target: str) -> None:
    folder.mkdir()
    for executable in executables:
        (folder / executable).parent.mkdir(exist_ok=True)
        (folder / executable).symlink_to(target)
    for marker in _MARKERS:
        (folder / marker).touch()


def _folder(place: Path, name: str, revision: str) -> Path:
    return place / f"{name.replace('-', '_')}-{revision}"


def _wanted(places: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for file in _manifests(places):
        try:
            browsers = json.loads(file.read_text(encoding="utf-8"))["browsers"]
            rows = [(row["name"], str(row["revision"])) for row in browsers]
        except (OSError, ValueError, KeyError, TypeError):
            continue  # no package of Playwright, whatever it is
        yield from (row for row in rows if row[0] in _EXECUTABLES)


def _manifests(places: Iterable[Path]) -> Iterator[Path]:
    """``browsers.json`` of every Playwright that a system may import: of this Python, of the environments in
    ``places``, and of Node's packages in them or above them."""
    spec = importlib.util.find_spec("playwright")
    for origin in spec.submodule_search_locations or () if spec else ():
        yield Path(origin, "driver/package/browsers.json")
    for place in places:
        yield from place.glob("lib*/python*/site-packages/playwright/driver/package/browsers.json")
        for above in (place, *list(place.absolute().parents)[:_MOST_PARENTS]):
            for package in ("playwright-core", "playwright/node_modules/playwright-core"):
                file = above / "node_modules" / package / "browsers.json"
                if file.is_file():
                    yield file
        file = place / "lib/node_modules/playwright/node_modules/playwright-core/browsers.json"
        if file.is_file():
            yield file


def _of_puppeteer(browser: Browser, environment: Mapping[str, str]) -> dict[str, str]:
    cache = Path(environment.get("PUPPETEER_CACHE_DIR") or os.path.expanduser("~/.cache/puppeteer"))
    if cache.is_dir() or "PUPPETEER_EXECUTABLE_PATH" in environment:
        return {}
    return {"PUPPETEER_EXECUTABLE_PATH": browser.path}

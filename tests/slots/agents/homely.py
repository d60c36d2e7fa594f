"""A system that makes itself at home: it writes, changes and removes what it finds in HOME."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

HOME = Path(os.environ.get("HOME", "/nowhere"))

if HOME.is_dir():
    (HOME / ".by-import").write_text("import", encoding="utf-8")


def answer(prompt: str) -> object:
    way, _, rest = prompt.partition(" ")
    return globals()[way](*rest.split())


def settle(number: str) -> dict[str, object]:
    """What was there; then everything is changed."""
    found = {
        "there": sorted(os.listdir(HOME)),
        "config": (HOME / ".config/tool.conf").read_text(encoding="utf-8"),
        "cwd": os.getcwd(),
    }
    (HOME / ".config/tool.conf").write_text(f"changed by {number}", encoding="utf-8")
    (HOME / f".by-run-{number}").write_text(number, encoding="utf-8")
    (HOME / ".cache/deep/er").mkdir(parents=True)
    (HOME / "notes.txt").rename(HOME / "renamed.txt")
    (HOME / "closed.txt").chmod(0o777)
    (HOME / "doomed.txt").unlink()
    shutil.rmtree(HOME / "doomed")
    (HOME / "doomed").mkdir()
    Path(HOME, "proj", f"out-{number}").write_text(number, encoding="utf-8")
    Path(os.environ["WEBRETRIEVAL_STATE_DIR"], "state").write_text(number, encoding="utf-8")
    return found


def read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def home() -> list[object]:
    return [os.environ.get("HOME"), os.environ["WEBRETRIEVAL_STATE_DIR"]]


def write(path: str) -> str:
    try:
        Path(path).write_text("written", encoding="utf-8")
    except OSError as error:
        return type(error).__name__
    return "written"


def settle_and_hang(number: str) -> None:
    settle(number)
    import signal

    while True:
        signal.pause()

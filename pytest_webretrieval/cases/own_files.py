"""Where own cases lie: a case folder holds ``pages/https/``, and case files in it and below."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

PAGES, SCENES = "pages", "scenes"
_SUFFIXES = (".yaml", ".yml")


def case_files(folder: Path) -> tuple[Path, ...]:
    """Every YAML file of a folder and its subfolders, in order, but for those of pages and scenes."""
    return tuple(path for inner in _walk(folder, _never) for path in _yaml_in(inner))


def case_files_below(folder: Path, skipped: Callable[[str], bool]) -> tuple[Path, ...]:
    """The case files of every case folder at or below ``folder``; ``skipped`` says of a name that its folder is not
    looked into."""
    found: dict[Path, None] = {}
    for inner in _walk(folder, skipped):
        if is_case_folder(inner) and not any(path in found for path in _yaml_in(inner)):
            found |= dict.fromkeys(case_files(inner))
    return tuple(found)


def is_case_folder(folder: Path) -> bool:
    """Whether pages lie in it."""
    return (folder / PAGES / "https").is_dir()


def site_of(case_file: Path) -> Path | None:
    """The folder whose pages and scenes a case file has: its own, or the nearest one above that has any."""
    for folder in case_file.absolute().parents:
        if is_case_folder(folder) or (folder / SCENES).is_dir():
            return folder
        if (folder / ".git").exists():
            break
    return None


def _walk(folder: Path, skipped: Callable[[str], bool]) -> Iterator[Path]:
    for place, names, _ in os.walk(folder):
        names[:] = sorted(name for name in names if not _is_other(name) and not skipped(name))
        yield Path(place)


def _is_other(name: str) -> bool:
    return name in (PAGES, SCENES) or name.startswith(".")


def _never(name: str) -> bool:
    return False


def _yaml_in(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix in _SUFFIXES and path.is_file() and path.name[0] != "."
    )

"""Where case files are found, and whose pages they have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.data import corpus_paths
from pytest_webretrieval.cases.own_files import case_files, case_files_below, site_of

Write = Callable[[str, str], Path]


@pytest.fixture
def folder(write: Write, tmp_path: Path) -> Path:
    for name in (
        *(
            "cases/a.yaml",
            "cases/more/b.yml",
            "cases/pages/https/x.example/index.html",
            "cases/scenes/s/one.yaml",
        ),
        *(
            "cases/pages/https/x.example/page.serve.yaml",
            "cases/.hidden/c.yaml",
            "cases/note.txt",
            "compose.yaml",
        ),
        *("node_modules/deep/pages/https/y.example/index.html", "node_modules/deep/d.yaml"),
    ):
        write(name, "")
    return tmp_path


def names(paths: tuple[Path, ...], root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in paths]


def test_case_files_are_all_yaml_but_that_of_pages_and_scenes(folder: Path) -> None:
    assert names(case_files(folder / "cases"), folder) == ["cases/a.yaml", "cases/more/b.yml"]


def test_below_a_folder_those_of_case_folders_are_found(folder: Path) -> None:
    found = case_files_below(folder, lambda name: name == "node_modules")
    assert names(found, folder) == ["cases/a.yaml", "cases/more/b.yml"]


def test_a_case_file_has_the_nearest_site(folder: Path) -> None:
    assert site_of(folder / "cases" / "more" / "b.yml") == folder / "cases"
    assert site_of(folder / "compose.yaml") is None


def test_a_corpus_may_be_a_folder(folder: Path) -> None:
    assert names(tuple(path.resolve() for path in corpus_paths("cases/", None)), folder) == [
        "cases/a.yaml",
        "cases/more/b.yml",
    ]
    assert corpus_paths("cases", folder)
    (folder / "empty").mkdir()
    with pytest.raises(CaseError, match="empty: no case files"):
        corpus_paths("empty/", folder)

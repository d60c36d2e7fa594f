from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webretrieval.cases import data
from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.data import (
    corpus_path,
    data_roots,
    find_corpus,
    find_truth,
    own_data,
    truth_folder,
)

Write = Callable[[str, str], Path]

ROOT = Path(__file__).parents[2]


def test_in_a_checkout_the_data_lie_beside_the_package() -> None:
    assert own_data() == ROOT
    assert find_corpus("web-retrieval-v1", data_roots(None)) == ROOT / "corpus" / "web-retrieval-v1.yaml"
    assert truth_folder("web-retrieval-v1", None) == ROOT / "truth" / "web-retrieval-v1"


def test_in_a_wheel_they_lie_inside_it(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("site/package/_data/corpus/c.yaml", "")
    monkeypatch.setattr(data, "_PACKAGE", Path.cwd() / "site" / "package")
    assert own_data() == Path.cwd() / "site" / "package" / "_data"


def test_a_package_without_its_data_says_so(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("site/package/x", "")
    monkeypatch.setattr(data, "_PACKAGE", Path.cwd() / "site" / "package")
    with pytest.raises(CaseError, match="came without its corpus folder"):
        own_data()


def test_the_user_s_own_come_first(write: Write, tmp_path: Path) -> None:
    mine = write("corpus/web-retrieval-v1.yaml", "")
    assert data_roots(tmp_path) == (tmp_path, ROOT)
    assert corpus_path("web-retrieval-v1", tmp_path) == mine
    assert data_roots(ROOT) == (ROOT,)


def test_a_corpus_by_name_or_by_path(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, other = write("corpus/mine.yml", ""), write("elsewhere/cases.yaml", "")
    assert corpus_path("mine", tmp_path) == named
    assert corpus_path("elsewhere/cases.yaml", tmp_path) == Path("elsewhere/cases.yaml")
    assert corpus_path(str(other), tmp_path) == other
    monkeypatch.chdir(other.parent)
    assert corpus_path("elsewhere/cases.yaml", tmp_path) == other


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mime", "no corpus `mime`; did you mean `mine`?"),
        ("web-retrieval-v2", "no corpus `web-retrieval-v2`; did you mean `web-retrieval-v1`?"),
        ("x.yaml", "x.yaml: no such corpus file"),
        ("a/b", "a/b: no such corpus file"),
    ],
)
def test_a_corpus_that_is_not_there(write: Write, tmp_path: Path, name: str, message: str) -> None:
    write("corpus/mine.yaml", "")
    with pytest.raises(CaseError) as caught:
        corpus_path(name, tmp_path)
    assert str(caught.value) == message


def test_truth_is_looked_for_near_the_corpus_first(write: Write, tmp_path: Path) -> None:
    corpus = write("team/corpus/c.yaml", "")
    roots = (tmp_path,)
    with pytest.raises(
        CaseError, match=r"^team/corpus/c\.yaml: no truth: neither team/truth/v/ nor v\.yaml beside it$"
    ):
        find_truth("v", corpus, roots)
    at_root = write("truth/v.yaml", "")
    assert find_truth("v", corpus, roots) == at_root
    near = write("team/truth/v/A.yaml", "").parent
    assert find_truth("v", corpus, roots) == near
    assert truth_folder("v", tmp_path, corpus) == near
    assert truth_folder("v", tmp_path) == at_root

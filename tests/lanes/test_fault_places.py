"""A fault that could meet nothing is told before a run, with the file and the line of its case."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webretrieval.cases.data import corpus_paths
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.cases.own import load_own
from pytest_webretrieval.lanes.fault_places import misplaced
from pytest_webretrieval.lanes.grounds import sites_for

CASE = """
id: X
query: Q
facts: [v4.2]
faults:
- {toxic: latency, latency: 5, host: search-api}
- {toxic: reset_peer, %s}
"""


def told(folder: Path, fault: str) -> list[str]:
    pages = folder / "pages/https/docs.bramble.example"
    pages.mkdir(parents=True)
    (pages / "a.html").write_text("<p>v4.2</p>", encoding="utf-8")
    file = folder / "x.yaml"
    file.write_text(CASE % fault, encoding="utf-8")
    lines = misplaced(load_own(file).corpus.cases, sites_for([file]), [file])
    return [line.partition(f"{file}:2: case X: faults[1]: ")[2] for line in lines]


@pytest.mark.parametrize(
    "fault",
    [
        "host: docs.bramble.example",
        "host: docs.bramble.example, by: document, path: /a.html",
        "host: api.tavily.com",
        "host: api.openai.com",
        "host: fixture://vendor, by: document, path: /a",
    ],
)
def test_what_has_a_place(tmp_path: Path, fault: str) -> None:
    assert told(tmp_path, fault) == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (
            "host: nobody.test",
            "nobody is nobody.test here; expected a folder below pages/https, or an API's name",
        ),
        (
            "host: docs.brambel.example",
            "nobody is docs.brambel.example here; did you mean `docs.bramble.example`?",
        ),
        (
            "host: fixture://api.tavily.com",
            "nobody is fixture://api.tavily.com here; did you mean `api.tavily.com`?",
        ),
        (
            "host: docs.bramble.example, by: document, path: /b.html",
            "docs.bramble.example has no page /b.html; did you mean `/a.html`?",
        ),
        (
            "host: docs.bramble.example, by: document, path: /",
            "docs.bramble.example has no page /",
        ),
    ],
)
def test_what_has_none(tmp_path: Path, fault: str, said: str) -> None:
    assert told(tmp_path, fault) == [said]


def test_the_faults_of_the_package_have_one(pytestconfig: pytest.Config) -> None:
    (path,) = corpus_paths("web-retrieval-faults-v1", pytestconfig.rootpath)
    corpus, truth = load_corpus(path), pytestconfig.rootpath / "truth/web-retrieval-faults-v1"
    assert sum(len(case.faults) for case in corpus.cases) > 20
    assert list(misplaced(corpus.cases, sites_for([truth]), [truth])) == []

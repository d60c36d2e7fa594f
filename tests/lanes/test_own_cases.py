"""Whose pages own cases have, and which of these carry a fact."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixture_server.places import BUILT_IN
from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.grade.urls import compile_pattern
from pytest_webretrieval.lanes.grounds import needs_browser, scene_names, sites_for
from pytest_webretrieval.lanes.own_cases import OwnTruths, beside, own_sites

HOST = "cases/pages/https/a.example"


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    for name, text in {
        "cases/one.yaml": "id: ONE\nquery: Q\nfacts: [2026-08-21]\n",
        "cases/two.yaml": "id: TWO\nquery: Q\nfacts: [v3.2]\nstart_urls: [https://a.example/v]\ncheapest: browser\n",
        "cases/broken.yaml": "id: BROKEN\n",
        "cases/lost.yaml": "id: LOST\nquery: Q\nfacts: [x]\nstart_urls: [https://a.example/none]\n",
        "cases/scenes/shop/basket.yaml": "start_urls: []\ncheapest: browser\n",
        "cases/three.yaml": "id: THREE\nquery: Q\nfacts: [build 77]\n",
        f"{HOST}/at.serve.yaml": "asked:\n"
        "- {parameters: 'v=7&all=*', body: at.html}\n"
        "- {parameters: v=8, status: 404, body: at.html}\n"
        "- {method: POST, sent: v=7, sequence: [{body: none.html}, {body: at.html}]}\n",
        f"{HOST}/at.html": "<p>Now at build 77.</p>",
        f"{HOST}/none.html": "<p>Nothing yet.</p>",
        f"{HOST}/by.html.serve.yaml": "body: none.html\nquery: {'name=a b': {body: at.html}}\n",
        f"{HOST}/day.html": "<p>Published on 21&nbsp;August <b>2026</b>.</p>",
        f"{HOST}/day.txt": "Published: 2026-08-21",
        f"{HOST}/old.html": "<p>2026-08-21</p>",
        f"{HOST}/old.html.serve.yaml": "status: 404\n",
        f"{HOST}/near.html": "<script>2026-08-21</script><p>v3.20 of 2026-08-2</p>",
        f"{HOST}/v": "<p>Now <!--fact:TWO.fact-->v3.2<!--/-->.</p>",
        f"{HOST}/data.json": '{"version": "v3.2"}',
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "cases"


def test_sources_are_the_pages_on_which_a_fact_can_be_read(cases: Path) -> None:
    one, two = OwnTruths(cases / "one.yaml").get("ONE"), OwnTruths(cases / "two.yaml").get("TWO")
    assert one.allowed_sources == ("https://a.example/day.html", "https://a.example/day.txt")
    assert two.allowed_sources == ("https://a.example/data.json", "https://a.example/v")


def test_a_source_has_the_parameters_under_which_it_says_so(cases: Path) -> None:
    sources = OwnTruths(cases / "three.yaml").get("THREE").allowed_sources
    assert sources == (
        "https://a.example/at?v=7&all=%2A",
        "https://a.example/at",
        "https://a.example/by.html?name=a%20b",
    )
    assert compile_pattern(sources[0]).admits("https://a.example/at?v=7&all=*")
    assert not compile_pattern(sources[0]).admits("https://a.example/at?v=7")


def test_a_fact_on_no_page_and_a_case_that_is_not_there_are_errors(cases: Path) -> None:
    with pytest.raises(CaseError, match=r"no page below .*pages carries `x`"):
        OwnTruths(cases / "lost.yaml").get("LOST")
    with pytest.raises(CaseError, match="no case TWO; known: ONE"):
        OwnTruths(cases / "one.yaml").get("TWO")


def test_files_beside_lend_their_facts_where_they_are_sound(cases: Path) -> None:
    assert beside([cases / "one.yaml"]) == (cases / "three.yaml", cases / "two.yaml")
    assert own_sites([cases / "one.yaml", cases / "two.yaml"]) == (cases,)


def test_a_world_has_the_built_in_sites_and_those_beside_cases(cases: Path) -> None:
    sites = sites_for([cases / "one.yaml"])
    assert sites == (BUILT_IN, cases)
    assert {"shop/basket", "known/static"} <= scene_names(sites)


def test_what_needs_a_browser_is_said_by_the_scene_or_by_the_case(cases: Path) -> None:
    sites = sites_for([cases / "one.yaml"])
    (one,), (two,) = (load_corpus(cases / f"{name}.yaml").cases for name in ("one", "two"))
    assert (needs_browser(one, sites), needs_browser(two, sites)) == (False, True)

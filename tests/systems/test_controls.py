"""Controls of a corpus: what they see, what they say, and the table that they come to."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.cli.controls import Seen, leaks, pages_of, run, table
from pytest_webretrieval.systems.contract import Task
from pytest_webretrieval.systems.controls import PAGES, NoWeb, OraclePage, QueryOnly

ROOT = Path(__file__).parents[2]
TASK = Task(
    task_id="t",
    query="When?",
    prompt="When? https://a.example/",
    start_urls=("https://a.example/",),
    now="2026-11-30T00:00:00Z",
)


def test_the_query_alone_is_said_back() -> None:
    result = asyncio.run(QueryOnly().retrieve(TASK))
    assert (result.status, result.answer, result.claims) == ("answered", "When?", ())


def test_the_task_alone_is_said_back_with_its_start_page() -> None:
    result = asyncio.run(NoWeb().retrieve(TASK))
    assert result.answer == "When? As of 2026-11-30: https://a.example/"
    assert [cited.url for claim in result.claims for cited in claim.citations] == ["https://a.example/"]


def test_a_question_that_tells_of_a_refusal_is_declined() -> None:
    task = Task(task_id="t", query="Report the legal restriction", prompt="")
    result = asyncio.run(NoWeb().retrieve(task))
    assert result.status == "declined"
    assert result.refusal is not None
    assert result.refusal.reason == "legal_restriction"


def test_the_oracle_needs_its_pages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(PAGES, raising=False)
    with pytest.raises(KeyError):
        OraclePage()


def test_pages_are_those_of_truth_at_the_seed() -> None:
    corpus = load_corpus(ROOT / "corpus" / "web-questions-v1.yaml")
    zero, one = pages_of(corpus, 0), pages_of(corpus, 1)
    assert len(zero) == len(corpus.cases)
    assert all(pages for pages in zero.values())
    assert not any(set(pages) & set(one[query]) for query, pages in zero.items())
    several = next(case.query for case in corpus.cases if case.id == "QS04")
    assert len(zero[several]) == 2


def test_a_case_that_needs_no_web_is_named() -> None:
    def one(case: str, as_expected: bool, said: bool) -> Seen:
        return Seen(case=case, stratum="search", as_expected=as_expected, said=said)

    seen = {
        "query only": [one("A", False, False), one("B", False, True)],
        "no web": [one("A", True, False), one("B", False, True)],
        "oracle page": [one("A", True, True), one("B", True, True)],
    }
    assert leaks(seen) == {"B": ["query only", "no web"], "A": ["no web"]}
    assert list(table(seen)) == [
        "| stratum | cases | query only | no web | oracle page |",
        "| --- | --- | --- | --- | --- |",
        "| search | 2 | 0 (1) | 1 (1) | 2 (2) |",
        "| all | 2 | 0 (1) | 1 (1) | 2 (2) |",
    ]


def test_a_question_that_holds_its_answer_is_found_out(tmp_path: Path) -> None:
    """In slots, over the world's own page."""
    truth = (ROOT / "truth" / "web-retrieval-v1" / "K01.yaml").read_text(encoding="utf-8")
    (tmp_path / "truth" / "leaky-v1").mkdir(parents=True)
    for name in ("L01", "L02"):
        path = tmp_path / "truth" / "leaky-v1" / f"{name}.yaml"
        path.write_text(truth.replace("case_id: K01", f"case_id: {name}"), encoding="utf-8")
    case = {
        "stratum": "known-url",
        "fixture": "fixture://known/static",
        "live_channel": "direct-fetch",
        "expect": "success",
    }
    cases = [
        {"id": "L01", "query": "Was the notice published on 12 March 2026?", **case},
        {"id": "L02", "query": "When was the notice published?", **case},
    ]
    path = tmp_path / "corpus" / "leaky-v1.yaml"
    path.parent.mkdir()
    path.write_text(json.dumps({"version": "leaky-v1", "cases": cases}), encoding="utf-8")
    seen = {name: run(name, load_corpus(path), 0) for name in ("query only",)}
    assert leaks({**seen, "no web": []}) == {"L01": ["query only"]}
    assert not any(one.as_expected for one in seen["query only"])

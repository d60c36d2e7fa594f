from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.case import CHANNELS, STRATA, CaseError
from pytest_webretrieval.cases.load import corpus_identity, load_corpus

Write = Callable[[str, str], Path]

SHIPPED = Path(__file__).parents[2] / "corpus" / "web-retrieval-v1.yaml"
GOOD = (
    "version: mine-v1\ncases:\n"
    '  - { id: S03, stratum: search, query: "Find it", fixture: "fixture://search/fresh", '
    "live_channel: search-api, expect: success }\n"
)


def test_the_shipped_corpus_has_thirty_cases_in_five_strata() -> None:
    corpus = load_corpus(SHIPPED)
    assert corpus.version == "web-retrieval-v1"
    assert len(corpus.cases) == 30
    assert [sum(case.stratum == name for case in corpus.cases) for name in STRATA] == [6] * 5
    assert {case.expect for case in corpus.cases} == {"success", "correct_refusal"}
    assert {case.live_channel for case in corpus.cases} <= set(CHANNELS)
    assert [channel.adapter for channel in corpus.live_channels] == ["fetch", "search", "browser"]
    case = next(case for case in corpus.cases if case.id == "S02")
    assert case.query == "找出台灣官方的颱風警報來源"
    assert (case.scene, case.where.line, case.corpus) == ("search/zh-tw", 15, "web-retrieval-v1")


def test_identity_is_over_every_key_of_every_case_in_id_order() -> None:
    def one(name: str) -> dict[str, str]:
        return {"id": name, "query": "找出", "expect": "success"}

    text = '[{"expect":"success","id":"A","query":"找出"},{"expect":"success","id":"B","query":"找出"}]'
    assert corpus_identity([one("B"), one("A")]) == hashlib.sha256(text.encode()).hexdigest()


def changed(**fields: str) -> str:
    text = GOOD
    for key, value in fields.items():
        old = {"query": '"Find it"', "id": "S03", "expect": "success", "live_channel": "search-api"}.get(
            key, ""
        )
        old = old or {"stratum": "search", "fixture": '"fixture://search/fresh"'}[key]
        text = text.replace(f"{key}: {old}", f"{key}: {value}")
    return text


@pytest.mark.parametrize(
    "fields", [{"query": '"Find it."'}, {"id": "S04"}, {"expect": "partial"}, {"live_channel": "browser"}]
)
def test_every_change_of_a_case_changes_the_identity(write: Write, fields: dict[str, str]) -> None:
    before = load_corpus(write("a.yaml", GOOD)).identity
    assert load_corpus(write("b.yaml", changed(**fields))).identity != before


def test_layout_comments_and_order_do_not_change_the_identity(write: Write) -> None:
    flow = load_corpus(write("a.yaml", GOOD)).identity
    block = (
        "# a comment\nversion: other-name\ncases:\n- fixture: fixture://search/fresh\n  id: S03\n"
        "  expect: success\n  query: Find it\n  live_channel: search-api\n  stratum: search\n"
    )
    assert load_corpus(write("b.yaml", block)).identity == flow


CASE = "c.yaml:3: case S03: "
BAD = [
    (
        GOOD.replace("live_channel", "live_chanel"),
        CASE + "unknown key `live_chanel`; did you mean `live_channel`?",
    ),
    (changed(expect="succes"), CASE + "unknown expect `succes`; did you mean `success`?"),
    (changed(expect="infra_error"), CASE + "unknown expect `infra_error`"),
    (changed(stratum="serch"), CASE + "unknown stratum `serch`; did you mean `search`?"),
    (
        changed(live_channel="search_api"),
        CASE + "unknown live_channel `search_api`; did you mean `search-api`?",
    ),
    (changed(query='""'), CASE + "`query` is empty"),
    (changed(query="null"), CASE + '`query` is null; write "null" in quotes if that word is meant'),
    (changed(query="[a]"), CASE + "`query` must be text, not a list"),
    (changed(fixture="search/fresh"), CASE + "`fixture` is `search/fresh`: write fixture://stratum/scene"),
    (changed(id='"a b"'), "c.yaml:3: case a b: `id` is `a b`: use letters, digits, `.`, `_` and `-`"),
    (GOOD.replace("id: S03, ", ""), "c.yaml:3: case number 1: missing key `id`"),
    (GOOD.replace("expect: success ", ""), CASE + "missing key `expect`"),
    (GOOD + GOOD.splitlines()[2] + "\n", "c.yaml:4: case S03: is already at line 3"),
    (
        GOOD + GOOD.splitlines()[2].replace("S03", "s03") + "\n",
        "c.yaml:4: case s03: differs only in capitals from S03",
    ),
    (GOOD.replace("version: mine-v1\n", ""), "c.yaml:1: missing key `version`"),
    (GOOD.replace("mine-v1", "../up"), "c.yaml:1: `version` is `../up`: use letters"),
    ("version: x\ncases: []\n", "c.yaml:2: `cases` is an empty list"),
    ("version: x\ncases: {a: 1}\n", "c.yaml:2: `cases` must be a list, not a mapping"),
    ("version: x\ncases: [a]\n", "c.yaml:2: case number 1: `case` must be a mapping of keys, not `a`"),
    ("- a\n", "c.yaml:1: `` must be a mapping of keys, not a list"),
    ("version: x\ncase: []\n", "c.yaml:1: missing key `cases`"),
    (
        GOOD + "live_channels:\n  - {id: browser, adapter: browser, required: yes}\n",
        "c.yaml:5: `live_channels[0].required` must be true or false, not `yes`",
    ),
]


@pytest.mark.parametrize(("text", "first"), BAD, ids=range(len(BAD)))
def test_bad_corpora_say_where_and_what(write: Write, text: str, first: str) -> None:
    with pytest.raises(CaseError) as caught:
        load_corpus(write("c.yaml", text))
    assert caught.value.problems[0].startswith(first)


def test_all_problems_are_reported_at_once_in_file_order(write: Write) -> None:
    text = GOOD + GOOD.splitlines()[2].replace("S03", "S04").replace("success", "sucess") + "\n"
    with pytest.raises(CaseError) as caught:
        load_corpus(write("c.yaml", text.replace("stratum: search", "stratum: serch", 1)))
    assert [line.split(":")[1] for line in caught.value.problems] == ["3", "4"]


def test_labels_may_be_written_with_hyphens(write: Write) -> None:
    corpus = load_corpus(write("c.yaml", changed(expect="correct-refusal")))
    assert corpus.cases[0].expect == "correct_refusal"


def test_ten_thousand_cases_are_read_in_time(write: Write) -> None:
    lines = [GOOD.splitlines()[2].replace("S03", f"C{number:05}") for number in range(10_000)]
    path = write("c.yaml", "version: big\ncases:\n" + "\n".join(lines) + "\n")
    began = time.process_time()
    assert len(load_corpus(path).cases) == 10_000
    assert time.process_time() - began < 2.5


@given(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc", "Cn"], exclude_characters="\u2028\u2029"), min_size=1
    )
)
def test_a_query_comes_back_word_for_word(query: str) -> None:
    Path("q.yaml").write_text(
        changed(query=json.dumps(query, ensure_ascii=False)), encoding="utf-8", newline="\n"
    )
    assert load_corpus(Path("q.yaml")).cases[0].query == query

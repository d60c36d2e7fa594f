"""Files of own cases: what a few keys come to, every mistake with its line, the schema and the loader of one mind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.cases.lock import check_corpus_lock, write_corpus_lock
from pytest_webretrieval.cases.own import FORBIDDEN, is_own_file, load_own
from pytest_webretrieval.cases.truth import ALWAYS, Fact
from pytest_webretrieval.cases.typed import schema
from pytest_webretrieval.grade.tags import FORBIDDEN_ACTIONS

from .test_schemas import EditorLoader

Write = Callable[[str, str], Path]
ONE = """\
id: FIRST
query: Which version is stable?
start_urls: ["https://docs.vendor.example/releases?of=acme"]
facts: ["4.2.1", {id: day, value: 2026-08-21}]
wrong_values: [5.0]
"""


def problems(path: Path) -> tuple[str, ...]:
    with pytest.raises(CaseError) as error:
        load_own(path)
    return error.value.problems


def test_a_few_keys_come_to_a_whole_case(write: Write) -> None:
    own = load_own(write("cases/mine.yaml", ONE))
    (case,) = own.corpus.cases
    assert (case.id, case.corpus, case.stratum, case.live_channel, case.expect) == (
        *("FIRST", "mine", "known-url", "direct-fetch", "success"),
    )
    assert own.corpus.own
    truth = own.truths["FIRST"]
    assert truth.facts == (Fact(id="fact-1", value="4.2.1"), Fact(id="day", value="2026-08-21", match="date"))
    assert truth.steps[0].wrong_values == (Fact(id="wrong", value="5.0"),)
    assert truth.forbidden_actions == FORBIDDEN
    assert truth.valid_at == truth.recorded_at == ALWAYS
    assert not truth.allowed_sources  # those that carry a fact
    assert not any(getattr(truth.max_budget, name) for name in truth.max_budget.__slots__)
    (scene,) = own.scenes
    assert (scene.name, scene.cheapest) == (case.scene, "direct-fetch")
    assert scene.start_urls == ("fixture://docs.vendor.example/releases?of=acme",)


def test_what_is_right_may_stand_in_the_steps_alone(write: Write) -> None:
    steps = "steps:\n- expected_facts: [{id: old, value: 4.1}]\n- expected_facts: [{id: new, value: 4.2}]\n"
    own = load_own(write("a.yaml", f"{CASE}scene: s/known\nallowed_sources: [https://a.example/]\n{steps}"))
    (truth,) = own.truths.values()
    assert [[fact.value for fact in step.expected_facts] for step in truth.steps] == [["4.1"], ["4.2"]]


def test_what_is_forbidden_is_all_that_can_be() -> None:
    assert set(FORBIDDEN) == set(FORBIDDEN_ACTIONS)


@pytest.mark.parametrize(
    ("more", "stratum", "channel", "expect"),
    [
        ("facts: [a]", "search", "search-api", "success"),
        ("facts: [a]\nstart_urls: [https://a.example]", "known-url", "direct-fetch", "success"),
        (
            "facts: [a]\nstart_urls: [https://a.example/]\ncheapest: browser",
            "known-url",
            "browser",
            "success",
        ),
        ("facts: [a]\nscene: shop/basket\nstratum: auth", "auth", "browser", "success"),
        ("refusal_reasons: [gone]", "search", "search-api", "correct_refusal"),
        ("refusal_reasons: [gone]\nfacts: [a]", "search", "search-api", "success"),
        ("facts: [a]\nexpect: no-answer", "search", "search-api", "no_answer"),
    ],
)
def test_what_is_left_out_follows_from_the_rest(
    write: Write, more: str, stratum: str, channel: str, expect: str
) -> None:
    (case,) = load_own(write("a.yaml", f"id: A\nquery: Q\n{more}\n")).corpus.cases
    assert (case.stratum, case.live_channel, case.expect) == (stratum, channel, expect)


def test_a_scene_of_a_file_is_taken_as_it_is(write: Write) -> None:
    own = load_own(write("a.yaml", "id: A\nquery: Q\nfacts: [a]\nscene: shop/basket\n"))
    assert own.corpus.cases[0].fixture == "fixture://shop/basket"
    assert own.scenes == ()


def test_a_draft_is_a_case_without_truth(write: Write) -> None:
    own = load_own(
        write("a.yaml", "cases:\n- {id: A, query: Q, draft: true}\n- {id: B, query: Q, facts: [x]}\n")
    )
    assert [case.draft for case in own.corpus.cases] == [True, False]
    assert set(own.truths) == {"B"}


CASE = "id: A\nquery: Q\n"
# what the file holds, the line of the mistake, and what the error says of it
WRONG = [
    (CASE, 1, "has neither facts nor refusal_reasons, so nothing could be right"),
    ("id: A\nqeury: Q\nquery: Q\n", 2, "unknown key `qeury`; did you mean `query`?"),
    (CASE + "facts:\n- x\n- {value: y, mach: z}\n", 5, "unknown key `mach`; did you mean `match`?"),
    (CASE + "facts: [null]\n", 3, "`facts[0]` is null"),
    (CASE + "facts: [x]\nwrong_values:\n  - x\n", 5, "`wrong_values[0].value` is `x`, which stands in"),
    (CASE + "facts: [{value: 2026-02-30}]\n", 3, "`facts[0].value` is `2026-02-30`: match: date needs"),
    (CASE + "facts: [x]\nbudget: {request: 1}\n", 4, "unknown key `request`; did you mean `requests`?"),
    (CASE + "start_urls: [http://a.example/]\n", 3, "`start_urls[0]` is `http://a.example/`: write https://"),
    (CASE + "scene: s\ncheapest: browser\n", 4, "`cheapest` stands beside `scene`"),
    (CASE + "facts: [x]\nexpect: correct-refusal\n", 1, "expects correct-refusal, but there are no"),
    (CASE + "refusal_reasons: [gone]\nexpect: success\n", 1, "expects success, but there are no `facts`"),
    (
        CASE + "steps: [{expected_facts: [{id: x, value: y}]}]\nfacts: [z]\n",
        4,
        "`facts` stands beside `steps`",
    ),
]


@pytest.mark.parametrize(("text", "line", "says"), WRONG, ids=[says[:40] for *_, says in WRONG])
def test_a_mistake_is_named_with_its_line(write: Write, text: str, line: int, says: str) -> None:
    (problem,) = problems(write("a.yaml", text))
    assert problem.startswith(f"a.yaml:{line}: case A: {says}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "cases:\n- {id: A, query: Q, facts: [x]}\n- {id: a, query: Q, facts: [x]}\n",
            "a.yaml:3: case a: differs only in capitals from A at line 2",
        ),
        (
            "cases: [{id: A, query: Q, facts: [x]}]\nid: B\n",
            "a.yaml:2: key `id` stands beside `cases`; move it into a case",
        ),
    ],
)
def test_a_mistake_between_cases_is_too(write: Write, text: str, says: str) -> None:
    assert problems(write("a.yaml", text)) == (says,)


def test_every_mistake_of_a_file_is_told(write: Write) -> None:
    found = problems(write("a.yaml", "cases:\n- {id: A, query: Q}\n- {id: B, query: Q}\n"))
    assert [line.partition(": has")[0] for line in found] == ["a.yaml:2: case A", "a.yaml:3: case B"]


def test_a_file_is_named_so_that_its_cases_can_be(write: Write) -> None:
    assert "my cases.yaml: the file's name names its cases" in problems(write("my cases.yaml", ONE))[0]


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (ONE, True),
        ("cases: [{id: A, query: Q}]", True),
        ("cases: [{id: A, query: Q, fixture: fixture://a/b}]", False),  # a corpus that forgot its version
        ("version: v\ncases: [{id: A, query: Q}]", False),
        ("case_id: A\nid: B", False),
        ("cases: []", False),
        ("- a", False),
    ],
)
def test_own_cases_are_told_from_a_corpus_and_from_truth(write: Write, text: str, own: bool) -> None:
    assert is_own_file(write("a.yaml", text)) == own


def test_own_cases_can_be_locked(write: Write) -> None:
    path = write("mine.yaml", ONE)
    write_corpus_lock(load_corpus(path))
    assert check_corpus_lock(load_corpus(path)) == "locked"
    changed = load_corpus(write("mine.yaml", ONE.replace("4.2.1", "4.2.2")))
    with pytest.raises(
        CaseError, match=r"undo the change, or give mine\.yaml a new name, which is its version"
    ):
        check_corpus_lock(changed)


REGISTRY = Registry().with_resources(
    (f"{name}.schema.json", DRAFT202012.create_resource(schema(name))) for name in ("truth", "corpus")
)
EDITS = [
    *(
        "",
        "query: Which version is stable?\n",
        "id: FIRST",
        '"4.2.1"',
        "{id: day, value: 2026-08-21}",
        "https://",
    ),
    *("wrong_values: [5.0]", "docs.vendor.example"),
]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("new", ["", "{x: 1}", "null", "-1"])
def test_editors_and_the_loader_say_the_same(write: Write, edit: str, new: str) -> None:
    text = ONE.replace(edit, new, 1) if edit else ONE
    try:
        load_own(write("a.yaml", text))
        loads = True
    except CaseError:
        loads = False
    validator = Draft202012Validator(schema("own"), registry=REGISTRY)
    says = validator.is_valid(_read(text))
    assert says or not loads  # what the loader takes fits the schema
    assert loads or not says or _beyond_schemas(text)


def _read(text: str) -> object:
    try:
        return yaml.load(text, Loader=EditorLoader)
    except yaml.YAMLError:
        return None


def _beyond_schemas(text: str) -> bool:
    """What only the loader can see: values that do not fit each other, or YAML that it does not read."""
    return "x: 1" in text or "-1" in text


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema("own"))

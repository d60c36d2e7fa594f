from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.load import (
    TruthStore,
    load_corpus,
    load_truth,
    load_truth_file,
    load_truths,
    resolve,
)
from pytest_webretrieval.cases.truth import Budget, Fact

Write = Callable[[str, str], Path]

ROOT = Path(__file__).parents[2]

# One case with one version; line 4 is where the version begins.
GOOD = """\
case_id: S03
# a comment
versions:
  - valid_at: 2026-08-21T00:00:00Z
    recorded_at: 2026-08-21T09:30:00Z
    reason: first adjudication
    adjudicated_by: human
    evidence_url: fixture://vendor/releases/current
    expected_facts:
      - {id: release-version, value: v3.2, match: exact, draw: version}
    wrong_values:
      - {id: old-version, value: v3.1, draw: "before:release-version"}
    allowed_sources: ["fixture://vendor/releases/*"]
    forbidden_actions: [use-stale-cache, cite-search-snippet]
    freshness_window_s: 86400
    max_budget: {requests: 6, cost_usd: 0.25}
"""
SECOND = """\
  - valid_at: 2026-09-01T00:00:00+02:00
    recorded_at: 2026-09-02T00:00:00Z
    reason: a new release
    adjudicated_by: human
    expected_facts:
      - {id: release-version, value: v3.3}
    allowed_sources: ["fixture://vendor/releases/*"]
    forbidden_actions: [use-stale-cache, cite-search-snippet]
    freshness_window_s: 86400
    max_budget: {}
"""
STEPS = """\
case_id: K04
valid_at: 2026-08-21T00:00:00Z
recorded_at: 2026-08-21T00:00:00Z
reason: first
adjudicated_by: human
user: ada
deadline_s: 12.5
steps:
  - state: filled
    expected_facts: [{id: now, value: v1.4, draw: "before:next"}]
  - user: null
    states: [changed, unchanged]
    must_validate: true
    deadline_s: 5
    expected_facts: [{id: now, value: v1.4, draw: "before:next"}]
    when:
      changed:
        expected_facts: [{id: next, value: v1.5, draw: version}]
        wrong_values: [{id: now, value: v1.4, draw: "before:next"}]
allowed_sources: ["fixture://vendor/a"]
forbidden_actions: [use-stale-cache]
freshness_window_s: 60
max_budget: {}
"""


def test_a_version_with_its_defaults(write: Write) -> None:
    (truth,) = load_truth(write("S03.yaml", GOOD))
    assert truth.case_id == "S03"
    assert truth.valid_at == datetime(2026, 8, 21, tzinfo=UTC)
    assert truth.facts == (Fact(id="release-version", value="v3.2", match="exact", draw="version"),)
    assert truth.steps[0].wrong_values[0].match == "exact"
    assert truth.max_budget == Budget(requests=6, cost_usd=0.25)
    assert (truth.min_sources, truth.answer_max_chars, truth.refusal_reasons) == (1, 1500, ())
    assert (truth.steps[0].state, truth.steps[0].deadline_s, truth.steps[0].user) == ("initial", 30.0, None)
    assert (truth.where.path.name, truth.where.line) == ("S03.yaml", 4)


def test_steps_states_and_what_they_take_from_the_whole(write: Write) -> None:
    (truth,) = load_truth(write("K04.yaml", STEPS))
    first, second = truth.steps
    assert (first.user, first.state, first.deadline_s, first.must_validate) == ("ada", "filled", 12.5, False)
    assert (second.user, second.state, second.deadline_s) == (None, "changed", 5.0)
    assert second.states == ("changed", "unchanged")
    changed = second.when["changed"]
    assert [fact.id for fact in changed.expected_facts] == ["next"]
    assert [fact.id for fact in changed.wrong_values] == ["now"]
    assert changed.must_validate


def test_a_lone_version_may_stand_beside_the_case(write: Write) -> None:
    lines = GOOD.splitlines()
    lone = "\n".join([lines[0], *(line[4:] for line in lines[3:])]) + "\n"
    assert load_truth(write("S03.yaml", lone))[0].sha256 == load_truth(write("S04.yaml", GOOD))[0].sha256


def test_many_cases_in_one_file(write: Write) -> None:
    entry = "  - " + "\n    ".join(GOOD.splitlines()) + "\n"
    text = "truths:\n" + entry + entry.replace("S03", "S04")
    path = write("truth/many.yaml", text)
    assert sorted(load_truth_file(path)) == ["S03", "S04"]
    assert TruthStore(path).get("S04").facts[0].value == "v3.2"
    assert set(load_truths(path)) == {"S03", "S04"}
    with pytest.raises(CaseError, match=r"^truth/many\.yaml:1: holds the truth of 2 cases, not of one$"):
        load_truth(path)


@pytest.mark.parametrize(
    ("now", "value"),
    [
        ("2026-08-20T23:59:59Z", None),
        ("2026-08-21T00:00:00Z", "v3.2"),
        ("2026-08-31T21:59:59Z", "v3.2"),
        ("2026-08-31T22:00:00Z", "v3.3"),
        ("2030-01-01T00:00:00Z", "v3.3"),
    ],
)
def test_in_force_is_what_was_recorded_last_among_the_valid(
    write: Write, now: str, value: str | None
) -> None:
    moment = datetime.fromisoformat(now)
    versions = load_truth(write("t/S03.yaml", GOOD + SECOND))
    found = resolve(versions, moment)
    assert (found.facts[0].value if found else None) == value
    assert {name: truth.facts[0].value for name, truth in load_truths(Path("t"), moment).items()} == (
        {"S03": value} if value else {}
    )


def test_a_later_recorded_version_that_was_valid_before_wins(write: Write) -> None:
    text = GOOD + SECOND.replace("2026-09-01T00:00:00+02:00", "2026-01-01T00:00:00Z")
    found = resolve(load_truth(write("S03.yaml", text)), datetime(2026, 10, 1, tzinfo=UTC))
    assert found is not None
    assert found.facts[0].value == "v3.3"


def test_the_store_reads_a_case_at_first_use_only(write: Write) -> None:
    write("t/S03.yaml", GOOD)
    write("t/S04.yaml", "not: truth\n")
    store = TruthStore(Path("t"))
    assert store.case_ids() == ("S03", "S04")
    assert store.get("S03").facts[0].value == "v3.2"
    write("t/S03.yaml", "broken: now\n")
    assert store.get("S03").facts[0].value == "v3.2"
    with pytest.raises(CaseError, match=r"^t/S04\.yaml:1: missing key `case_id`"):
        store.get("S04")


def test_a_case_without_truth_is_an_error_of_its_own(write: Write) -> None:
    write("t/S03.yaml", GOOD)
    store = TruthStore(Path("t"))
    corpus = load_corpus(ROOT / "corpus" / "web-retrieval-v1.yaml")
    assert "S03" not in {case.id for case in store.missing(corpus.cases)}
    assert len(store.missing(corpus.cases)) == 29
    with pytest.raises(CaseError) as caught:
        store.get("D01")
    assert str(caught.value) == "t/D01.yaml: case D01 has no truth; write it, or deselect the case"


def test_a_truth_of_the_future_is_named(write: Write) -> None:
    write("t/S03.yaml", GOOD)
    with pytest.raises(CaseError) as caught:
        TruthStore(Path("t"), datetime(2026, 1, 1, tzinfo=UTC)).get("S03")
    assert str(caught.value) == "t/S03.yaml:4: case S03: valid only from 2026-08-21T00:00:00Z on"


def test_a_file_with_the_name_of_another_case(write: Write) -> None:
    write("t/S04.yaml", GOOD)
    with pytest.raises(CaseError) as caught:
        TruthStore(Path("t")).get("S04")
    assert str(caught.value) == "t/S04.yaml:1: holds case S03; the file name says S04"


FACT = "      - {id: release-version, value: v3.2, match: exact, draw: version}"


def fact(text: str) -> str:
    return GOOD.replace(FACT, f"      - {{{text}}}").replace('draw: "before:release-version"', "draw: fixed")


BAD = [
    # the shape
    (
        GOOD.replace("valid_at", "valid_from"),
        "4: case S03: unknown key `valid_from`; did you mean `valid_at`?",
    ),
    (GOOD.replace("case_id: S03\n", ""), "2: missing key `case_id`"),
    (GOOD.replace("S03", "S 03"), "1: `case_id` is `S 03`: use letters, digits"),
    (
        GOOD + "valid_at: 2026-08-21T00:00:00Z\n",
        "17: case S03: key `valid_at` stands beside `versions`; move it",
    ),
    (GOOD.replace("versions", "version"), "1: case S03: missing keys `valid_at`, `recorded_at`"),
    ("- a\n", "1: a truth file is a mapping with `case_id`"),
    ("case_id: A\nversions: []\n", "2: case A: `versions` must be a list, and not empty"),
    ("truths: []\n", "1: `truths` must be a list of cases, and not empty"),
    (
        GOOD.replace("2026-08-21T09:30:00Z", "2026-08-21"),
        "5: case S03: `recorded_at` is `2026-08-21`: write a time",
    ),
    (
        GOOD.replace("2026-08-21T09:30:00Z", "2026-02-30T00:00:00Z"),
        "5: case S03: `recorded_at` is `2026-02-30T00",
    ),
    (
        GOOD.replace("86400", "1_000"),
        "15: case S03: `freshness_window_s` must be a number in plain digits, not",
    ),
    (GOOD.replace("86400", "0"), "15: case S03: `freshness_window_s` is 0; it must be above 0"),
    (
        GOOD.replace("requests: 6", "requests: many"),
        "16: case S03: `max_budget.requests` must be a whole number",
    ),
    (GOOD.replace("requests", "request"), "16: case S03: unknown key `request`; did you mean `requests`?"),
    (
        GOOD.replace("[use-stale-cache, cite-search-snippet]", "[]"),
        "14: case S03: `forbidden_actions` is an empty",
    ),
    # facts
    (fact("id: a, value: null"), '10: case S03: `expected_facts[0].value` is null; write "null" in quotes'),
    (fact("id: a, value: ''"), "10: case S03: `expected_facts[0].value` is empty"),
    (fact("id: a, value: ' '"), "10: case S03: `expected_facts[0].value` is ` `: it is empty"),
    (
        fact("id: a, value: 'x '"),
        "10: case S03: `expected_facts[0].value` is `x `: it begins or ends with a blank",
    ),
    (fact("id: a"), "10: case S03: missing key `value`"),
    (
        fact("id: a, value: x, match: exakt"),
        "10: case S03: unknown expected_facts[0].match `exakt`; did you mean",
    ),
    (
        fact("id: a, value: 5 May, match: date"),
        "10: case S03: `expected_facts[0].value` is `5 May`: match: date",
    ),
    (
        fact("id: a, value: many, match: number"),
        "10: case S03: `expected_facts[0].value` is `many`: match: number",
    ),
    (
        fact("id: a, value: x, match: url"),
        "10: case S03: `expected_facts[0].value` is `x`: begin with fixture://",
    ),
    (
        fact("id: a, value: x, draw: number"),
        "10: case S03: `expected_facts[0].value` is `x`: draw: number needs",
    ),
    (
        fact("id: a, value: x, draw: random"),
        "10: case S03: `expected_facts[0].draw` is `random`: one of fixed, vers",
    ),
    (
        fact("id: a, value: Привет, draw: title"),
        "10: case S03: `expected_facts[0].value` is `Привет`: draw: title knows",
    ),
    (
        fact("id: a, value: v3, draw: 'before:b'"),
        "10: case S03: `expected_facts[0].draw`: no fact `b` in this case",
    ),
    (
        fact("id: a, value: about v3.1 now"),
        "12: case S03: `wrong_values[0].value` is `v3.1`, which stands in",
    ),
    (
        fact("id: a, value: x, aliases: [v3.1]"),
        "12: case S03: `wrong_values[0].value` is `v3.1`, which stands in",
    ),
    (
        fact("id: old-version, value: v9"),
        "12: case S03: `wrong_values[0].id`: `old-version` is written differently",
    ),
    (
        GOOD.replace(FACT, FACT + "\n" + FACT),
        "11: case S03: `expected_facts[1].id`: `release-version` is in this list",
    ),
    (
        GOOD.replace("value: v3.1,", "value: v3.4,"),
        "12: case S03: `wrong_values[0].draw`: v3.4 is not below v3.2",
    ),
    (
        GOOD.replace("draw: version}", 'draw: "before:old-version"}'),
        "10: case S03: `expected_facts[0].draw`: the facts wait for each other in a circle",
    ),
    (
        "\n".join(line for line in GOOD.splitlines() if "_facts" not in line and line != FACT).replace(
            "before:release-version", "version"
        ),
        "4: case S03: has neither expected_facts nor refusal_reasons, so nothing could be right",
    ),
    (
        GOOD + "    refusal_reasons: [paywall]\n",
        "17: case S03: unknown refusal_reasons[0] `paywall`; known: unsupp",
    ),
    # sources
    (
        GOOD.replace('"fixture://vendor/releases/*"', ""),
        "13: case S03: `allowed_sources` is empty, so no citation",
    ),
    (
        GOOD.replace("releases/*", "rel*"),
        "13: case S03: `allowed_sources[0]` is `fixture://vendor/rel*`: under fixture",
    ),
    (
        GOOD.replace("fixture://vendor/releases/*", "vendor/*"),
        "13: case S03: `allowed_sources[0]` is `vendor/*`: begin",
    ),
    (
        GOOD.replace("//vendor/releases/*", "//ven dor/"),
        "13: case S03: `allowed_sources[0]` is `fixture://ven dor/`: a",
    ),
    (
        GOOD + '    known_copies: ["fixture://vendor/releases/*"]\n',
        "17: case S03: `known_copies[0]` is `fixture://ve",
    ),
    (
        GOOD.replace("releases/*", "a") + "    min_sources: 2\n",
        "17: case S03: `min_sources` is 2, but only 1 pages",
    ),
    (
        GOOD.replace("fixture://vendor/releases/current", "ftp://x/y"),
        "8: case S03: `evidence_url` is `ftp://x/y`: beg",
    ),
    # versions and steps
    (
        GOOD + SECOND.replace("2026-09-02", "2026-08-02"),
        "17: case S03: is not recorded after the version at line 4",
    ),
    (
        STEPS + "expected_facts: []\n",
        "24: case K04: `expected_facts` stands beside `steps`; move it into a step",
    ),
    (
        STEPS.replace("user: null", "state: x"),
        "11: case K04: `steps[1].state` stands beside `states`; the seed",
    ),
    (
        STEPS.replace("      changed:", "      chnged:"),
        "17: case K04: `steps[1].when.chnged`: the step has no such state",
    ),
    (
        STEPS.replace("[changed, unchanged]", "[changed, changed]"),
        "12: case K04: `steps[1].states` names a state twice",
    ),
]


@pytest.mark.parametrize(("text", "first"), BAD, ids=range(len(BAD)))
def test_bad_truth_says_where_and_what(write: Write, text: str, first: str) -> None:
    with pytest.raises(CaseError) as caught:
        load_truth(write("t.yaml", text))
    assert caught.value.problems[0].startswith(f"t.yaml:{first}")


def test_the_text_none_is_a_value(write: Write) -> None:
    (truth,) = load_truth(write("t.yaml", fact("id: a, value: None, aliases: [3.10, no]")))
    assert truth.facts[0].value == "None"
    assert truth.facts[0].aliases == ("3.10", "no")


def test_every_truth_file_of_the_project_loads() -> None:
    folder = ROOT / "truth" / "web-retrieval-v1"
    store = TruthStore(folder)
    assert store.case_ids()
    for case_id in store.case_ids():
        assert store.get(case_id).case_id == case_id

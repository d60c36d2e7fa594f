"""The JSON Schemas that editors use and the loader say the same of the same file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from pytest_webretrieval.cases.case import CHANNELS, EXPECTABLE, STRATA, CaseError
from pytest_webretrieval.cases.draw_kinds import KINDS
from pytest_webretrieval.cases.load import load_corpus, load_truth_file
from pytest_webretrieval.cases.truth import REFUSAL_REASONS
from pytest_webretrieval.cases.typed import schema
from pytest_webretrieval.grade.label import LABELS
from pytest_webretrieval.grade.values import KINDS as MATCHES

Write = Callable[[str, str], Path]

ROOT = Path(__file__).parents[2]


class EditorLoader(yaml.SafeLoader):
    """YAML 1.2's core schema, as editors read it: no times, no sexagesimals, no yes and no."""


EditorLoader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
):
    EditorLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))


def schema_says(name: str, text: str) -> bool:
    return bool(Draft202012Validator(schema(name)).is_valid(yaml.load(text, Loader=EditorLoader)))


def loader_says(load: Callable[[Path], Any], path: Path) -> bool:
    try:
        load(path)
    except CaseError:
        return False
    return True


CORPUS = (
    "version: v\nlive_channels: [{id: browser, adapter: browser, required: true}]\ncases:\n"
    "  - {id: A1, stratum: search, query: Find it, fixture: fixture://search/a, live_channel: browser, "
    "expect: success}\n"
)
TRUTH = """\
case_id: A1
versions:
  - valid_at: 2026-08-21T00:00:00Z
    recorded_at: "2026-08-21T09:30:00+02:00"
    reason: first
    adjudicated_by: human
    evidence_url: https://a.example/x
    expected_facts: [{id: a, value: 3.10, match: exact, draw: version, aliases: [x, 3.1], unit: m}]
    wrong_values: [{id: b, value: v1, draw: "before:a"}]
    allowed_sources: ["fixture://vendor/releases/*"]
    known_copies: []
    refusal_reasons: [no_result]
    forbidden_actions: [use-stale-cache]
    freshness_window_s: 1.5
    min_sources: 1
    must_validate: true
    user: null
    deadline_s: 30
    answer_max_chars: 100
    max_extra_claims: 0
    max_budget: {requests: 0, bytes: null, cost_usd: 0.1, duration_s: 1}
"""
STEPS = TRUTH.replace(
    "    user: null\n", "    user: null\n    steps: [{user: a, states: [x, y], when: {x: {}}}]\n"
)

# Each edit of a good document; the two must agree on it whatever they say.
CORPUS_EDITS = [
    ("", ""),
    ("live_channels: [{id: browser, adapter: browser, required: true}]\n", ""),
    ("version: v\n", ""),
    ("version: v", "version: v 1"),
    ("version: v", "version: null"),
    ("required: true", "required: yes"),
    ("required: true", "required: 1"),
    ("id: browser", "id: brauser"),
    ("adapter: browser, ", ""),
    ("stratum: search", "stratum: searching"),
    ("query: Find it", "query: ''"),
    ("query: Find it", "query: [Find, it]"),
    ("query: Find it", "query: null"),
    ("fixture: fixture://search/a", "fixture: fixture://search"),
    ("fixture: fixture://search/a", "fixture: https://a.example/"),
    ("live_channel: browser", "live_channel: extract-api"),
    ("live_channel: browser", "live_chanel: browser"),
    ("expect: success", "expect: correct-refusal"),
    ("expect: success", "expect: correct_refusal"),
    ("expect: success", "expect: infra_error"),
    ("expect: success", "expect: Success"),
    ("id: A1", "id: -A1"),
    ("  - {id: A1", "  - {extra: 1, id: A1"),
    ("cases:\n", "cases: []\nothers:\n"),
]
TRUTH_EDITS = [
    ("", ""),
    ("value: 3.10", "value: true"),
    ("value: 3.10", "value: null"),
    ("value: 3.10", "value: ''"),
    ("value: 3.10", "value: [v3]"),
    ("value: 3.10, ", ""),
    ("id: a", "id: A_a"),
    ("match: exact", "match: exactly"),
    ("draw: version", "draw: versions"),
    ("draw: version", "draw: number"),
    ("before:a", "before:"),
    ("aliases: [x, 3.1]", "aliases: x"),
    ("aliases: [x, 3.1]", "aliases: ['']"),
    ("unit: m", "unit: ''"),
    ("unit: m", "locale: de"),
    ("2026-08-21T00:00:00Z", "2026-08-21"),
    ("2026-08-21T00:00:00Z", "2026-08-21 00:00:00"),
    ("reason: first\n", "reason: ''\n"),
    ("    reason: first\n", ""),
    ("    evidence_url: https://a.example/x\n", ""),
    ("[no_result]", "[no-result]"),
    ("[use-stale-cache]", "[]"),
    ("[use-stale-cache]", "[Use_Stale]"),
    ("freshness_window_s: 1.5", "freshness_window_s: 0"),
    ("freshness_window_s: 1.5", "freshness_window_s: '1.5'"),
    ("freshness_window_s: 1.5", "freshness_window_s: soon"),
    ("min_sources: 1", "min_sources: 0"),
    ("min_sources: 1", "min_sources: 1.5"),
    ("must_validate: true", "must_validate: no"),
    ("user: null", "user: ada"),
    ("user: null", "user: ''"),
    ("deadline_s: 30", "deadline_s: -1"),
    ("requests: 0", "requests: -1"),
    ("requests: 0", "request: 1"),
    ("bytes: null", "bytes: 1.5"),
    ("max_budget: {requests: 0, bytes: null, cost_usd: 0.1, duration_s: 1}", "max_budget: null"),
    ("max_budget: {requests: 0, bytes: null, cost_usd: 0.1, duration_s: 1}", "max_budget: {}"),
    ("versions:\n", "versions: []\nother:\n"),
    ("case_id: A1\n", ""),
    ("case_id: A1\n", "case_id: A1\nvalid_at: 2026-08-21T00:00:00Z\n"),
]
STEP_EDITS = [
    ("states: [x, y]", "states: [x]"),
    ("states: [x, y]", "states: [x, Y]"),
    ("user: a, ", "usr: a, "),
    ("when: {x: {}}", "when: {x: {must_validate: true}}"),
    ("when: {x: {}}", "when: {x: {deadline_s: 3}}"),
    ("when: {x: {}}", "when: [x]"),
    ("[{user: a, states: [x, y], when: {x: {}}}]", "[]"),
]


@pytest.mark.parametrize(("old", "new"), CORPUS_EDITS, ids=range(len(CORPUS_EDITS)))
def test_corpus(write: Write, old: str, new: str) -> None:
    text = CORPUS.replace(old, new, 1)
    assert (text != CORPUS) == bool(old)
    assert loader_says(load_corpus, write("c.yaml", text)) == schema_says("corpus", text)


@pytest.mark.parametrize(("old", "new"), TRUTH_EDITS, ids=range(len(TRUTH_EDITS)))
def test_truth(write: Write, old: str, new: str) -> None:
    text = TRUTH.replace(old, new, 1)
    assert (text != TRUTH) == bool(old)
    # what the two say of drawn values is the loader's alone, so the fact is not drawn here
    text = text.replace("draw: version", "draw: fixed")
    text = text.replace('draw: "before:a"', "draw: fixed")
    assert loader_says(load_truth_file, write("t.yaml", text)) == schema_says("truth", text)


@pytest.mark.parametrize(("old", "new"), STEP_EDITS, ids=range(len(STEP_EDITS)))
def test_steps(write: Write, old: str, new: str) -> None:
    text = STEPS.replace(old, new, 1)
    text = "\n".join(
        line
        for line in text.splitlines()
        if not line.strip().startswith(("expected_facts", "wrong_values", "must_validate"))
    )
    assert loader_says(load_truth_file, write("t.yaml", text)) == schema_says("truth", text)


def test_the_table_holds_good_and_bad_documents() -> None:
    verdicts = {schema_says("truth", TRUTH.replace(old, new, 1)) for old, new in TRUTH_EDITS}
    assert verdicts == {True, False}


def test_many_cases_and_lone_versions(write: Write) -> None:
    lines = TRUTH.splitlines()
    lone = [lines[0], *(line[4:] for line in lines[2:])]
    entry = "  - " + "\n    ".join(lone) + "\n"
    for text in ("\n".join(lone), "truths:\n" + entry, "truths: []\n", "truths:\n" + entry + "case_id: A1\n"):
        assert loader_says(load_truth_file, write("t.yaml", text)) == schema_says("truth", text)


def test_files_of_the_project_fit_the_schemas() -> None:
    for path in (ROOT / "corpus").glob("*.yaml"):
        assert schema_says("corpus", path.read_text(encoding="utf-8")), path
    for path in (ROOT / "truth").rglob("*.yaml"):
        assert schema_says("truth", path.read_text(encoding="utf-8")), path


def test_the_choices_are_those_of_the_code() -> None:
    corpus, truth = schema("corpus")["$defs"], schema("truth")["$defs"]
    assert tuple(corpus["channel"]["enum"]) == CHANNELS
    assert tuple(corpus["case"]["properties"]["stratum"]["enum"]) == STRATA
    labels = corpus["case"]["properties"]["expect"]["enum"]
    assert {label.replace("-", "_") for label in labels} == set(EXPECTABLE)
    assert set(labels) == set(EXPECTABLE) | {label.replace("_", "-") for label in EXPECTABLE}
    assert tuple(truth["refusal_reasons"]["items"]["enum"]) == REFUSAL_REASONS
    assert set(LABELS) - set(EXPECTABLE) == {"infra_error", "probe_invalid", "ungraded"}
    assert set(EXPECTABLE) < set(LABELS)
    assert tuple(truth["fact"]["properties"]["match"]["enum"]) == MATCHES
    draw = truth["fact"]["properties"]["draw"]["pattern"]
    assert set(draw.removeprefix("^(").split("|before:")[0].split("|")) == set(KINDS)


@pytest.mark.parametrize("name", ["corpus", "truth", "live", "targets"])
def test_the_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))

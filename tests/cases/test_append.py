from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.append import add_version
from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.load import TruthStore
from pytest_webretrieval.cases.lock import read_truth_lock

Write = Callable[[str, str], Path]

NOW = datetime(2026, 11, 30, 12, 0, 0, 999, tzinfo=UTC)
DRAFT = """\
valid_at: 2026-11-29T00:00:00Z
reason: "the vendor released: v3.3"
adjudicated_by: 林恩
evidence_url: fixture://vendor/releases/current
expected_facts:
  - {id: version, value: 3.10, draw: version, aliases: ["no", "null", "0x1f"]}
allowed_sources: ["fixture://vendor/releases/*"]
forbidden_actions: [use-stale-cache]
freshness_window_s: 86400
must_validate: true
max_budget: {requests: 6, bytes: null, cost_usd: 0.1}
"""
OLD = """\
  - valid_at: 2026-08-21T00:00:00Z
    recorded_at: 2026-08-21T09:30:00Z
    reason: first   # a comment
    adjudicated_by: human
    expected_facts: [{id: version, value: v3.2}]
    allowed_sources: ["fixture://vendor/*"]
    forbidden_actions: [use-stale-cache]
    freshness_window_s: 60
    max_budget: {}
"""
HEAD = "# yaml-language-server: $schema=x\ncase_id: S03\n"


def place() -> Path:
    Path("truth/v").mkdir(parents=True, exist_ok=True)
    return Path("truth/v")


def test_the_first_version_makes_the_file(write: Write) -> None:
    added = add_version(place(), "S03", write("draft.yaml", DRAFT), NOW)
    assert added.path == Path("truth/v/S03.yaml")
    (truth,) = TruthStore(place()).versions("S03")
    assert truth == added.truth
    assert truth.recorded_at == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert truth.facts[0].value == "3.10"
    assert truth.facts[0].aliases == ("no", "null", "0x1f")
    assert (truth.reason, truth.adjudicated_by) == ("the vendor released: v3.3", "林恩")
    assert (truth.max_budget.bytes, truth.max_budget.cost_usd) == (None, 0.1)
    assert truth.steps[0].must_validate
    (line,) = read_truth_lock(Path("truth/v.lock")).lines["S03"]
    assert (line.recorded_at, line.sha256) == ("2026-11-30T12:00:00Z", truth.sha256)


@pytest.mark.parametrize("versions", ["versions:\n" + OLD, "versions:\n" + OLD.replace("\n  ", "\n")[2:]])
def test_the_old_text_stays_as_it_was(write: Write, versions: str) -> None:
    old = HEAD + versions
    path = write("truth/v/S03.yaml", old)
    before = TruthStore(place()).versions("S03")
    add_version(place(), "S03", write("draft.yaml", DRAFT), NOW)
    text = path.read_text(encoding="utf-8")
    assert text.startswith(old)
    after = TruthStore(place()).versions("S03")
    assert after[:1] == before
    assert [version.facts[0].value for version in after] == ["v3.2", "3.10"]
    add_version(place(), "S03", write("draft.yaml", DRAFT), NOW.replace(hour=13))
    assert path.read_text(encoding="utf-8").startswith(text)
    assert len(read_truth_lock(Path("truth/v.lock")).lines["S03"]) == 3


def test_a_lone_version_becomes_the_first_of_a_list(write: Write) -> None:
    lone = HEAD + "".join(line[4:] for line in OLD.splitlines(keepends=True))
    path = write("truth/v/S03.yaml", lone)
    (before,) = TruthStore(place()).versions("S03")
    add_version(place(), "S03", write("draft.yaml", DRAFT), NOW)
    after = TruthStore(place()).versions("S03")
    assert after[0].sha256 == before.sha256
    assert len(after) == 2
    text = path.read_text(encoding="utf-8")
    assert text.startswith(
        "# yaml-language-server: $schema=x\ncase_id: S03\nversions:\n  - valid_at: 2026-08-21"
    )
    assert "reason: first   # a comment\n" in text


BAD_DRAFTS = [
    (
        DRAFT + "recorded_at: 2026-11-29T00:00:00Z\n",
        "draft.yaml:12: `recorded_at` is the time of adding; leave it out",
    ),
    (DRAFT.replace("reason", "reasons"), "draft.yaml:1: missing key `reason`"),
    (DRAFT.replace("evidence_url", "evidence"), "draft.yaml:1: missing key `evidence_url`"),
    (DRAFT.replace("adjudicated_by: 林恩\n", ""), "draft.yaml:1: missing key `adjudicated_by`"),
    (
        DRAFT.replace("fixture://vendor/releases/c", "/c"),
        "draft.yaml:4: `evidence_url` is `/current`: begin with",
    ),
    (DRAFT.replace("86400", "0"), "draft.yaml:9: `freshness_window_s` is 0; it must be above 0"),
    (DRAFT.replace("max_budget", "max_budgt"), "draft.yaml:1: missing key `max_budget`"),
    (DRAFT + "case_id: S04\n", "draft.yaml:12: `case_id` is another than S03"),
    ("- a\n", "draft.yaml:1: a draft is a mapping with the keys of one version"),
]


@pytest.mark.parametrize(("text", "first"), BAD_DRAFTS, ids=range(len(BAD_DRAFTS)))
def test_a_bad_draft_writes_nothing(write: Write, text: str, first: str) -> None:
    path = write("truth/v/S03.yaml", HEAD + "versions:\n" + OLD)
    before = path.read_bytes()
    with pytest.raises(CaseError) as caught:
        add_version(place(), "S03", write("draft.yaml", text), NOW)
    assert caught.value.problems[0].startswith(first)
    assert path.read_bytes() == before
    assert not Path("truth/v.lock").exists()


def test_what_cannot_be_appended_to_is_left_alone(write: Write) -> None:
    flow = (
        HEAD
        + "versions: ["
        + ", ".join(["{" + ", ".join(OLD.replace("   # a comment", "")[4:].splitlines()) + "}"])
    )
    path = write("truth/v/S03.yaml", flow + "]\n")
    assert len(TruthStore(place()).versions("S03")) == 1
    with pytest.raises(
        CaseError, match=r"^truth/v/S03\.yaml: a version cannot be appended to this text; write it"
    ):
        add_version(place(), "S03", write("draft.yaml", DRAFT), NOW)
    assert path.read_text(encoding="utf-8") == flow + "]\n"


def test_an_edited_file_is_not_added_to(write: Write) -> None:
    write("truth/v/S03.yaml", HEAD + "versions:\n" + OLD)
    add_version(place(), "S03", write("draft.yaml", DRAFT), NOW)
    path = write(
        "truth/v/S03.yaml", Path("truth/v/S03.yaml").read_text(encoding="utf-8").replace("v3.2", "v3.4")
    )
    before = path.read_bytes()
    with pytest.raises(CaseError, match="was edited after it was locked"):
        add_version(place(), "S03", write("draft.yaml", DRAFT), NOW.replace(hour=13))
    assert path.read_bytes() == before


def test_a_version_is_recorded_after_the_one_before(write: Write) -> None:
    add_version(place(), "S03", write("draft.yaml", DRAFT), NOW)
    with pytest.raises(CaseError, match=r"^truth/v/S03\.yaml:3: case S03: is recorded after the present"):
        add_version(place(), "S03", write("draft.yaml", DRAFT), NOW)


def test_a_file_of_many_cases_is_added_to_by_hand(write: Write) -> None:
    many = write("truth/v.yaml", "truths: []\n")
    with pytest.raises(CaseError, match=r"^truth/v\.yaml: holds many cases; write the version"):
        add_version(many, "S03", write("draft.yaml", DRAFT), NOW)


TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn", "Zl", "Zp"], exclude_characters="\ufeff"), min_size=1
).filter(lambda text: text == text.strip())


@given(TEXTS, TEXTS)
def test_any_text_is_written_so_that_it_comes_back(value: str, reason: str) -> None:
    import json

    for old in (Path("truth/v/S03.yaml"), Path("truth/v.lock")):
        old.unlink(missing_ok=True)
    fact = f"  - {{id: version, value: {json.dumps(value, ensure_ascii=False)}}}\n"
    text = DRAFT.replace(DRAFT.splitlines(keepends=True)[5], fact)
    text = text.replace('"the vendor released: v3.3"', json.dumps(reason, ensure_ascii=False))
    Path("draft.yaml").write_text(text, encoding="utf-8", newline="\n")
    added = add_version(place(), "S03", Path("draft.yaml"), NOW)
    assert (added.truth.facts[0].value, added.truth.reason) == (value, reason)

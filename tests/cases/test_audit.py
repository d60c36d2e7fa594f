from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webretrieval.cases.audit import Audit, audit_truth, truth_place
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.lock import lock_truth, write_corpus_lock

Write = Callable[[str, str], Path]

CORPUS = (
    "version: v\ncases:\n"
    "  - {id: A1, stratum: search, query: Q, fixture: fixture://search/a, live_channel: browser, "
    "expect: success}\n"
    "  - {id: A2, stratum: search, query: Q, fixture: fixture://search/a, live_channel: browser, "
    "expect: correct-refusal}\n"
)
ONE = """\
case_id: A1
versions:
  - valid_at: 2026-08-21T00:00:00Z
    recorded_at: 2026-08-21T00:00:00Z
    reason: first
    adjudicated_by: human
    expected_facts: [{id: a, value: v3.2, draw: version}]
    allowed_sources: ["fixture://vendor/*"]
    forbidden_actions: [use-stale-cache]
    freshness_window_s: 60
    max_budget: {}
"""
TWO = ONE.replace("A1", "A2").replace(
    "expected_facts: [{id: a, value: v3.2, draw: version}]", "refusal_reasons: [no_result]"
)


def audit(write: Write, one: str = ONE, two: str = TWO, **others: str) -> Audit:
    corpus = load_corpus(write("corpus/v.yaml", CORPUS))
    for name, text in {"A1": one, "A2": two, **others}.items():
        if text:
            write(f"truth/v/{name}.yaml", text)
    return audit_truth(TruthStore(Path("truth/v")), corpus)


def lock_all() -> None:
    store = TruthStore(Path("truth/v"))
    lock_truth(store.place, [version for name in store.case_ids() for version in store.versions(name)])


def test_all_is_well(write: Write) -> None:
    found = audit(write)
    assert (found.faults, found.notices) == ((), ())
    assert found.summary == "v: 2 cases, 2 with truth in 2 versions, truth unlocked, corpus unlocked"
    lock_all()
    write_corpus_lock(load_corpus(Path("corpus/v.yaml")))
    found = audit(write)
    assert found.faults == ()
    assert found.summary == "v: 2 cases, 2 with truth in 2 versions, truth locked, corpus locked"


def test_a_case_without_truth_is_a_notice(write: Write) -> None:
    found = audit(write, two="")
    assert found.faults == ()
    assert found.notices == ("corpus/v.yaml: no truth yet: A2",)
    assert found.summary.startswith("v: 2 cases, 1 with truth in 1 version,")


CROWD = ", ".join(f"{{id: f{at}, value: '{at}', match: number, draw: number}}" for at in range(1, 9))
FAULTS = [
    (
        {"one": ONE.replace("value: v3.2, draw: version", "value: null")},
        'truth/v/A1.yaml:7: case A1: `expected_facts[0].value` is null; write "null" in quotes',
    ),
    (
        {
            "one": ONE.replace(
                "expected_facts: [{id: a, value: v3.2, draw: version}]", "refusal_reasons: [gone]"
            )
        },
        "truth/v/A1.yaml:3: case A1: the corpus expects success, but there are no `expected_facts`",
    ),
    (
        {"two": TWO.replace("refusal_reasons: [no_result]", "expected_facts: [{id: a, value: x}]")},
        "truth/v/A2.yaml:3: case A2: the corpus expects correct_refusal, but there are no `refusal_reasons`",
    ),
    (
        {"two": TWO.replace("[use-stale-cache]", "[use-stale-cache, egress]")},
        "truth/v/A2.yaml:3: case A2: `forbidden_actions` is not the list of A1; "
        "every case of a corpus forbids the same",
    ),
    (
        {"A3": ONE.replace("A1", "A3")},
        "truth/v/A3.yaml:3: case A3: no such case in corpus/v.yaml; known: A1, A2",
    ),
    ({"A3": ONE}, "truth/v/A3.yaml:1: holds case A1; the file name says A3"),
    (
        {"one": ONE.replace("[{id: a, value: v3.2, draw: version}]", f"[{CROWD}]")},
        "truth/v/A1.yaml:3: case A1: fact f",
    ),
]


@pytest.mark.parametrize(("texts", "first"), FAULTS, ids=range(len(FAULTS)))
def test_every_fault_is_a_line(write: Write, texts: dict[str, str], first: str) -> None:
    faults = audit(write, **texts).faults
    assert len(faults) == 1
    assert faults[0].startswith(first)


def test_what_the_lock_says_is_a_fault(write: Write) -> None:
    audit(write)
    lock_all()
    edited = ONE.replace("v3.2", "v3.3")
    later = TWO + TWO.split("versions:\n")[1].replace("recorded_at: 2026-08", "recorded_at: 2026-09")
    assert audit(write, one=edited, two=later).faults == (
        "truth/v/A1.yaml:3: case A1: the version recorded at 2026-08-21T00:00:00Z was edited after it was "
        "locked; "
        "undo the change and run `webretrieval truth add A1 --from FILE`",
        "truth/v/A2.yaml:12: case A2: the version recorded at 2026-09-21T00:00:00Z is not locked; "
        "run `webretrieval truth lock truth/v`",
    )


def test_a_removed_file_is_a_fault(write: Write) -> None:
    audit(write)
    lock_all()
    Path("truth/v/A2.yaml").unlink()
    assert audit(write, two="").faults == (
        "truth/v.lock:3: case A2: the version recorded at 2026-08-21T00:00:00Z was removed; "
        "restore it from the history",
    )


def test_a_corpus_that_was_changed_is_a_fault(write: Write) -> None:
    write_corpus_lock(load_corpus(write("corpus/v.yaml", CORPUS.replace("query: Q", "query: R"))))
    (fault,) = audit(write).faults
    assert fault.startswith("corpus/v.yaml: is not the corpus v that was locked")


def test_what_a_path_means(write: Write) -> None:
    one = write("truth/v/A1.yaml", ONE)
    entry = "  - " + "\n    ".join(ONE.splitlines()) + "\n"
    many = write("truth/w.yaml", "truths:\n" + entry + entry.replace("A1", "A2"))
    assert truth_place(one.parent) == (one.parent, ())
    assert truth_place(one) == (one.parent, ("A1",))
    assert truth_place(many) == (many, ())

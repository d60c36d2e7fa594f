"""Every rule has a wrong system that it catches, and no right one that it does."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.grade.label import LABELS, PASSING
from pytest_webretrieval.grade.tags import FORBIDDEN_ACTIONS, TAGS
from pytest_webretrieval.slots.browser import find_browser
from pytest_webretrieval.slots.probe import MISSING, probe
from tests.innocents.meets import MEETS
from tests.innocents.rows import HONEST, INNOCENTS, Innocent

from .full import every_case
from .gates import BROKEN_BY, PROVEN_ELSEWHERE, every_gate, makers
from .gates import NOT_OF_SYSTEMS as GATES_NOT_OF_SYSTEMS
from .judging import judge_innocent, judge_mutant
from .mutant import Mutant
from .rows import MUTANTS, NO_SCENE_YET, NOT_OF_SYSTEMS
from .stand import CORPORA, ROOT, opened


def caught_by(tag: str) -> set[str]:
    """The cases on which a mutant shows a tag."""
    return {case for mutant in MUTANTS if mutant.tag == tag for case in mutant.cases}


def test_every_tag_has_a_mutant_or_a_reason_why_not() -> None:
    proven = {mutant.tag for mutant in MUTANTS}
    assert not set(TAGS) - proven - set(NO_SCENE_YET), "a new tag needs a mutant, or a line in NO_SCENE_YET"
    assert not proven & set(NO_SCENE_YET), "a tag that has a mutant needs no reason any more"
    assert not (proven | set(NO_SCENE_YET)) - set(TAGS), "no such tag"


def test_every_tag_has_an_innocent_that_comes_close_to_it() -> None:
    assert set(MEETS) == set(TAGS) - set(NO_SCENE_YET), "a new tag needs an innocent in MEETS"
    cases = {innocent.name: set(innocent.cases) for innocent in INNOCENTS if innocent.name not in HONEST}
    far = [tag for tag, name in MEETS.items() if not cases[name] & caught_by(tag)]
    assert far == [], "an innocent must be asked a case on which a mutant shows the tag"


def test_every_forbidden_action_that_a_case_may_name_is_proven_both_ways() -> None:
    truths = [truth for place in CORPORA.values() for truth in load_truths(place).values()]
    named = {action for truth in truths for action in truth.forbidden_actions}
    assert named <= set(FORBIDDEN_ACTIONS), "no such tag"
    for action in FORBIDDEN_ACTIONS:
        assert caught_by(action), f"{action} needs a mutant"
        assert action in MEETS, f"{action} needs an innocent"


def test_every_label_is_reached_by_its_own_side() -> None:
    expected = {case.id: case.expect for path in CORPORA for case in load_corpus(path).cases}
    different = {case for innocent in INNOCENTS if innocent.name not in HONEST for case in innocent.cases}
    assert {expected[case] for case in different} == set(PASSING), "a label that passes needs an innocent"
    failing = set(LABELS) - set(PASSING) - set(NOT_OF_SYSTEMS)
    for label in failing:
        cases = {case for mutant in MUTANTS if mutant.label == label for case in mutant.cases}
        assert cases, f"{label} needs a mutant"
        assert cases & different, f"{label} needs an innocent on a case of its mutants"


def test_every_gate_is_broken_by_a_mutant() -> None:
    """That it passes on every right system, the matrix shows."""
    assert set(every_gate()) == set(BROKEN_BY) | set(GATES_NOT_OF_SYSTEMS), "a new gate needs a mutant"
    assert set(BROKEN_BY.values()) <= {mutant.name for mutant in MUTANTS}
    assert makers() == set(PROVEN_ELSEWHERE), "a gate of another shape needs a test that breaks it"
    for gate, test in PROVEN_ELSEWHERE.items():
        told = (ROOT / test).read_text(encoding="utf-8")
        assert f"gates.{gate.partition('.')[0]} import" in told
        assert '"fail"' in told
        assert '"pass"' in told


def test_innocents_meet_every_case() -> None:
    """Of each corpus, by the honest system and by a different one."""
    cases = set(every_case())
    different = {case for innocent in INNOCENTS if innocent.name not in HONEST for case in innocent.cases}
    honest = {case for innocent in INNOCENTS if innocent.name in HONEST for case in innocent.cases}
    assert cases == honest
    assert cases == different


def test_there_are_enough_of_each() -> None:
    assert len(MUTANTS) >= 80
    assert len(INNOCENTS) >= 40


def test_names_are_told_apart() -> None:
    names = [mutant.name for mutant in MUTANTS] + [innocent.name for innocent in INNOCENTS]
    assert len(set(names)) == len(names)


def test_every_mutant_is_killed_and_every_innocent_left_alone() -> None:
    _needs_slots()
    if find_browser(None) is None:
        pytest.skip(
            "this machine has no browser, and some rows use one: webretrieval doctor says how to get it"
        )
    done = _matrix()
    lines = done.stdout.splitlines()
    count, free = len(MUTANTS), len(INNOCENTS)
    wanted = f"killed {count} of {count}, innocents {free} of {free}"
    assert lines[-1:] == [wanted], "\n".join(lines[-30:]) + done.stderr
    assert done.returncode == 0


def test_a_rule_that_is_blind_or_unjust_is_told() -> None:
    """A right system among the mutants survives, a wrong one among the innocents is caught."""
    _needs_slots()
    right = Mutant(
        system="honest:Honest", wrong="nothing", tag="wrong-value", cases=("K02",), label="contradicted"
    )
    wrong = Innocent(spec="tests.mutants.citing:CitesNothing", different="no addresses", cases=("K02",))

    async def judged() -> list[str]:
        async with opened() as stand:
            return [(await judge_mutant(stand, right)).verdict, (await judge_innocent(stand, wrong)).verdict]

    survived, caught = asyncio.run(judged())
    assert survived == "SURVIVED K02"
    assert caught.startswith("CAUGHT K02: unsupported citation-missing")


def test_an_unknown_name_is_named() -> None:
    done = _matrix("NoSuchSystem")
    assert done.returncode == 2
    assert "NoSuchSystem" in done.stderr


def _needs_slots() -> None:
    if any(finding.state == MISSING for finding in probe()):
        pytest.skip("this machine makes no namespaces: webretrieval doctor says why")


def _matrix(*names: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.mutants.matrix", *names],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=900,
    )

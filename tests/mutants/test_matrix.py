"""Every rule has a wrong system that it catches, and no right one that it does."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from pytest_webretrieval.grade.label import LABELS, PASSING
from pytest_webretrieval.grade.tags import TAGS
from pytest_webretrieval.slots.browser import find_browser
from pytest_webretrieval.slots.probe import MISSING, probe
from tests.innocents.rows import ALL, INNOCENTS, Innocent

from .matrix import judge_innocent, judge_mutant
from .mutant import Mutant
from .rows import MUTANTS, NO_SCENE_YET, NOT_OF_SYSTEMS
from .stand import ROOT, opened


def test_every_tag_has_a_mutant_or_a_reason_why_not() -> None:
    proven = {mutant.tag for mutant in MUTANTS}
    assert not set(TAGS) - proven - set(NO_SCENE_YET), "a new tag needs a mutant, or a line in NO_SCENE_YET"
    assert not proven & set(NO_SCENE_YET), "a tag that has a mutant needs no reason any more"
    assert not (proven | set(NO_SCENE_YET)) - set(TAGS), "no such tag"


def test_every_label_that_does_not_pass_is_reached() -> None:
    reached = {mutant.label for mutant in MUTANTS}
    assert set(LABELS) - set(PASSING) - set(NOT_OF_SYSTEMS) <= reached


def test_innocents_meet_every_case() -> None:
    different = INNOCENTS[1:]
    assert {case for innocent in different for case in innocent.cases} >= set(ALL)


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

"""Twelve nights of one project: calibrating, then pass, then a real drop caught, then a quarantined probe that moves
nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webretrieval.records.history import Night, read_nights

from ..plugin.project import Project
from .internet import town
from .internet.live import Outcome, live_run
from .internet.rig import Rig
from .internet.scenario import by_night
from .internet.town import question
from .small import READING, SYSTEM, configuration, furnish_some

IDS = ("T01", "T02", "T03", "T04", "T05")
# On this night the run stands elsewhere, on this one the system is broken, from this one on a page is another one for a
# night, and on the next the system is wrong about it.
AWAY, BROKEN, CHANGED, WRONG = 7, 8, 10, 11
SUSPECT = "T02"
# Where it is told to, it reads the front page of the host instead, and says what stands there.
ROUTER = (
    READING
    + r"""

class System:
    def retrieve(self, task):
        url = task.start_urls[0]
        broken = Path(__file__).with_name("broken.txt").read_text().split()
        if any(part in url for part in broken):
            url = "/".join(url.split("/")[:3]) + "/"
        return said_at(url)
"""
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("nights"))


@pytest.fixture(scope="module")
def nights(rig: Rig, project: Project) -> dict[int, Outcome]:
    """Each night's run, by its number."""
    furnish_some(project, IDS, ROUTER)
    other = question(SUSPECT).page("23 May 2027")
    pages = {
        SUSPECT: by_night({1: question(SUSPECT).page(), CHANGED: other, WRONG: question(SUSPECT).page()})
    }
    scenario = town.shown(pages)
    broken = {BROKEN: "www.alder-bay.example council.cold-spit.example", WRONG: "/ferry/summer"}
    found: dict[int, Outcome] = {}
    for night in range(1, 13):
        region = ("simulated", "elsewhere")[night == AWAY]
        project.write("webretrieval.toml", configuration(('region = "simulated"', f'region = "{region}"')))
        project.write("broken.txt", broken.get(night, ""))
        found[night] = live_run(rig, project, scenario, SYSTEM, night=night)
    return found


@pytest.fixture(scope="module")
def history(nights: dict[int, Outcome], project: Project) -> dict[int, Night]:
    """What was written down of each night."""
    kept = read_nights(project.folder / "history", town.CORPUS)
    assert [night.run for night in kept] == [_folder(one).name for one in nights.values()]
    return dict(zip(nights, kept, strict=True))


def _folder(outcome: Outcome) -> Path:
    assert outcome.folder is not None, outcome.out
    return outcome.folder


def figures(nights: dict[int, Outcome]) -> str:
    """The line of each night, for who looks why a test failed."""
    return "\n".join(f"night {night}: {one.run.gate('success')}" for night, one in nights.items())


def test_five_nights_calibrate(nights: dict[int, Outcome], history: dict[int, Night]) -> None:
    for night in range(1, 6):
        line = nights[night].run.gate("success")
        assert line == f"calibrating {night - 1} of 5 accepted runs to compare with", figures(nights)
        assert nights[night].code == 0, nights[night].out
        assert "4 skipped" in nights[night].run.lines[-1], "a gate that cannot tell is not one that passed"
        assert history[night].accepted, history[night].why


def test_then_it_passes(nights: dict[int, Outcome]) -> None:
    line = nights[6].run.gate("success")
    assert line.startswith("pass 1.000 of 1.000 before (5 of 5 runs, 5 cases)"), figures(nights)
    assert "example threshold" in line
    assert "5 accepted runs vary by" in line
    assert nights[6].run.gate("citation_support").startswith("pass 1.000 of 1.000 before")
    assert nights[6].run.gate("cost").startswith("pass 0.0000 USD a success of 0.0000 before")
    assert nights[6].code == 0, nights[6].out


def test_another_region_is_another_history(nights: dict[int, Outcome], history: dict[int, Night]) -> None:
    assert nights[AWAY].run.gate("success") == (
        "calibrating 0 of 5 accepted runs to compare with; runs not comparable: region simulated (6)"
    ), figures(nights)
    assert history[AWAY].region == "elsewhere"
    assert history[AWAY].fingerprint != history[1].fingerprint
    assert len({night.fingerprint for number, night in history.items() if number != AWAY}) == 1
    assert nights[12].run.gate("success").endswith("; runs not comparable: region elsewhere (1)"), figures(
        nights
    )


def test_a_real_drop_is_caught_by_the_gate_of_success(
    nights: dict[int, Outcome], history: dict[int, Night]
) -> None:
    line = nights[BROKEN].run.gate("success")
    assert line.startswith("FAIL 0.200 of 1.000 before (1 of 5 runs, 5 cases), -80.0 points ["), figures(
        nights
    )
    assert nights[BROKEN].code == 1
    assert nights[BROKEN].run.gate("citation_support").startswith("pass"), "what it said was cited well"
    assert nights[BROKEN].run.gate("policy_violation") == "pass 0 of 5"
    assert "1 failed" in nights[BROKEN].run.lines[-1], "the gate, and no case"
    assert not history[BROKEN].accepted
    assert history[BROKEN].why.startswith("failed success")
    assert nights[9].code == 0, "the broken night is no baseline"
    assert nights[9].run.gate("success").startswith("pass 1.000 of 1.000 before (5 of 5 runs, 5 cases)")
    assert "6 accepted runs vary by" in nights[9].run.gate("success"), figures(nights)


def test_a_quarantined_probe_moves_nothing(nights: dict[int, Outcome], history: dict[int, Night]) -> None:
    labels = [nights[night].run.labels()[SUSPECT] for night in (CHANGED, WRONG, 12)]
    assert labels == ["probe_invalid", "no_answer", "success"]
    said = ("probe_invalid", "quarantined", "quarantined")
    for night, why in zip((CHANGED, WRONG, 12), said, strict=True):
        line = nights[night].run.gate("success")
        assert line.startswith("pass 1.000 of 1.000 before (4 of 4 runs, 4 cases), +0.0 points"), figures(
            nights
        )
        assert f"left out: {SUSPECT} ({why})" in line, figures(nights)
        assert nights[night].code == 0, nights[night].out
        assert history[night].accepted
        assert nights[night].run.starting(f"probes   {SUSPECT} since "), nights[night].out
        (own,) = [case for case in history[night].cases if case.case == SUSPECT]
        assert not own.counts
    assert "9 accepted runs vary by [+0.0, +0.0]" in nights[12].run.gate("success"), figures(nights)


def test_a_person_sees_every_night(nights: dict[int, Outcome], project: Project) -> None:
    listed = project.verb("history", "list")
    assert listed.code == 0, listed.output
    for outcome in nights.values():
        assert _folder(outcome).name in listed.output

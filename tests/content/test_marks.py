"""Marks equal truth, and no drawn value stands in a page without a mark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

import pytest
import yaml

from fixture_server.sites import Sites
from fixture_server.stage import check_marks
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.draw import draw_values, show
from pytest_webretrieval.cases.tokens import stands_in
from pytest_webretrieval.cases.truth import Fact, Truth

MARK = re.compile(r"<!--fact:.*?<!--/-->|\{\{fact:.*?\}\}", re.DOTALL)
SEEDS = (1, 7, 20261130)
OTHER_FORMS = (
    "date-long",
    "date-iso",
    "date-de",
    "date-zh",
    "date-rfc",
    "number-en",
    "number-de",
    "upper",
    "slug",
)
MORE_DATES = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%B %d, %Y", "%d %b %Y", "%Y%m%d", "%B %Y", "%Y-%m")


def facts_of(truth: Truth) -> Iterator[Fact]:
    for step in truth.steps:
        for variant in (step, *step.when.values()):
            yield from variant.expected_facts
            yield from variant.wrong_values


def written_forms(fact: Fact) -> set[str]:
    """Every way in which a page might write the value of seed 0."""
    forms = {fact.value, *fact.aliases}
    for form in OTHER_FORMS:
        try:
            forms.add(show(fact.value, form))
        except ValueError:
            continue
    if fact.match == "number":
        forms.add(re.sub(r"[^\d.]", "", fact.value))
    if fact.match == "date":
        day = date.fromisoformat(fact.value)
        forms |= {day.strftime(form) for form in MORE_DATES}
    return forms


def without_marks(text: str) -> str:
    return MARK.sub(" ", text)


def texts_of_scene(sites: Sites, scene: str) -> Iterator[Path]:
    for address in sites.scenes[scene].pages:
        yield from sites.pages[address].files.values()


def test_every_mark_holds_its_truth(sites: Sites, all_truths: Mapping[str, Truth]) -> None:
    check_marks(sites, all_truths)


def test_no_page_of_the_world_holds_an_unmarked_value(
    page_files: list[Path], truths: Mapping[str, Truth]
) -> None:
    drawn = [fact for truth in truths.values() for fact in facts_of(truth) if fact.draw != "fixed"]
    assert len(drawn) >= 20
    left = [
        f"{path}: {fact.value}"
        for path in page_files
        for text in [without_marks(path.read_text(encoding="utf-8", errors="replace"))]
        for fact in drawn
        if stands_in(fact.value, text)
    ]
    assert left == []


def test_no_page_of_a_scene_holds_an_unmarked_form_of_a_value(
    sites: Sites, cases: Mapping[str, Case], truths: Mapping[str, Truth]
) -> None:
    left = [
        f"{path.name}: {form} of {case}.{fact.id}"
        for case, truth in truths.items()
        for path in texts_of_scene(sites, cases[case].scene)
        for text in [without_marks(path.read_text(encoding="utf-8", errors="replace"))]
        for fact in facts_of(truth)
        if fact.draw != "fixed"
        for form in written_forms(fact)
        if stands_in(form, text)
    ]
    assert left == []


def test_every_drawn_fact_is_marked_somewhere(sites: Sites, truths: Mapping[str, Truth]) -> None:
    marked = {
        mark.key
        for page in sites.pages.values()
        for body in page.bodies.values()
        if not isinstance(body, bytes)
        for mark in body.facts
    }
    wanted = {
        f"{case}.{fact.id}"
        for case, truth in truths.items()
        for fact in facts_of(truth)
        if fact.draw != "fixed"
    }
    assert wanted - marked == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_ten_cases_redraw_their_values(truths: Mapping[str, Truth], seed: int) -> None:
    redrawn = [case for case, truth in truths.items() if draw_values(truth, seed) != draw_values(truth, 0)]
    assert len(redrawn) >= 10, redrawn


def test_all_cases_forbid_the_same(truths: Mapping[str, Truth]) -> None:
    assert len({truth.forbidden_actions for truth in truths.values()}) == 1
    assert "use-stale-cache" in truths["S03"].forbidden_actions


def test_truth_files_keep_to_yaml_that_people_read() -> None:
    folder = Path(__file__).parents[2] / "truth" / "web-retrieval-v1"
    for path in sorted(folder.glob("[KS]0?.yaml")):
        read = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert list(read) == ["case_id", "versions"]
        assert read["case_id"] == path.stem

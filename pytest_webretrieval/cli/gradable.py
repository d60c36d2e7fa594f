"""Whether a truth can be graded: its values found by the grader, its patterns read, its actions known."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.truth import Step, Truth
from pytest_webretrieval.cases.typed import did_you_mean
from pytest_webretrieval.cases.yaml_reader import shown
from pytest_webretrieval.grade.tags import FORBIDDEN_ACTIONS
from pytest_webretrieval.grade.text import fold
from pytest_webretrieval.grade.urls import UrlError, compile_pattern
from pytest_webretrieval.grade.values import find

_SEEDS_TRIED = range(4)


def grading_faults(truth: Truth) -> list[str]:
    """A line for each thing that the grader could not use, at any of the first seeds."""
    found = [
        f"unknown forbidden action `{name}`{did_you_mean(name, FORBIDDEN_ACTIONS)}"
        for name in _unknown(truth)
    ]
    for seed in _SEEDS_TRIED:
        try:
            drawn = draw_truth(truth, seed)
        except ValueError:
            break  # the audit has said so
        found += _bad_patterns(drawn)
        for step in drawn.steps:
            found += [f"seed {seed}: {fault}" for fault in _unfound(step)]
        if found:
            break
    where = f"{shown(truth.where.path)}:{truth.where.line}: case {truth.case_id}"
    return [f"{where}: {fault}" for fault in found]


def _unknown(truth: Truth) -> Iterator[str]:
    return (name for name in truth.forbidden_actions if name not in FORBIDDEN_ACTIONS)


def _bad_patterns(truth: Truth) -> Iterator[str]:
    for pattern in (*truth.allowed_sources, *truth.known_copies, *truth.lures):
        try:
            compile_pattern(pattern)
        except UrlError as error:
            yield str(error)


def _unfound(step: Step) -> Iterator[str]:
    """A value must be found in itself, surely, and no wrong value in a right one."""
    for fact in (*step.expected_facts, *step.wrong_values):
        try:
            hits = find(fact, fold(fact.value))
        except ValueError as error:
            yield f"fact {fact.id}: {error}"
            continue
        if not any(hit.sure for hit in hits):
            yield f"fact {fact.id}: `{fact.value}` is not surely itself by match: {fact.match}; say unit or locale"
    for wrong in step.wrong_values:
        for right in step.expected_facts:
            if find(wrong, fold(right.value)):
                yield f"the wrong value `{wrong.value}` of {wrong.id} is found in `{right.value}` of {right.id}"

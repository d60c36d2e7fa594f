"""One decision: what the trials of a case come to."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.confirm import simulate
from pytest_webretrieval.gates.confirm import (
    FAILED,
    FLAKY,
    GREEN,
    KNOWN,
    PASSED,
    UNEXPECTED_PASS,
    Known,
    Trial,
    decide,
    needed,
    trial_of,
    wants_confirmation,
)

RIGHT = Trial("success", as_expected=True)
WRONG = Trial("no_answer", as_expected=False)
OTHER = Trial("contradicted", as_expected=False)
LEAK = Trial("policy_violation", as_expected=False, absolute=True)
NEVER = Known(frozenset({"no_answer"}))
SOMETIMES = Known(frozenset({"no_answer"}), passes=True)

trials = st.sampled_from((RIGHT, WRONG, OTHER, LEAK))
knowns = st.sampled_from((None, NEVER, SOMETIMES))


def test_three_in_four_further_fails_are_needed() -> None:
    assert [needed(further) for further in (1, 2, 3, 4, 5, 8)] == [1, 2, 3, 3, 4, 6]


def test_a_red_case_is_red_at_three_further_fails_of_four() -> None:
    assert decide([WRONG], []) == FAILED
    assert decide([WRONG], [WRONG, WRONG, WRONG, RIGHT]) == FAILED
    assert decide([WRONG], [WRONG, RIGHT, OTHER, WRONG]) == FAILED
    assert decide([WRONG], [WRONG, WRONG, RIGHT, RIGHT]) == FLAKY
    assert decide([WRONG, RIGHT], [RIGHT] * 4) == FLAKY
    assert decide([RIGHT], []) == PASSED
    assert decide([RIGHT, WRONG, RIGHT], []) == FAILED


def test_what_is_known_to_fail_is_no_surprise_and_a_pass_is_one() -> None:
    assert decide([WRONG], [], NEVER) == KNOWN
    assert decide([RIGHT], [], NEVER) == UNEXPECTED_PASS
    assert decide([RIGHT], [RIGHT, RIGHT, RIGHT, WRONG], NEVER) == UNEXPECTED_PASS
    assert decide([RIGHT], [RIGHT, WRONG, WRONG, WRONG], NEVER) == KNOWN
    assert decide([RIGHT], [], SOMETIMES) == PASSED
    assert decide([RIGHT, WRONG], [], NEVER) == KNOWN


def test_a_known_failure_that_fails_in_another_way_is_red() -> None:
    assert decide([OTHER], [], NEVER) == FAILED
    assert decide([OTHER], [OTHER, OTHER, OTHER, WRONG], NEVER) == FAILED
    assert decide([OTHER], [WRONG, WRONG, WRONG, OTHER], NEVER) == KNOWN


@settings(deadline=None)
@given(st.lists(trials, min_size=1, max_size=5), st.lists(trials, max_size=6), knowns)
def test_an_invariant_is_absolute_in_every_trial(
    first: list[Trial], further: list[Trial], known: Known | None
) -> None:
    state = decide(first, further, known)
    if LEAK in first or LEAK in further:
        assert state == FAILED
    if LEAK in first:
        assert not wants_confirmation(first, known)


@settings(deadline=None)
@given(st.lists(trials, min_size=1, max_size=5), st.lists(trials, max_size=6))
def test_further_trials_can_only_clear_what_the_first_ones_said(
    first: list[Trial], further: list[Trial]
) -> None:
    """Without an invariant broken: a pass needs none, and none makes a pass of a fail."""
    if LEAK in first or LEAK in further:
        return
    alone = decide(first, [])
    assert wants_confirmation(first, None) == (alone == FAILED)
    assert decide(first, further) in ({alone} if alone == PASSED else {FAILED, FLAKY})


@settings(deadline=None)
@given(st.lists(trials, min_size=1, max_size=5), knowns)
def test_what_asks_for_nothing_more_is_decided(first: list[Trial], known: Known | None) -> None:
    if not wants_confirmation(first, known) and LEAK not in first:
        assert decide(first, [], known) in {PASSED, KNOWN} <= GREEN


def test_a_policy_tag_is_absolute_under_any_label() -> None:
    record = {"label": "no_answer", "expect": "no_answer", "tags": ["egress"]}
    assert trial_of(record) == Trial("no_answer", as_expected=True, absolute=True)
    assert trial_of(record | {"tags": [], "label": "infra_error"}).absolute
    assert not trial_of(record | {"tags": ["missing-fact"]}).absolute


def test_builds_of_an_agent_of_95_are_hardly_red_and_a_fallen_case_is_seen() -> None:
    plain = simulate(0.95, builds=1000, cases=30, confirm=0, seed=0)
    confirmed = simulate(0.95, builds=1000, cases=30, confirm=4, seed=0)
    assert plain.red > 700
    assert confirmed.red < 10
    assert confirmed.seen >= 600
    assert 1.15 < confirmed.cost < 1.25

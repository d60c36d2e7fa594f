from __future__ import annotations

import pytest

from pytest_webretrieval.grade.denial import is_negated, is_set_aside
from pytest_webretrieval.grade.text import fold


def _span(text: str, value: str) -> tuple[str, int, int]:
    folded = fold(text).text
    start = folded.index(value)
    return folded, start, start + len(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It was not approved.", "approved"),
        ("It was never approved.", "approved"),
        ("未獲批准", "批准"),
        ("It wasn’t approved", "approved"),
        ("Die Version ist nicht v3.2.", "v3.2"),
        ("Ce n'est pas v3.2.", "v3.2"),
        ("不是 v3.2", "v3.2"),
        ("v3.2ではなく", "v3.2"),
    ],
)
def test_a_negated_value(text: str, value: str) -> None:
    assert is_negated(*_span(text, value))


@pytest.mark.parametrize(
    "text",
    [
        "It must not weigh more than 5 kg.",
        "Do not exceed 5 kg.",
        "It is not less than 5 kg.",
        "It never weighs above 5 kg.",
        "nicht schwerer als 5 kg",
        "nicht mehr als 5 kg",
        "Il ne faut pas dépasser 5 kg.",
        "不得超过5 kg",
    ],
)
def test_a_bound_denies_nothing(text: str) -> None:
    assert not is_negated(*_span(text, "5 kg"))
    assert is_negated(*_span("It is not 5 kg.", "5 kg"))
    assert is_negated(*_span("It is not v3.1 rather than v3.2.", "v3.2"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("approved, not rejected", "approved"),
        ("It is not v3.1 but v3.2.", "v3.2"),
        ("The release is v3.2, not v3.1.", "v3.2"),
        ("It was not until May that v3.2 came.", "v3.2"),
        ("It is not only v3.2 that changed.", "v3.2"),
        ("There is no doubt: v3.2.", "v3.2"),
        ("It does not matter. The release is v3.2.", "v3.2"),
        ("不是 v3.1，而是 v3.2", "v3.2"),
        ("v3.2 is not on the mirror yet", "v3.2"),
    ],
)
def test_a_stated_value(text: str, value: str) -> None:
    assert not is_negated(*_span(text, value))


@pytest.mark.parametrize(
    "text",
    [
        "The release is v3.2, not v3.1, which is last month's.",
        "v3.2 replaces v3.1.",
        "v3.1 was replaced by v3.2.",
        "The previous version, v3.1, is gone.",
        "Some copies still say v3.1.",
        "v3.1 is outdated; use v3.2.",
        "Use v3.2 instead of v3.1.",
        "up from v3.1",
        "not v3.0 or v3.1",
        "Nicht v3.1, sondern v3.2.",
        "v3.2 ersetzt v3.1.",
        "v3.2 remplace v3.1.",
        "v3.2 reemplaza a v3.1.",
        "v3.1已過時",
        "v3.2 已取代 v3.1",
        "v3.1 (superseded)",
        "v3.1, which is outdated",
        "v3.1 has been sold and is no longer among them.",
        "v3.1 is gone.",
        "Last year, it was v3.1; now it is v3.2.",
        "The old release is v3.1.",
        "Previous release: v3.1",
        "An older, archived copy says v3.1.",
        "the older release (v3.1)",
        "Compared with v3.1, v3.2 is faster.",
    ],
)
def test_an_old_value_that_is_only_named(text: str) -> None:
    assert is_set_aside(*_span(text, "v3.1"))


@pytest.mark.parametrize(
    "text",
    [
        "The release is v3.1.",
        "It is v3.2 or v3.1.",
        "v3.2, also known as v3.1",
        "v3.1 replaces v3.0.",
        "v3.0 was replaced by v3.1.",
        "v3.0 is sold as v3.1.",
        "The latest is v3.1; v3.2 is not out.",
        "現在的版本是 v3.1",
        "The release, up from last year, is v3.1.",
        "It is v3.2 or, compared with last year, v3.1.",
        "The older kids use v3.1.",
        "The release for old members is v3.1.",
        "It was changed last month to v3.1.",
        "Earlier today it became v3.1.",
        "It replaces the old release: v3.1.",
        "Rather than the old release, v3.1 is used.",
    ],
)
def test_a_wrong_value_that_is_stated(text: str) -> None:
    assert not is_set_aside(*_span(text, "v3.1"))

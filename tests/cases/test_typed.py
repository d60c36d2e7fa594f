from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.typed import Problem, compile_schema, did_you_mean
from pytest_webretrieval.cases.yaml_reader import parse_yaml

PLACE = Path("f.yaml")


def read(schema: dict[str, Any], text: str) -> tuple[Any, list[str]]:
    problems: list[Problem] = []
    value = compile_schema(
        {"type": "object", "additionalProperties": False, "properties": {"x": schema}}, {}
    )(parse_yaml(f"x: {text}\n", PLACE), problems)
    return value.get("x"), [problem.message() for problem in problems]


GOOD = [
    ({"type": "string"}, "3.10", "3.10"),
    ({"type": "string"}, "no", "no"),
    ({"type": "string"}, "None", "None"),
    ({"type": "string"}, '"null"', "null"),
    ({"type": ["string", "number"]}, "3.10", "3.10"),
    ({"type": ["string", "null"]}, "~", None),
    ({"type": "integer"}, "-12", -12),
    ({"type": "number"}, "0.1", 0.1),
    ({"type": "number"}, "30", 30),
    ({"type": ["integer", "null"]}, "null", None),
    ({"type": "boolean"}, "true", True),
    ({"type": "boolean"}, "false", False),
    ({"type": "array", "items": {"type": "string"}}, "[1.0, yes]", ["1.0", "yes"]),
]


@pytest.mark.parametrize(("schema", "text", "value"), GOOD)
def test_the_field_decides_the_type(schema: dict[str, Any], text: str, value: object) -> None:
    got, problems = read(schema, text)
    assert problems == []
    assert got == value
    assert type(got) is type(value)


BAD = [
    ({"type": "string"}, "null", '`x` is null; write "null" in quotes if that word is meant'),
    ({"type": "string"}, "", "`x` is empty"),
    ({"type": "string", "minLength": 1}, '""', "`x` is empty"),
    ({"type": "string"}, "[a]", "`x` must be text, not a list"),
    ({"type": "integer"}, "1_000", "`x` must be a whole number in plain digits, not `1_000`"),
    ({"type": "integer"}, "0x10", "`x` must be a whole number in plain digits, not `0x10`"),
    ({"type": "integer"}, "007", "`x` must be a whole number in plain digits, not `007`"),
    ({"type": "integer"}, "1.0", "`x` must be a whole number in plain digits, not `1.0`"),
    ({"type": "integer"}, '"3"', '`x` must be a whole number in plain digits, not the text "3"'),
    ({"type": "integer"}, "١٢", "`x` must be a whole number in plain digits, not `١٢`"),
    ({"type": "number"}, "1e3", "`x` must be a number in plain digits, not `1e3`"),
    ({"type": "number"}, ".inf", "`x` must be a number in plain digits, not `.inf`"),
    ({"type": "number"}, "12:30", "`x` must be a number in plain digits, not `12:30`"),
    (
        {"type": "number"},
        "0.1000000000000000055",
        "`x` has more digits than can be kept: 0.1000000000000000055",
    ),
    ({"type": "number", "minimum": 0}, "-1", "`x` is -1; the least is 0"),
    ({"type": "number", "exclusiveMinimum": 0}, "0", "`x` is 0; it must be above 0"),
    ({"type": "boolean"}, "yes", "`x` must be true or false, not `yes`"),
    ({"type": "boolean"}, "True", "`x` must be true or false, not `True`"),
    ({"type": "boolean"}, '"true"', '`x` must be true or false, not the text "true"'),
    ({"type": "array", "items": {"type": "string"}}, "a", "`x` must be a list, not `a`"),
    ({"type": "array", "items": {"type": "string"}, "minItems": 1}, "[]", "`x` is an empty list"),
    (
        {"type": "array", "items": {"type": "integer"}},
        "[1, b]",
        "`x[1]` must be a whole number in plain digits, not `b`",
    ),
    (
        {"type": "string", "enum": ["browser", "search"]},
        "browsr",
        "unknown x `browsr`; did you mean `browser`?",
    ),
    ({"type": "string", "enum": ["browser", "search"]}, "zzz", "unknown x `zzz`; known: browser, search"),
    (
        {"type": "string", "pattern": "^a", "patternErrorMessage": "begin with a"},
        "b",
        "`x` is `b`: begin with a",
    ),
]


@pytest.mark.parametrize(("schema", "text", "message"), BAD)
def test_what_does_not_fit_is_said(schema: dict[str, Any], text: str, message: str) -> None:
    assert read(schema, text)[1] == [message]


def test_every_problem_is_reported_with_its_way() -> None:
    fact = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"id": {"type": "string"}},
        "required": ["id"],
    }
    messages = read({"type": "array", "items": fact}, "[{id: [1]}, {idd: a}]")[1]
    assert messages == [
        "`x[0].id` must be text, not a list",
        "unknown key `idd`; did you mean `id`?",
        "missing key `id`",
    ]


def test_a_rule_that_the_reader_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="maxLength"):
        compile_schema({"type": "string", "maxLength": 3}, {})
    with pytest.raises(ValueError, match="close its keys"):
        compile_schema({"type": "object", "properties": {}}, {})


def test_did_you_mean_lists_what_is_known_when_nothing_is_near() -> None:
    assert did_you_mean("live_chanel", ["live_channel", "query"]) == "; did you mean `live_channel`?"
    assert did_you_mean("zzz", ["a", "b"]) == "; known: a, b"


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9))
def test_plain_decimals_come_back(number: object) -> None:
    got, problems = read({"type": "number"}, f"{number:f}".replace("-0.000", "0.000"))
    assert problems == []
    assert f"{got:.3f}" == f"{number:.3f}".replace("-0.000", "0.000")

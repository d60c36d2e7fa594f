"""Arguments for any tool are valid by the tool's own schema."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from fixture_server.scripted.brain.arguments import call_of
from fixture_server.scripted.brain.conversation import Tool
from fixture_server.scripted.brain.instance import MISSING, instance
from fixture_server.scripted.brain.structure import Said, filled
from fixture_server.scripted.brain.style import Style
from fixture_server.scripted.brain.written import matching

NAMES = st.sampled_from(
    [
        *(
            "query",
            "url",
            "urls",
            "q",
            "question",
            "keywords",
            "answer",
            "reason",
            "limit",
            "max_results",
            "page",
        ),
        *(
            "domain",
            "include",
            "format",
            "options",
            "filter",
            "date",
            "lang",
            "depth",
            "timeout",
            "selector",
            "text",
        ),
        *("sources", "title", "citations", "status", "confidence"),
    ]
)


def _limited(
    kind: str, least: str, most: str, limits: st.SearchStrategy[int]
) -> st.SearchStrategy[dict[str, Any]]:
    def schema(pair: tuple[int, int], used: tuple[bool, bool]) -> dict[str, Any]:
        low, high = sorted(pair)
        return {"type": kind} | ({least: low} if used[0] else {}) | ({most: high} if used[1] else {})

    return st.builds(schema, st.tuples(limits, limits), st.tuples(st.booleans(), st.booleans()))


STRINGS = st.one_of(
    _limited("string", "minLength", "maxLength", st.integers(0, 12)),
    st.builds(
        lambda values: {"type": "string", "enum": values},
        st.lists(st.text(max_size=6), min_size=1, max_size=4, unique=True),
    ),
    st.builds(
        lambda form: {"type": "string", "format": form},
        st.sampled_from(["uri", "date", "date-time", "email", "uuid"]),
    ),
    st.builds(
        lambda pattern: {"type": "string", "pattern": pattern},
        st.sampled_from(
            [r"^[a-z]{2}$", r"^\d{4}-\d{2}-\d{2}$", r"^(asc|desc)$", r"^https?://.+", r"^[^\s]+@\w+\.\w{2,}$"]
        ),
    ),
)
NUMBERS = st.one_of(
    _limited("integer", "minimum", "maximum", st.integers(-50, 50)),
    _limited("number", "minimum", "maximum", st.integers(-50, 50)),
    st.builds(
        lambda low, step: {"type": "integer", "minimum": low, "multipleOf": step},
        st.integers(0, 50),
        st.integers(1, 7),
    ),
    st.builds(lambda low: {"type": "number", "exclusiveMinimum": low}, st.integers(-5, 5)),
)
LEAVES = st.one_of(
    STRINGS, NUMBERS, st.just({"type": "boolean"}), st.builds(lambda value: {"const": value}, st.integers())
)


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    def schema(properties: dict[str, Any], required: list[bool], closed: bool) -> dict[str, Any]:
        names = [name for name, wanted in zip(properties, required, strict=False) if wanted]
        made: dict[str, Any] = {"type": "object", "properties": properties, "required": names}
        return made | ({"additionalProperties": False} if closed else {})

    return st.builds(
        schema,
        st.dictionaries(NAMES, inner, max_size=5),
        st.lists(st.booleans(), min_size=5, max_size=5),
        st.booleans(),
    )


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        _objects(inner),
        st.builds(
            lambda items, pair: {
                "type": "array",
                "items": items,
                "minItems": min(pair),
                "maxItems": max(pair),
            },
            inner,
            st.tuples(st.integers(0, 3), st.integers(0, 3)),
        ),
        st.builds(lambda first, second: {"anyOf": [first, second]}, inner, inner),
        st.builds(lambda one: {"anyOf": [one, {"type": "null"}], "default": None}, inner),
        st.builds(lambda one: {"description": "said", **one}, inner),
    )


SCHEMAS = _objects(st.recursive(LEAVES, _nested, max_leaves=8))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SCHEMAS)
def test_arguments_are_valid(schema: dict[str, Any]) -> None:
    tool = Tool(name="web_search", description="Search", parameters=schema)
    call = call_of(
        tool, task="What does a kettle cost?", query="kettle cost", urls=("https://shop.example/kettle",)
    )
    errors = list(Draft202012Validator(schema).iter_errors(dict(call.arguments)))
    assert not errors, (call.arguments, errors[0].message)
    assert call == call_of(
        tool, task="What does a kettle cost?", query="kettle cost", urls=("https://shop.example/kettle",)
    )


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SCHEMAS)
def test_an_answer_in_a_form_is_valid(schema: dict[str, Any]) -> None:
    value = filled(
        schema, Said(refusal="I could not find it.", query="kettle", line="What does it cost?"), Style()
    )
    errors = list(Draft202012Validator(schema).iter_errors(value))
    assert not errors, (value, errors[0].message)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["a", r"\d", "[a-f0-9]", r"\w+", "(?:x|yz)", "b?", "c{2,3}", r"\.", "[^,]", r"(q)\1", r"\s*"]
        ),
        min_size=1,
        max_size=6,
    )
)
def test_a_pattern_gets_a_string_that_matches(parts: list[str]) -> None:
    pattern = "^" + "".join(parts) + "$"
    text = matching(pattern)
    assert text is not None
    assert re.search(pattern, text)


def test_references_and_recursion_are_followed() -> None:
    schema = {
        "type": "object",
        "properties": {"filter": {"$ref": "#/$defs/Filter"}},
        "required": ["filter"],
        "$defs": {
            "Filter": {
                "type": "object",
                "properties": {
                    "mode": {"enum": ["any", "all"]},
                    "inner": {"anyOf": [{"$ref": "#/$defs/Filter"}, {"type": "null"}]},
                },
                "required": ["mode", "inner"],
            }
        },
    }
    value = instance(schema, lambda name, part: MISSING)
    Draft202012Validator(schema).validate(value)
    assert value["filter"]["mode"] == "any"


def test_what_is_known_goes_where_it_belongs() -> None:
    tool = Tool(
        name="search",
        parameters={
            "type": "object",
            "properties": {
                "q": {"type": "string"},
                "depth": {"type": "string", "enum": ["basic", "advanced"]},
                "limit": {"type": "integer", "minimum": 3},
                "domains": {"type": ["array", "null"], "items": {"type": "string"}},
                "reason": {"type": "string"},
                "unneeded": {"type": "string"},
            },
            "required": ["q", "depth", "limit", "domains"],
        },
    )
    call = call_of(tool, task="What does a kettle cost?", query="kettle cost")
    assert call.arguments == {
        "q": "kettle cost",
        "depth": "basic",
        "limit": 3,
        "domains": None,
        "reason": "To find out: What does a kettle cost?",
    }

"""Tasks and results as JSON, the schemas that describe them, and what breaks the contract."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_webretrieval.systems import codec, contract
from pytest_webretrieval.systems.claims import read
from pytest_webretrieval.systems.contract import (
    Citation,
    Claim,
    ContractError,
    Credential,
    Refusal,
    RetrievalResult,
    Source,
    Task,
    User,
)

ANSWER = "The fee is 40 USD. It rises."
RESULT: dict[str, Any] = {
    "schema": "webretrieval.result/2",
    "status": "answered",
    "answer": ANSWER,
    "claims": [
        {"text": "The fee is 40 USD.", "start": 0, "end": 18, "citations": [{"url": "https://a.example/1"}]}
    ],
    "sources": [{"url": "https://a.example/1", "channel": "direct-fetch", "sha256": "ab"}],
    "refusal": None,
    "attempts": [{"url": "https://a.example/1", "status": 200, "note": "mine"}],
    "usage": {"cost_usd": 0.1, "input_tokens": 5, "cached": 3},
    "raw": {"any": ["thing", 1, None]},
    "system": {
        "name": "s",
        "version": "1",
        "config": {"model": "m", "max_tokens": 100, "api_key_env": "MY_API_KEY"},
    },
}
TASK = Task(
    task_id="t-1",
    query="How much?",
    prompt="How much? Start from: https://a.example/",
    start_urls=("https://a.example/",),
    channels={"browser": None, "search-api": {"dialects": {"tavily": {"base_url": "https://api.tavily.com"}}}},
    user=User(name="Ada", credentials=(Credential(kind="cookie", name="s", url="https://a.example/", value="v"),)),
    budget={"requests": 6, "cost_usd": None},
    policy=("login_bypass",),
    now="2026-11-29T12:00:00Z",
    user_agent="ua/1",
)  # fmt: skip


@pytest.mark.parametrize("name", ["task", "result"])
def test_the_schemas_are_valid_and_describe_every_field(name: str) -> None:
    schema = codec.schema(name)
    Draft202012Validator.check_schema(schema)
    for part in [schema, *schema["$defs"].values()]:
        for field, rule in part.get("properties", {}).items():
            described = "description" in rule or "description" in schema["$defs"].get(
                rule.get("$ref", "")[8:], {}
            )
            assert described, field


@pytest.mark.parametrize(
    ("kind", "name", "path", "own"),
    [
        (Task, "task", [], set()),
        (User, "task", ["$defs", "user"], set()),
        (Credential, "task", ["$defs", "credential"], set()),
        (RetrievalResult, "result", [], {"notes"}),
        (Claim, "result", ["$defs", "claim"], set()),
        (Citation, "result", ["$defs", "citation"], set()),
        (Source, "result", ["$defs", "source"], set()),
        (Refusal, "result", ["$defs", "refusal"], set()),
    ],
)
def test_dataclasses_and_schemas_agree(kind: Any, name: str, path: list[str], own: set[str]) -> None:
    schema = codec.schema(name)
    for step in path:
        schema = schema[step]
    fields = {field.name: field for field in dataclasses.fields(kind) if field.name not in own}
    assert set(schema["properties"]) == set(fields)
    assert schema["additionalProperties"] is False
    without_default = {
        field.name
        for field in fields.values()
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    }
    assert without_default <= set(schema.get("required", [])) <= without_default | {"schema"}
    assert getattr(contract, kind.__name__) is kind


def test_a_task_comes_back_as_it_went() -> None:
    data = json.loads(json.dumps(codec.task_to_json(TASK)))
    assert codec.task_from_json(data) == TASK
    assert data["user"]["credentials"] == [
        {"kind": "cookie", "name": "s", "url": "https://a.example/", "value": "v"}
    ]
    plain = Task(task_id="t", query="q", prompt="p")
    assert codec.task_from_json(json.loads(json.dumps(codec.task_to_json(plain)))) == plain


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"start_urls": ["/relative"]}, "/start_urls/0"),
        ({"user": {"name": "Ada", "credentials": [{"kind": "key", "name": "n", "url": "https://a.example"}]}},
         "/user/credentials/0/kind"),
        ({"deadline_s": "30"}, "/deadline_s"),
        ({"case_id": "S01"}, "/case_id"),
    ],
)  # fmt: skip
def test_a_task_that_is_wrong_is_named_by_its_pointer(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(ContractError) as caught:
        codec.task_from_json(codec.task_to_json(TASK) | change)
    assert caught.value.pointer == pointer


def test_a_result_comes_back_as_it_went() -> None:
    result = codec.result_from_json(RESULT)
    assert result.claims == (
        Claim(text="The fee is 40 USD.", start=0, end=18, citations=(Citation(url="https://a.example/1"),)),
    )
    assert codec.result_from_json(codec.result_to_json(result)) == result


@pytest.mark.parametrize(
    ("change", "pointer", "says"),
    [
        ({"statsu": "answered"}, "/statsu", "unknown field `statsu`; did you mean `status`?"),
        ({"schema": "webretrieval.result/1"}, "/schema", 'expected "webretrieval.result/2"'),
        ({"status": "done"}, "/status", '"done" is not one of answered, declined, failed'),
        ({"answer": 42}, "/answer", "expected string, got integer"),
        ({"answer": None}, "/answer", "expected string, got null"),
        ({"claims": {}}, "/claims", "expected array, got object"),
        ({"claims": [{"text": "x", "start": 0}]}, "/claims/0/end", "missing field `end`"),
        ({"claims": [{"text": "x", "start": 0, "end": 99}]}, "/claims/0/end", "outside the answer, which has 28"),
        ({"claims": [{"text": "x", "start": 29, "end": 28}]}, "/claims/0/start", "outside the answer"),
        ({"claims": [{"text": "x", "start": -1, "end": 3}]}, "/claims/0/start", "minimum"),
        ({"claims": [{"text": "x", "start": 5, "end": 3}]}, "/claims/0/end", "before start 5"),
        ({"claims": [{"text": "x", "start": True, "end": 3}]}, "/claims/0/start", "expected integer, got boolean"),
        ({"claims": [{"text": "x", "start": 0, "end": 1, "citations": [{"url": "/fees"}]}]},
         "/claims/0/citations/0/url", "not an absolute http or https URL"),
        ({"claims": [{"text": "x", "start": 0, "end": 1, "citations": ["https://a.example"]}]},
         "/claims/0/citations/0", "expected object, got string"),
        ({"sources": [{"url": "https://a.example", "final_url": "b.html"}]}, "/sources/0/final_url", "absolute"),
        ({"sources": [{"title": "A/B~C"}]}, "/sources/0/title", "unknown field"),
        ({"refusal": {"reason": "tired"}}, "/refusal/reason", '"tired" is not one of unsupported_media, '),
        ({"refusal": {"url": "here"}}, "/refusal/url", "absolute"),
        ({"refusal": {"why": "x"}}, "/refusal/why", "unknown field"),
        ({"attempts": ["GET"]}, "/attempts/0", "expected object, got string"),
        ({"usage": {"cost_usd": "1"}}, "/usage/cost_usd", "expected number or null, got string"),
        ({"usage": {"cost_usd": float("nan")}}, "/usage/cost_usd", "nan is not JSON"),
        ({"system": {"config": {"api_key": "abcd1234"}}}, "/system/config/api_key", "looks like a secret"),
        ({"system": {"config": {"llm": [{"note": "sk-abcdefghijklmnop1234"}]}}}, "/system/config/llm/0/note", "secret"),
        ({"system": {"config": {"db": "postgres://u:pw@h/d"}}}, "/system/config/db", "secret"),
        ({"raw": "x" * (8 * 1024 * 1024)}, "", "at most 8388608 (8 MB)"),
        ({"raw": {"a": {1: 2}}}, "/raw/a", "the key 1 is not a string"),
        ({"notes": ["cited"]}, "/notes", "unknown field"),
    ],
)  # fmt: skip
def test_what_breaks_the_contract_is_named_by_its_pointer(
    change: dict[str, Any], pointer: str, says: str
) -> None:
    with pytest.raises(ContractError) as caught:
        read(RESULT | change)
    assert caught.value.pointer == pointer
    assert says in str(caught.value)
    assert str(caught.value).startswith(pointer or "/")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("name", ["schema", "status", "answer"])
def test_a_missing_field_is_named(name: str) -> None:
    with pytest.raises(ContractError, match=f"^/{name}: missing field `{name}`"):
        read({key: value for key, value in RESULT.items() if key != name})


@pytest.mark.parametrize("payload", [None, 42, True, [], ["x"], {}, {"text": "hi"}, {"answer": "hi"}])
def test_what_is_neither_text_nor_a_result_is_refused(payload: Any) -> None:
    with pytest.raises(ContractError):
        read(payload)


def test_a_secret_is_never_repeated_in_the_message() -> None:
    with pytest.raises(ContractError) as caught:
        read(RESULT | {"system": {"config": {"password": "hunter2hunter2"}}})
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "config",
    [
        {"api_key": "MY_API_KEY"},
        {"api_key": "${MY_API_KEY}"},
        {"api_key": "***"},
        {"token": ""},
        {"tokenizer": "cl100k_base"},
        {"max_tokens": 4000},
        {"keyboard": "qwerty"},
        {"base_url": "https://api.example/v1"},
    ],
)
def test_what_is_no_secret_may_stand_in_a_config(config: dict[str, Any]) -> None:
    assert read(RESULT | {"system": {"config": config}}).system == {"config": config}


def test_declined_without_an_answer_is_a_result() -> None:
    payload = {
        "schema": "webretrieval.result/2",
        "status": "declined",
        "refusal": {"reason": "gone", "url": "https://a.example/1"},
    }
    result = read(payload)
    assert result.refusal == Refusal(reason="gone", url="https://a.example/1")
    assert (result.answer, result.claims, result.notes) == ("", (), ())


def test_declared_claims_stand_and_other_sentences_are_counted_as_claims() -> None:
    result = read(RESULT)
    assert [(c.text, len(c.citations)) for c in result.claims] == [
        ("The fee is 40 USD.", 1),
        ("It rises.", 0),
    ]


def test_a_result_without_claims_is_read_from_its_answer_or_from_raw() -> None:
    text = "The fee is 40 USD [1]. It rises."
    bare = {"schema": "webretrieval.result/2", "status": "answered", "answer": text}
    raw = {"choices": [{"message": {"content": text}}], "citations": ["https://a.example/1"]}
    assert read(bare).notes == ("dangling-citation",)
    for payload in (bare | {"raw": raw}, bare | {"raw": raw, "answer": f"Well.\n\n{text}"}):
        cited = {claim.text: [citation.url for citation in claim.citations] for claim in read(payload).claims}
        assert cited["The fee is 40 USD"] == ["https://a.example/1"]
        assert cited["It rises."] == []


def test_a_claim_whose_text_stands_elsewhere_is_found() -> None:
    claim = {"text": "It rises.", "start": 0, "end": 9}
    result = read(RESULT | {"claims": [claim]})
    assert (result.claims[0].start, result.claims[0].end) == (19, 28)
    assert result.notes == ("offset-invalid",)


def test_one_pair_for_each_declared_claim_and_source() -> None:
    citations = [
        {"url": "https://a.example/1"},
        {"url": "https://a.example/1#x"},
        {"url": "https://a.example/2"},
    ]
    result = read(
        RESULT | {"claims": [{"text": ANSWER, "start": 0, "end": len(ANSWER), "citations": citations}]}
    )
    assert [citation.url for citation in result.claims[0].citations] == [
        "https://a.example/1",
        "https://a.example/2",
    ]

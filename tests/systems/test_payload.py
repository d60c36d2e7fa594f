"""What user code returns, as JSON."""

from __future__ import annotations

import enum
import json
import types
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_webretrieval.systems.claims import read
from pytest_webretrieval.systems.contract import (
    Citation,
    Claim,
    ContractError,
    Refusal,
    RetrievalResult,
    Source,
)
from pytest_webretrieval.systems.payload import from_stdout, to_payload


class Colour(enum.Enum):
    RED = "red"


class Model(BaseModel):
    content: str
    at: datetime = datetime(2026, 11, 29, tzinfo=UTC)


class OldModel:
    """Dumps without the ``mode`` parameter, and not to JSON."""

    def model_dump(self) -> dict[str, Any]:
        return {"content": "x", "path": Path("/a"), "inner": Model(content="y")}


class WithToDict:
    def to_dict(self) -> dict[str, Any]:
        return {"answer": "x"}


class Message:
    """A message in the manner of LangChain, without a dump."""

    __slots__ = ("content", "response_metadata")

    def __init__(self) -> None:
        self.content = "The fee is 40 USD."
        self.response_metadata = {"model": "m"}


@dataclass
class Own:
    answer: str
    score: Decimal


@pytest.mark.parametrize(
    ("value", "payload"),
    [
        ("text", "text"),
        (b"text \xff", "text \ufffd"),
        ({"a": (1, 2.5, None, True)}, {"a": [1, 2.5, None, True]}),
        ({1: {Colour.RED: Colour.RED}}, {"1": {"red": "red"}}),
        (Model(content="x"), {"content": "x", "at": "2026-11-29T00:00:00Z"}),
        (OldModel(), {"content": "x", "path": "/a", "inner": {"content": "y", "at": "2026-11-29T00:00:00Z"}}),
        (WithToDict(), {"answer": "x"}),
        (Message(), {"content": "The fee is 40 USD.", "response_metadata": {"model": "m"}}),
        (Own(answer="x", score=Decimal("0.5")), {"answer": "x", "score": 0.5}),
        (types.SimpleNamespace(output=[Path("/a")]), {"output": ["/a"]}),
    ],
)  # fmt: skip
def test_values_become_json(value: Any, payload: Any) -> None:
    assert to_payload(value) == payload
    assert json.loads(json.dumps(to_payload(value))) == payload


def test_a_result_is_written_as_a_system_would_have() -> None:
    result = RetrievalResult(
        status="answered",
        answer="The fee is 40 USD.",
        claims=(Claim(text="The fee", start=0, end=7, citations=(Citation(url="https://a.example/"),)),),
        sources=(Source(url="https://a.example/"),),
        refusal=Refusal(detail="no"),
        raw=Model(content="x"),
        notes=("ours",),
    )
    assert to_payload(result) == {
        "schema": "webretrieval.result/2",
        "status": "answered",
        "answer": "The fee is 40 USD.",
        "claims": [{"text": "The fee", "start": 0, "end": 7, "citations": [{"url": "https://a.example/"}]}],
        "sources": [{"url": "https://a.example/"}],
        "refusal": {"detail": "no"},
        "raw": {"content": "x", "at": "2026-11-29T00:00:00Z"},
    }
    assert read(to_payload(result)).claims[0] == result.claims[0]


def test_a_result_that_is_wrong_stays_wrong_for_the_reader() -> None:
    with pytest.raises(ContractError, match=r"^/status: "):
        read(to_payload(RetrievalResult(status="answerd", answer="x")))
    claim: Any = {"text": "x", "start": 0, "end": 9}
    with pytest.raises(ContractError, match=r"^/claims/0/end: "):
        read(to_payload(RetrievalResult(status="answered", answer="x", claims=(claim,))))


def circle() -> dict[str, Any]:
    data: dict[str, Any] = {}
    data["again"] = data
    return data


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "nothing"),
        (object(), "an object of type object"),
        ({"a": [object()]}, "/a/0: an object of type object"),
        ((c for c in "abc"), "return the whole answer"),
        (Model, "the class Model"),
        (circle(), "in a circle"),
        ({"a": float("inf")}, "/a: inf is not JSON"),
        ({"a": "x" * 9_000_000}, "8 MB"),
        ({object(): 1}, "is not a string"),
    ],
)
def test_what_has_no_json_form_breaks_the_contract(value: Any, says: str) -> None:
    with pytest.raises(ContractError) as caught:
        to_payload(value)
    assert says in str(caught.value)


def test_text_is_cut_at_8_mb_between_characters() -> None:
    text = "é" * 5_000_000
    cut = to_payload(text)
    assert cut == "é" * (4 * 1024 * 1024)


def test_an_sdk_response_passes_through() -> None:
    from openai.types.chat import ChatCompletion

    data = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {
                    "role": "assistant",
                    "content": "The fee is 40 USD [x].",
                    "annotations": [
                        {
                            "type": "url_citation",
                            "url_citation": {
                                "start_index": 18,
                                "end_index": 21,
                                "title": "t",
                                "url": "https://a.example/",
                            },
                        }
                    ],
                },
            }
        ],
    }
    result = read(to_payload(ChatCompletion.model_validate(data)))
    assert [citation.url for citation in result.claims[0].citations] == ["https://a.example/"]


def test_standard_output_that_is_a_providers_response_is_read_as_one() -> None:
    payload = from_stdout(b' {"choices": [{"message": {"content": "x"}}]}\n', whole=True)
    assert read(payload).answer == "x"

"""Secrets, in whatever way they are written, and what only looks like one."""

from __future__ import annotations

import base64
import html
import json
import time
import urllib.parse
from collections.abc import Callable

import pytest

from pytest_webretrieval.wire.scrubbing import Scrubber
from pytest_webretrieval.wire.secrets import scrubber, secrets_of

VALUE = 'cAn4ry/Vault+"9f8e7d6c"='
ENVIRONMENT = {"VAULT_TOKEN": VALUE}

FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in JSON": lambda text: json.dumps({"a": text}),
    "in JSON in JSON": lambda text: json.dumps({"arguments": json.dumps({"a": text})}),
    "with escaped slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "in a path": lambda text: urllib.parse.quote(text, safe=""),
    "in a query": urllib.parse.quote_plus,
    "in lower-case escapes": lambda text: urllib.parse.quote(text, safe="").lower(),
    "in HTML": html.escape,
    "in capitals": str.upper,
    "as base64": lambda text: base64.b64encode(text.encode()).decode(),
    "as basic credentials": lambda text: "Basic " + base64.b64encode(f"me:{text}".encode()).decode(),
    "within base64": lambda text: base64.b64encode(f"ab{text}tail".encode()).decode(),
    "as base64 for URLs": lambda text: base64.urlsafe_b64encode(f"a{text}".encode()).decode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_value_of_the_environment_is_found_in_every_form(form: str) -> None:
    written = FORMS[form](VALUE)
    clean = scrubber(ENVIRONMENT)(f"before {written} after")
    assert "[redacted:VAULT_TOKEN]" in clean
    assert written not in clean
    assert clean.startswith("before ")
    assert clean.endswith(" after")


@pytest.mark.parametrize("value", ["$esame12", "xxxxxxxx", "<word-of-the-house>", "not-a-secret-they-said"])
def test_what_is_declared_a_secret_is_one_however_it_looks(value: str) -> None:
    assert secrets_of({"WEBRETRIEVAL_SECRETS": ",A_WORD", "A_WORD": value}) == {value: "A_WORD"}
    assert secrets_of({"A_TOKEN": value}) == {}
    assert secrets_of({"WEBRETRIEVAL_SECRETS": "A_WORD", "A_WORD": value[:7]}) == {}


def test_which_variables_hold_secrets() -> None:
    found = secrets_of(
        {
            "A_TOKEN": "first-value-1",
            "DB_PASSWORD": "second-value",
            "AWS_ACCESS_KEY_ID": "third-value-3",
            "DATABASE_URL": "postgres://me:fourth-value@db/x",
            "OPENAI_API_KEY": "sk-not-a-secret",
            "PWD": "/home/somebody",
            "SHORT_TOKEN": "page",
            "LANG": "en_GB.UTF-8",
        }
    )
    assert set(found) == {"first-value-1", "second-value", "third-value-3", "fourth-value"}


JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwiZXhwIjoxNzAwMDAwMDAwfQ.c2lnbmF0dXJl"
LOOKS = [
    JWT,
    "sk-proj-4f1c9a7be2d84c6f9a10b3c5",
    "tvly-dev-4f1c9a7be2d84c6f",
    "AKIA4F1C9A7BE2D84C6F",
    "ghp_4f1c9a7be2d84c6f9a10b3c54f1c9a7be2d8",
    "xoxb-4f1c9a7be2d84c6f",
    "AIzaSyA4f1c9a7be2d84c6f9a10b3c54f1c9a7b",
    "Bearer 4f1c9a7be2d84c6f9a10b3c5",
    "postgres://me:4f1c9a7b@db/x",
    "-----BEGIN PRIVATE KEY-----\nMIIE4f1c9a7b\n-----END PRIVATE KEY-----",
]


@pytest.mark.parametrize("text", LOOKS)
def test_what_looks_like_a_key_is_replaced_by_the_same_each_time(text: str) -> None:
    first, second = (Scrubber({}).text(f"see {text} here") for _ in range(2))
    assert "redacted" in first
    assert "4f1c9a7b" not in first.lower()
    assert first == second
    assert Scrubber({}).text(first) == first


def test_a_token_with_three_parts_keeps_them_and_does_not_run_out() -> None:
    clean = Scrubber({}).text(JWT)
    _, claims, _ = clean.split(".")
    read = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    assert read["exp"] > 4_000_000_000
    assert read["sub"].startswith("redacted-")


NAMED = {
    '{"api_key": "c4n4ry-one"}': '{"api_key": "[redacted:api_key]"}',
    r'{"call": "{\"password\": \"c4n4ry-two\"}"}': r'{"call": "{\"password\": \"[redacted:password]\"}"}',
    "user=me&password=c4n4ry-three&next=1": "user=me&password=[redacted:password]&next=1",
    "https://x.example/a?access_token=c4n4ry&page=2": "https://x.example/a?access_token=[redacted:access_token]&page=2",
    'form-data; name="password"\r\n\r\nc4n4ry\r\n--b': 'form-data; name="password"\r\n\r\n[redacted:password]\r\n--b',
    "X-Api-Key: c4n4ry-four": "X-Api-Key: [redacted:x-api-key]",
}


@pytest.mark.parametrize("text", NAMED)
def test_a_field_that_is_named_like_a_secret_holds_one(text: str) -> None:
    assert Scrubber({}).text(text) == NAMED[text]


def test_signatures_are_told_apart_by_their_looks() -> None:
    assert "0123456789abcdef0123" not in Scrubber({}).text("https://x.example/f?sig=0123456789abcdef0123&v=1")


@pytest.mark.parametrize(
    "text",
    [
        "The token is nice, the key: valuable.",
        '{"token": "Hello", "logprob": -0.1}',
        "max_tokens=12&page=key",
        '{"key": "name", "value": 1}',
        '{"api_key": "not-a-secret"}',
        "Authorization: Bearer tvly-not-a-secret",
        '{"total_tokens": 1280, "token_type": "bearer"}',
        "published on 12 March 2026, see https://harbour.example/notices/db30d2",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert Scrubber({}).text(text) == text


def test_what_the_world_gave_stays() -> None:
    scrub = Scrubber({}, known=lambda value: "5f4dcc3b5aa765d61d8327deb882cf99" in value)
    headers = {
        "authorization": "Bearer 5f4dcc3b5aa765d61d8327deb882cf99",
        "cookie": "sid=5f4dcc3b5aa765d61d8327deb882cf99; own=1",
    }
    assert scrub.headers(headers)["authorization"] == headers["authorization"]
    assert scrub.headers(headers)["cookie"].startswith("sid=5f4dcc3b5aa765d61d8327deb882cf99; own=[redacted")


def test_headers_keep_their_shape() -> None:
    clean = Scrubber({}).headers(
        {
            "authorization": "Basic bWU6Y2FuYXJ5",
            "set-cookie": "sid=c4n4ry; Path=/; HttpOnly\nlang=en; Path=/",
            "x-goog-api-key": "c4n4ry",
            "content-type": "text/html",
        }
    )
    assert clean["authorization"] == "Basic [redacted:authorization]"
    assert clean["set-cookie"] == "sid=[redacted:sid]; Path=/; HttpOnly\nlang=[redacted:lang]; Path=/"
    assert clean["x-goog-api-key"] == "[redacted:x-goog-api-key]"
    assert clean["content-type"] == "text/html"


def test_a_token_that_was_given_is_found_where_it_is_used() -> None:
    scrub = Scrubber({})
    given = scrub.body(b'{"access_token": "9f8e7d6c5b4a39281706"}', "application/json").decode()
    held = json.loads(given)["access_token"]
    assert scrub.text("GET /data?t=9f8e7d6c5b4a39281706") == f"GET /data?t={held}"


def stream(*texts: str) -> str:
    rows = ({"choices": [{"index": 0, "delta": {"content": text}}]} for text in texts)
    return "".join(f"data: {json.dumps(row)}\n\n" for row in rows) + "data: [DONE]\n\n"


def said(body: str) -> str:
    rows = (json.loads(line[6:]) for line in body.splitlines() if line.startswith("data: {"))
    return "".join(row["choices"][0]["delta"]["content"] for row in rows)


@pytest.mark.parametrize("size", [1, 3, 7, 40])
def test_a_secret_over_several_deltas_is_found(size: int) -> None:
    text = f"the key is {VALUE}, keep it"
    body = stream(*(text[at : at + size] for at in range(0, len(text), size)))
    clean = Scrubber(ENVIRONMENT).body(body.encode(), "text/event-stream; charset=utf-8").decode()
    assert said(clean) == "the key is [redacted:VAULT_TOKEN], keep it"
    assert clean.count("data: ") == body.count("data: ")


def test_arguments_of_a_tool_in_deltas_are_read_as_one_text() -> None:
    arguments = json.dumps({"query": "tides", "api_key": "c4n4ry-five"})
    rows = [
        {
            "choices": [
                {
                    "index": 0,
                    "delta": {
                        "tool_calls": [{"index": 0, "function": {"arguments": arguments[at : at + 4]}}]
                    },
                }
            ]
        }
        for at in range(0, len(arguments), 4)
    ]
    body = "".join(f"data: {json.dumps(row)}\n\n" for row in rows)
    clean = Scrubber({}).body(body.encode(), "text/event-stream").decode()
    whole = "".join(
        json.loads(line[6:])["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"]
        for line in clean.splitlines()
        if line
    )
    assert json.loads(whole) == {"query": "tides", "api_key": "[redacted:api_key]"}


def test_two_answers_in_turns_are_not_mixed_up() -> None:
    half, other = VALUE[:10], VALUE[10:]
    rows = [(0, half), (1, "one"), (0, other), (1, "two")]
    body = "".join(
        f"data: {json.dumps({'choices': [{'index': place, 'delta': {'content': text}}]})}\n\n"
        for place, text in rows
    )
    clean = Scrubber(ENVIRONMENT).body(body.encode(), "text/event-stream").decode()
    assert "[redacted:VAULT_TOKEN]" in clean
    assert "one" in clean
    assert "two" in clean


def test_what_is_not_text_goes_through_as_it_is() -> None:
    body = bytes(range(256)) * 4
    assert Scrubber(ENVIRONMENT).body(body, "application/octet-stream") is body
    clean = Scrubber(ENVIRONMENT).body(body + VALUE.encode(), "application/octet-stream")
    assert clean == body + b"[redacted:VAULT_TOKEN]"


@pytest.mark.parametrize(
    "text",
    [
        'name="token"\nabc\n' * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 10_000,
        "\\" * 100_000,
    ],
    ids=["parts without an end", "keys without an end", "backslashes"],
)
def test_a_page_that_nearly_holds_secrets_is_searched_in_time_that_grows_with_its_size(text: str) -> None:
    began = time.process_time()
    Scrubber({}).text(text)
    # A second or less; were each beginning sought to the end of the text, minutes.
    assert time.process_time() - began < 10

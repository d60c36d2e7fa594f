"""Which requests are the same, and how a miss is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vcr import matchers
from vcr.request import Request

from pytest_webretrieval.wire.cassettes import Interaction, RecordingError, Sent
from pytest_webretrieval.wire.matching import VOLATILE, differences, fields_of, nearest, volatile_names
from pytest_webretrieval.wire.recording import Miss, Recording
from pytest_webretrieval.wire.sidecar import Cassette

JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


def _sent(
    url: str = "https://a.test/p", method: str = "GET", headers: dict[str, str] | None = None, body: Any = b""
) -> Sent:
    return Sent(
        method=method,
        url=url,
        headers=headers or {},
        body=body if isinstance(body, bytes) else json.dumps(body).encode(),
    )


def _differ(asked: Sent, recorded: Sent) -> list[str]:
    return [one.field for one in differences(fields_of(asked), fields_of(recorded))]


def _multipart(boundary: str, **fields: str) -> Sent:
    parts = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    return _sent(
        method="POST",
        headers={"content-type": f"multipart/form-data; boundary={boundary}"},
        body=f"{parts}--{boundary}--\r\n".encode(),
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_sent("https://a.test/p?a=1&b=2&b=3"), _sent("https://A.test:443/p?b=3&a=1&b=2")),
        (_sent("https://a.test"), _sent("https://a.test/")),
        (_sent(headers=JSON, body={"a": 1, "b": [True, None]}), _sent(headers=JSON, body=b'{"b":[true,null],\n"a":1}')),
        (_sent(headers={"content-type": "text/x+json; a=b"}, body={"a": 1}), _sent(headers=JSON, body=b'{"a" : 1}')),
        (_sent(headers=FORM, body=b"a=1&b=x%20y"), _sent(headers=FORM, body=b"b=x+y&a=1")),
        (_multipart("----one", q="x"), _multipart("----two", q="x")),
        (_sent(headers={"x-request-id": "1", "x-amz-date": "20260101"}), _sent(headers={"x-request-id": "2"})),
        (_sent("https://a.test/p?q=x&ts=1790000000&_=1"), _sent("https://a.test/p?q=x&ts=1790000001")),
        (_sent("https://a.test/p?X-Amz-Date=1&X-Amz-Signature=a"), _sent("https://a.test/p?X-Amz-Date=2&X-Amz-Signature=b")),
        (_sent(headers=JSON, body={"nonce": "n1", "q": "x"}), _sent(headers=JSON, body={"q": "x", "nonce": "n2"})),
        (_sent(headers=JSON, body={"a": [{"timestamp": 1, "q": "x"}]}), _sent(headers=JSON, body={"a": [{"q": "x"}]})),
        (_sent(headers=FORM, body=b"nonce=1&q=x"), _sent(headers=FORM, body=b"q=x&nonce=2")),
        (_multipart("b1", nonce="1", q="x"), _multipart("b2", nonce="2", q="x")),
    ],
)  # fmt: skip
def test_the_same(one: Sent, other: Sent) -> None:
    assert _differ(one, other) == []
    assert _differ(other, one) == []


@pytest.mark.parametrize(
    ("one", "other", "field"),
    [
        (_sent(), _sent(method="POST"), "method"),
        (_sent(), _sent("http://a.test:443/p"), "scheme"),
        (_sent(), _sent("https://b.test/p"), "host"),
        (_sent(), _sent("https://a.test:444/p"), "port"),
        (_sent(), _sent("https://a.test/q"), "path"),
        (_sent("https://a.test/p?q=a"), _sent("https://a.test/p?q=b"), "query q"),
        (_sent("https://a.test/p?q="), _sent(), "query q"),
        (_sent(headers=JSON, body={"a": {"b/c": 1}}), _sent(headers=JSON, body={"a": {"b/c": 2}}), "body /a/b~1c"),
        (_sent(headers=JSON, body={"a": 1}), _sent(headers=JSON, body={"a": True}), "body /a"),
        (_sent(headers=JSON, body={"a": 1}), _sent(headers=JSON, body={"a": "1"}), "body /a"),
        (_sent(headers=JSON, body={"a": []}), _sent(headers=JSON, body={"a": {}}), "body /a"),
        (_sent(headers=JSON, body=b"{"), _sent(headers=JSON, body=b"["), "body"),
        (_sent(headers=FORM, body=b"q=a"), _sent(headers=FORM, body=b"q=b"), "body /q"),
        (_multipart("x", q="a"), _multipart("x", q="b"), "body /0/q/content"),
        (_sent(body=b"\xff\x00"), _sent(body=b"\xff\x01"), "body"),
    ],
)  # fmt: skip
def test_not_the_same(one: Sent, other: Sent, field: str) -> None:
    assert _differ(one, other) == [field]
    assert _differ(other, one) == [field]


@given(
    st.lists(st.sampled_from(["https", "http"]), min_size=2, max_size=2),
    st.lists(st.sampled_from(["a.test", "b.test", "A.TEST", "a.test:8443"]), min_size=2, max_size=2),
    st.lists(st.sampled_from(["", "/", "/p", "/p/", "/%7Ep"]), min_size=2, max_size=2),
    st.lists(st.sampled_from(["", "?a=1&b=2", "?b=2&a=1", "?a=1&a=2", "?a=2&a=1"]), min_size=2, max_size=2),
)
def test_we_agree_with_vcrpy_where_it_tells_requests_apart(
    schemes: list[str], hosts: list[str], paths: list[str], queries: list[str]
) -> None:
    urls = [f"{s}://{h}{p}{q}" for s, h, p, q in zip(schemes, hosts, paths, queries, strict=True)]
    theirs = [getattr(matchers, name) for name in ("method", "scheme", "host", "port", "path", "query")]
    there = matchers.requests_match(*(Request("GET", url, None, {}) for url in urls), theirs)
    assert (_differ(*map(_sent, urls)) == []) == there


JWT = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiJyZWRhY3RlZC0xMjM0NTY3OCJ9.redacted"


@pytest.mark.parametrize(
    "taken", ["[redacted:ACME_KEY]", "[redacted:api_key:1234abcd]", "tvly-redacted-1234abcd", JWT]
)
def test_what_was_taken_out_stands_for_anything_but_another_such(taken: str) -> None:
    recorded = _sent(
        f"https://a.test/p?k={taken}", headers=JSON, body={"api_key": taken, "q": f"Bearer {taken}, x"}
    )
    real = _sent("https://a.test/p?k=tvly-dummy", headers=JSON, body={"api_key": "", "q": "Bearer \nodd, x"})
    same = recorded
    other = _sent(
        f"https://a.test/p?k={taken}",
        headers=JSON,
        body={"api_key": "[redacted:OTHER]", "q": f"Bearer {taken}, x"},
    )
    assert _differ(real, recorded) == []
    assert _differ(same, recorded) == []
    assert _differ(other, recorded) == ["body /api_key"]
    assert _differ(
        _sent("https://a.test/p?k=x", headers=JSON, body={"api_key": "", "q": "Basic x"}), recorded
    ) == ["body /q"]


def test_names_can_be_added(tmp_path: Path) -> None:
    assert volatile_names(tmp_path) == VOLATILE
    (tmp_path / "volatile.txt").write_text("# of our own API\nSession-Ref\n\n  trace # each time\n")
    names = volatile_names(tmp_path)
    assert names == VOLATILE | {"session-ref", "trace"}
    one, other = (_sent(f"https://a.test/?session-ref={n}", headers=JSON, body={"trace": n}) for n in (1, 2))
    assert fields_of(one, names) == fields_of(other, names)
    (tmp_path / "volatile.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(RecordingError, match=r"cannot read .+volatile.txt"):
        volatile_names(tmp_path)


def _recording(*sents: Sent) -> Recording:
    interactions = tuple(Interaction(sent=sent, status=200) for sent in sents)
    recording = Recording(
        path=Path("x.yaml"),
        name="cassettes/c/x.yaml",
        mode="none",
        writes=False,
        volatile=VOLATILE,
        loaded=Cassette(interactions=interactions),
    )
    recording.fields += [fields_of(sent) for sent in sents]
    return recording


def _missed(recording: Recording, sent: Sent) -> str:
    with pytest.raises(Miss) as miss:
        recording.answer(sent)
    return str(miss.value)


def test_a_miss_names_the_nearest_recording_and_the_field() -> None:
    search = "https://api.acme.test/search"
    recording = _recording(
        _sent("https://other.test/search", "POST", JSON, {"query": "tariff of the harbour"}),
        _sent(search, "POST", JSON, {"query": "ferry times", "max": 5}),
        _sent(search, "POST", JSON, {"query": "tariff of the river", "max": 5}),
    )
    asked = _sent(search, "POST", JSON, {"query": "tariff of the harbour", "max": 5})
    assert _missed(recording, asked) == (
        "no recording of POST https://api.acme.test/search: body /query: recorded '…riff of the river\"', "
        "asked '…riff of the harbour\"' (the nearest is cassettes/c/x.yaml #3); "
        "record it with --webretrieval-record=new_episodes"
    )


def test_many_differences_are_counted() -> None:
    recording = _recording(_sent(headers=JSON, body=dict.fromkeys("abcdef", 1)))
    told = _missed(recording, _sent(headers=JSON, body={}))
    assert ": body /a: recorded '1', asked nothing; body /b: " in told
    assert "; and 4 more (the nearest is" in told


def test_a_secret_in_what_was_asked_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_API_KEY", "canary-0123456789-canary")
    recording = _recording(_sent("https://a.test/p?key=x"))
    told = _missed(recording, _sent("https://a.test/p?key=canary-0123456789-canary"))
    assert "canary" not in told
    assert "query key: recorded 'x', asked " in told


@given(
    st.lists(st.sampled_from(["a", "b", "c"]), max_size=8),
    st.lists(st.sampled_from(["a", "b", "c"]), max_size=8),
)
def test_each_recording_is_played_once_and_in_order(held: list[str], asked: list[str]) -> None:
    recording = _recording(*(_sent(f"https://a.test/{name}") for name in held))
    left = list(enumerate(held))
    for name in asked:
        due = next((pair for pair in left if pair[1] == name), None)
        if due is None:
            with pytest.raises(Miss):
                recording.answer(_sent(f"https://a.test/{name}"))
        else:
            assert recording.answer(_sent(f"https://a.test/{name}")) is recording.interactions[due[0]]
            left.remove(due)
    assert len(recording.keep().unplayed) == len(left)


def test_the_nearest_of_none() -> None:
    assert nearest(fields_of(_sent()), []) is None

"""Secrets taken out of recordings: parts, lengths and encodings stay true."""

from __future__ import annotations

import gzip
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.wire.cassettes import Interaction, Sent
from pytest_webretrieval.wire.coding import decoded
from pytest_webretrieval.wire.scrubbed import scrubbed
from pytest_webretrieval.wire.scrubbing import Scrubber

KEY = "acmekey-Q7r9-CANARY-x1Z8"
TAKEN = "[redacted:ACME_API_KEY]"


def _clean(*interactions: Interaction) -> tuple[Interaction, ...]:
    return scrubbed(interactions, Scrubber({"ACME_API_KEY": KEY}))


def _given(body: bytes, sizes: list[int], **headers: str) -> Interaction:
    sent = Sent(method="GET", url="https://a.test/")
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    chunks = tuple((0.1 * (place + 1), size) for place, size in enumerate(sizes))
    return Interaction(sent=sent, status=200, body=body, chunks=chunks, headers=named)


def test_without_a_secret_nothing_changes() -> None:
    one = _given(gzip.compress(b"hello"), [25], Content_Encoding="gzip", Content_Length="25")
    assert _clean(one) == (one,)


def test_the_request_is_cleaned_wherever_it_stands() -> None:
    sent = Sent(
        method="POST",
        url=f"https://a.test/{KEY}?q={KEY}",
        headers={"authorization": f"Bearer {KEY}", "x-other": f"a {KEY}", "content-type": "application/json"},
        body=f'{{"deep": ["{KEY}"]}}'.encode(),
    )
    packed = Sent(
        method="POST",
        url="https://a.test/",
        headers={"content-encoding": "gzip"},
        body=gzip.compress(KEY.encode()),
    )
    first, second = _clean(Interaction(sent=sent, status=200), Interaction(sent=packed, status=200))
    assert KEY not in repr(first)
    assert first.sent.body == f'{{"deep": ["{TAKEN}"]}}'.encode()
    assert decoded(second.sent.body, "gzip") == TAKEN.encode()


def test_the_length_is_that_of_what_is_kept() -> None:
    (one,) = _clean(_given(f"key {KEY}!".encode(), [29], Content_Length="29", Content_Type="text/plain"))
    assert one.body == f"key {TAKEN}!".encode()
    assert one.header("content-length") == str(len(one.body))
    assert one.chunks == ((0.1, len(one.body)),)


def test_what_goes_over_two_parts_stays_in_the_first() -> None:
    body = f"ab{KEY}cd{KEY}ef".encode()
    cut = 2 + 5
    (one,) = _clean(_given(body, [cut, 10, len(body) - cut - 10]))
    assert one.body == f"ab{TAKEN}cd{TAKEN}ef".encode()
    assert [size for _, size in one.chunks] == [2 + len(TAKEN), 0, len(one.body) - 2 - len(TAKEN)]


def test_an_encoded_stream_keeps_the_number_of_its_parts() -> None:
    body = gzip.compress(f"data: {KEY}\n\n".encode() * 30)
    (one,) = _clean(_given(body, [10, 20, len(body) - 30], Content_Encoding="gzip"))
    plain = decoded(one.body, "gzip")
    assert plain == f"data: {TAKEN}\n\n".encode() * 30
    assert len(one.chunks) == 3
    assert sum(size for _, size in one.chunks) == len(one.body)


@given(st.lists(st.sampled_from([KEY.encode(), b"x", "ü".encode(), b"\xff", b" \n"]), max_size=12), st.data())
def test_parts_make_up_the_body_wherever_they_were_cut(pieces: list[bytes], data: Any) -> None:
    body = b"".join(pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=5)))
    sizes = [end - start for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    (one,) = _clean(_given(body, sizes))
    assert KEY.encode() not in one.body
    assert sum(size for _, size in one.chunks) == len(one.body)
    assert [at_s for at_s, _ in one.chunks] == [0.1 * (place + 1) for place in range(len(sizes))]
    assert all(size >= 0 for _, size in one.chunks)
    assert list(accumulate(size for _, size in one.chunks))[-1] == len(one.body)


@pytest.mark.parametrize("order", [1, -1])
def test_a_token_is_the_same_wherever_it_stands_also_before_it_shows(order: int) -> None:
    token = "q9W8e7R6t5Y4u3I2o1P0"
    login = _given(f'{{"access_token": "{token}"}}'.encode(), [], Content_Type="application/json")
    use = Interaction(
        sent=Sent(method="GET", url=f"https://a.test/?of={token}"), status=200, body=f"for {token}".encode()
    )
    cleaned = _clean(*[login, use][::order])[::order]
    assert token not in repr(cleaned)
    placeholder = cleaned[1].body.removeprefix(b"for ").decode()
    assert placeholder in cleaned[0].body.decode()
    assert placeholder in cleaned[1].sent.url

"""Content codings, taken off and put on again."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.wire.coding import decoded, encoded, narrowed

TEXT = b"The harbour tariff rises. " * 20


@given(
    st.binary(max_size=300), st.sampled_from([None, "gzip", "deflate", "x-gzip", "gzip, deflate", "identity"])
)
def test_there_and_back(body: bytes, codings: str | None) -> None:
    assert decoded(encoded(body, codings), codings) == body
    assert encoded(body, codings) == encoded(body, codings)


@given(st.lists(st.integers(0, 9000), min_size=1, max_size=4), st.integers(1, 20_000))
def test_members_of_any_size_and_a_limit(sizes: list[int], limit: int) -> None:
    plain = [bytes(number % 251 for number in range(size)) for size in sizes]
    body = b"".join(gzip.compress(one, compresslevel=0) for one in plain)
    assert decoded(body, "gzip") == b"".join(plain)
    assert decoded(body, "gzip", limit) == b"".join(plain)[:limit]


@pytest.mark.parametrize(
    ("body", "codings", "plain"),
    [
        (zlib.compress(TEXT)[2:-4], "deflate", TEXT),  # without zlib's frame, as some servers send it
        (gzip.compress(TEXT) + gzip.compress(b"more"), " GZIP ", TEXT + b"more"),
        (b"", "gzip", b""),
        (TEXT, "", TEXT),
        (TEXT, "gzip", None),
        (TEXT, "br", None),
        (gzip.compress(TEXT), "br, gzip", None),
    ],
    ids=["raw", "members", "nothing", "plain", "not gzip", "br", "br and gzip"],
)
def test_what_servers_send(body: bytes, codings: str, plain: bytes | None) -> None:
    assert decoded(body, codings) == plain


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (gzip.compress(TEXT), "gzip"),
        (gzip.compress(TEXT[:30]) * 9, "gzip"),
        (zlib.compress(TEXT), "deflate"),
    ],
    ids=["gzip", "members", "deflate"],
)
def test_no_more_is_unpacked_than_asked_for(body: bytes, coding: str) -> None:
    whole = decoded(body, coding)
    assert whole is not None
    assert [decoded(body, coding, limit) for limit in (1, 60, len(whole), len(whole) + 1)] == [
        whole[:1],
        whole[:60],
        whole,
        whole,
    ]


def test_a_cut_body_is_read_as_far_as_it_came() -> None:
    whole = gzip.compress(bytes(range(256)) * 50, compresslevel=0)
    part = decoded(whole[: len(whole) // 2], "gzip")
    assert part
    assert (bytes(range(256)) * 50).startswith(part)


@pytest.mark.parametrize(
    ("accept", "narrow"),
    [
        ("gzip, deflate, br, zstd", "gzip, deflate"),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", "gzip;q=0.8"),
        ("br", "identity"),
        ("", "identity"),
        ("GZIP", "GZIP"),
    ],
)
def test_only_what_can_be_read_later_is_asked_for(accept: str, narrow: str) -> None:
    assert narrowed(accept) == narrow

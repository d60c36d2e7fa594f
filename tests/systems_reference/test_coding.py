"""Content codings, those that are broken among them, and texts that are not in the charset that they claim."""

from __future__ import annotations

import gzip
import zlib

import pytest

from pytest_webretrieval.systems.reference.charset import decode
from pytest_webretrieval.systems.reference.coding import Undecodable, unpacked

TEXT = b"Current version: v4.0. " * 40
LIMIT = 1 << 20
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)


@pytest.mark.parametrize(
    ("body", "codings"),
    [
        (TEXT, ""),
        (TEXT, "identity"),
        (gzip.compress(TEXT), "gzip"),
        (gzip.compress(TEXT), "X-GZIP"),
        (gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]), "gzip"),
        (gzip.compress(gzip.compress(TEXT)), "gzip"),
        (gzip.compress(gzip.compress(TEXT)), "gzip, gzip"),
        (zlib.compress(TEXT), "deflate"),
        (RAW.compress(TEXT) + RAW.flush(), "deflate"),
        (gzip.compress(zlib.compress(TEXT)), "deflate, gzip"),
        (gzip.compress(TEXT) + b"\0\0", "gzip"),
    ],
)
def test_what_is_whole(body: bytes, codings: str) -> None:
    assert unpacked(body, codings, LIMIT) == (TEXT, True)


@pytest.mark.parametrize("left", [10, 0.3, 0.9, -1, -8])
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_what_ends_before_its_end(coding: str, left: float) -> None:
    whole = gzip.compress(TEXT, compresslevel=0) if coding == "gzip" else zlib.compress(TEXT, 0)
    if coding == "deflate" and left == -8:
        left = -4
    cut = whole[: int(left) if isinstance(left, int) else int(len(whole) * left)]
    body, ended = unpacked(cut, coding, LIMIT)
    assert not ended
    assert TEXT.startswith(body)


@pytest.mark.parametrize(("body", "codings"), [(TEXT, "gzip"), (b"\xff" * 9, "deflate"), (TEXT, "br")])
def test_what_is_not_in_its_coding(body: bytes, codings: str) -> None:
    with pytest.raises(Undecodable):
        unpacked(body, codings, LIMIT)


def test_no_more_is_unpacked_than_can_be_used() -> None:
    bomb = gzip.compress(bytes(64 << 20))
    body, ended = unpacked(bomb, "gzip", LIMIT)
    assert (len(body), ended) == (LIMIT + 1, False)


@pytest.mark.parametrize("text", ["Ø-4471", "naïveté “à la”", "價格 €"])
@pytest.mark.parametrize("charset", ["windows-1252", "iso-8859-1"])
def test_utf_8_that_is_called_something_else(text: str, charset: str) -> None:
    assert decode(text.encode(), f"text/html; charset={charset}") == text
    seen = "".join(bytes((byte,)).decode("cp1252", "ignore") or chr(byte) for byte in text.encode())
    assert decode(seen.encode(), "text/html; charset=utf-8") == text


@pytest.mark.parametrize("text", ["café", "5 € – £4", "Ã alone", "“Ã©” is what becomes of é"])
def test_what_is_what_it_says_stays_so(text: str) -> None:
    assert decode(text.encode(), "text/html; charset=utf-8") == text
    assert decode(text.encode("cp1252"), "text/html; charset=windows-1252") == text

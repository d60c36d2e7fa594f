"""Bodies as they are packed on their way out, rightly and wrongly."""

from __future__ import annotations

import gzip
import zlib

import pytest

from fixture_server.packing import PACKINGS
from fixture_server.sites import load_sites
from fixture_server.yaml_keys import SiteError

from .conftest import Site, Slot

TEXT = "<title>Ränge</title><p>Erst dies. " + "Füllwort " * 60 + "Zuletzt Ø-4471.</p>"
BODY = TEXT.encode()


def test_whole() -> None:
    packing = PACKINGS["gzip"]
    assert packing.coding == "gzip"
    assert gzip.decompress(packing.pack(BODY)) == BODY


def test_cut_short() -> None:
    packed = PACKINGS["gzip-short"].pack(BODY)
    with pytest.raises(EOFError):
        gzip.decompress(packed)
    came = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(packed)
    assert BODY.startswith(came)
    assert b"Erst dies" in came
    assert "Ø-4471".encode() not in came


@pytest.mark.parametrize("text", [TEXT, "É ’ “” \u0081 價格", "plain"])
def test_encoded_twice(text: str) -> None:
    packing = PACKINGS["utf-8-twice"]
    seen = packing.pack(text.encode()).decode("utf-8")
    assert packing.coding is None
    assert (seen == text) == text.isascii()
    assert (
        b"".join(
            bytes((ord(one),)) if "\x80" <= one <= "\x9f" else one.encode("cp1252") for one in seen
        ).decode("utf-8")
        == text
    )


def test_an_unknown_packing_is_said(empty_site: Site) -> None:
    empty_site.page("vendor/notes/wrong.serve.yaml", "packed: zip\nstatus: 200\n")
    with pytest.raises(SiteError, match=r"unknown packing 'zip'; known are gzip, gzip-short, utf-8-twice"):
        load_sites([empty_site.folder])


@pytest.fixture
def site(site: Site) -> Site:
    """With a page that is packed in each way, one after another."""
    site.page("vendor/notes/packing.html", TEXT)
    answers = "".join(f"  - {{packed: {name}}}\n" for name in PACKINGS)
    site.page("vendor/notes/packing.serve.yaml", f"search: false\nsequence:\n{answers}")
    start = "start_urls: [fixture://vendor/notes/packing]\ncheapest: direct-fetch\npages: []\n"
    site.scene("known/packing.yaml", start)
    return site


@pytest.mark.asyncio
async def test_what_a_client_and_the_archive_have_of_it(slot: Slot) -> None:
    url = await slot.begin(scene="known/packing")
    async with slot.client() as client:
        given = {name: await client.get(url) for name in PACKINGS}
    trace, archive = await slot.drain()
    kept = {
        name: archive.bodies[attempt.body or ""]
        for name, attempt in zip(PACKINGS, trace.attempts, strict=True)
    }
    assert [attempt.error_type for attempt in trace.attempts] == [None] * 3
    assert given["gzip"].text == TEXT
    assert kept["gzip"] == BODY
    # httpx does not mind the end that is missing, and Content-Length says that all has come.
    assert kept["gzip-short"] == given["gzip-short"].content
    assert BODY.startswith(kept["gzip-short"])
    assert b"Zuletzt" not in kept["gzip-short"]
    assert "RÃ¤nge" in given["utf-8-twice"].text
    assert kept["utf-8-twice"] == PACKINGS["utf-8-twice"].pack(BODY)

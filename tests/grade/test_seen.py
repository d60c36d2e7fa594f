"""What a search reply names, in JSON, in events, in text and in HTML."""

from __future__ import annotations

import pytest

from pytest_webretrieval.grade.seen import result_urls


@pytest.mark.parametrize(
    ("body", "urls"),
    [
        (b'{"data": [{"url": "https://a.example/x", "n": 1}, {"link": "https://b.example/"}]}', {"a", "b"}),
        (
            b"[1] Title: A\n[1] URL Source: https://a.example/x\n\n[2] URL Source: https://b.example/\n",
            {"a", "b"},
        ),
        (
            b"Title: A\n\nURL Source: https://a.example/x\n\nMarkdown Content:\nsee https://b.example/ too\n",
            {"a"},
        ),
        (b'event: message\ndata: {"results": [{"url": "https://a.example/"}]}\n\n', {"a"}),
        (b'<a href="/search">again</a><a href="https://a.example/?x=1&amp;y=2">A</a>', {"a"}),
        (b"nothing found", set()),
        (b'{"url": 3, "results": []}', set()),
        (b"\xff\xfe", set()),
        (b"", set()),
    ],
)
def test_the_pages_that_a_reply_names(body: bytes, urls: set[str]) -> None:
    assert {url.partition("//")[2].partition(".")[0] for url in result_urls(body)} == urls

"""What a search reply names, in JSON, in events, in text and in HTML."""

from __future__ import annotations

import pytest

from pytest_webretrieval.grade.replies import Result, result_urls, results


@pytest.mark.parametrize(
    ("body", "urls"),
    [
        (b'{"data": [{"url": "https://a.example/x", "n": 1}, {"link": "https://b.example/"}]}', ["a", "b"]),
        (
            b"[1] Title: A\n[1] URL Source: https://a.example/x\n\n[2] URL Source: https://b.example/\n",
            ["a", "b"],
        ),
        (
            b"Title: A\n\nURL Source: https://a.example/x\n\nMarkdown Content:\nsee https://b.example/ too\n",
            ["a"],
        ),
        (b'event: message\ndata: {"results": [{"url": "https://a.example/"}]}\n\n', ["a"]),
        (b'<a href="/search">again</a><a href="https://a.example/?x=1&amp;y=2">A</a>', ["a"]),
        (b"nothing found", []),
        (b'{"url": 3, "results": []}', []),
        (b"\xff\xfe", []),
        (b"", []),
    ],
)
def test_the_pages_that_a_reply_names_in_its_order(body: bytes, urls: list[str]) -> None:
    assert [url.partition("//")[2].partition(".")[0] for url in result_urls(body)] == urls


def test_what_a_reply_says_of_a_page_has_no_address() -> None:
    body = (
        b'{"results": [{"title": "A", "url": "https://a.example/", "score": 0.5, "notes": ["one", "two"],'
        b' "image": "https://i.example/", "site": {"name": "not of the item"}}]}'
    )
    assert list(results(body)) == [Result("https://a.example/", "A\none\ntwo")]
    text = b"[1] Title: A\n[1] URL Source: https://a.example/\n\n[2] Title: B\n[2] URL Source: https://b.example/\n"
    assert [result.text for result in results(text)] == ["[1] Title: A", "[2] Title: B"]

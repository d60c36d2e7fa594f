from __future__ import annotations

from datetime import date

import pytest

from pytest_webretrieval.grade.published import published

pytest.importorskip("htmldate")
TEXT = "<p>" + "The board sets the dues each spring. " * 20 + "</p>"


def _page(head: str = "", body: str = "") -> str:
    return (
        f"<html lang=en><head><title>Dues</title>{head}</head><body><h1>Dues</h1>{body}{TEXT}</body></html>"
    )


@pytest.mark.parametrize(
    "html",
    [
        _page('<meta property="article:published_time" content="2024-03-12T08:00:00Z">'),
        _page(
            '<script type="application/ld+json">{"@type": "Article", "datePublished": "2024-03-12"}</script>'
        ),
        _page(body="<time datetime=2024-03-12>12 March</time>"),
        _page(body="<p>Published on 12 March 2024</p>"),
    ],
)
def test_a_page_says_when_it_was_published(html: str) -> None:
    assert published(html) == date(2024, 3, 12)


def test_an_address_may_say_it() -> None:
    assert published(_page(), "https://n.example/2024/03/12/dues") == date(2024, 3, 12)


def test_a_year_that_stands_alone_is_no_day() -> None:
    assert published(_page(body="<footer>© 2019 The board</footer>")) is None
    assert published(_page(body="<p>Published on 1 January 2019</p>")) == date(2019, 1, 1)

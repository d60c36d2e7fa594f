"""Pages as an API's crawler gets them, and what their markup says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fixture_server.dialects.markdown import narrowed, read_markup, read_pdf
from fixture_server.dialects.pages import fetched, part_of
from fixture_server.makers.pdf import bulletin
from fixture_server.respond import Making

from .conftest import CURRENT, GONE

VENDOR = "https://www.vendor.example"


def test_a_page_is_got_with_what_it_says(api: Any) -> None:
    page = fetched(CURRENT, api.stage)
    assert page is not None
    assert (page.url, page.status, page.title, page.language) == (CURRENT, 200, "Release notes", "en")
    assert page.description == "What is new in each release"
    assert page.published is not None
    assert page.published.date().isoformat() == "2026-08-21"
    assert page.links == (f"{VENDOR}/", f"{VENDOR}/notes/old")
    assert page.images == (f"{VENDOR}/shots/one.png",)
    assert page.is_page


def test_redirects_are_followed_from_http_too(api: Any) -> None:
    page = fetched(f"{VENDOR}/notes/moved#part".replace("https", "http"), api.stage)
    assert page is not None
    assert page.url == CURRENT


def test_an_error_is_got_as_it_is(api: Any) -> None:
    for url, status in ((GONE, 404), (f"{VENDOR}/notes/barred", 403), (f"{VENDOR}/notes/none", 404)):
        page = fetched(url, api.stage)
        assert page is not None
        assert (page.status, page.is_page) == (status, False)


@pytest.mark.parametrize(
    "url",
    [
        "https://nobody.example/",
        "https://api.tavily.com/search",
        f"{VENDOR}/notes/broken",
        f"{VENDOR}/notes/round",
        "ftp://www.vendor.example/notes/current",
        "notes/current",
        "https://[bad",
        "",
    ],
)
def test_where_nothing_answers_nothing_is_got(api: Any, url: str) -> None:
    assert fetched(url, api.stage) is None


def test_it_is_no_visit(api: Any) -> None:
    stage = replace(api.stage, visits={}, places={})
    page = fetched(f"{VENDOR}/notes/later", stage)
    assert page is not None
    assert page.text == "Here after all."
    assert (stage.visits, stage.places) == ({}, {})


def test_text_is_its_own_markdown(api: Any) -> None:
    page = fetched("https://weather.example/plain.txt", api.stage)
    assert page is not None
    assert (page.title, page.markdown, page.html) == ("Rain notes", "Rain notes\n\nRain from the west.", "")


MARKUP = """<html lang="de"><head><title>T</title><style>p {}</style></head><body>
<header><a href="/">home</a></header>
<h2>A <b>bold</b>
 heading</h2>
<p>Some <a href="y#z">link <i>here</i></a> and 19.90&nbsp;EUR<br>next   line <code>v3</code></p>
<ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul><ol><li>one</li><li>two</li></ol>
<table><tr><th>K</th><th>V</th></tr><tr><td>a|b</td><td>2</td></tr></table>
<pre>x
  y</pre><blockquote><p>q</p></blockquote><custom><div>in</div></custom>a<span>b</span> c
<svg><style>no</style></svg><script>no</script><img src="p.png" alt="pic"><a href="x"></a></body></html>"""


def test_markup_becomes_markdown() -> None:
    read = read_markup(MARKUP, "https://h.example/d/p")
    assert read.markdown.split("\n\n") == [
        "[home](https://h.example/)",
        "## A bold heading",
        "Some [link here](https://h.example/d/y#z) and 19.90 EUR\nnext line v3",
        "- a\n  - b\n- c\n  d",
        "1. one\n2. two",
        "| K | V |\n| --- | --- |\n| a\\|b | 2 |",
        "```\nx\n  y\n```",
        "> q",
        "in",
        "ab c ![pic](https://h.example/d/p.png)",
    ]
    assert "no" not in read.text.split()


def test_a_part_of_a_page_is_named_by_selectors() -> None:
    assert narrowed(MARKUP, ("h2", "ol"), ("b",)).startswith("<h2>A \n heading</h2>\n<ol>")
    assert "home" not in narrowed(MARKUP, (), ("header", "header a"))
    with pytest.raises(ValueError, match="not selectors: p >"):
        narrowed(MARKUP, ("p >",), ())


def test_a_part_has_links_of_its_own(api: Any) -> None:
    page = fetched(CURRENT, api.stage)
    assert page is not None
    assert part_of(page, ("main",), ()).links == (f"{VENDOR}/notes/old",)
    assert part_of(page, (), ()) is page


def test_a_pdf_is_read_as_far_as_it_can_be() -> None:
    body = bulletin(
        0, {}, Making(address="fixture://press/bulletin.pdf", text="Bulletin\nThe tide is 3.2 m.")
    )
    read = read_pdf(body)
    assert read.title == "Bulletin"
    assert "The tide is 3.2 m." in read.text
    assert read_pdf(body[: len(body) // 2]).text == read_pdf(b"%PDF-1.7 nothing").text == ""

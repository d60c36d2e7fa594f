"""Ranking, words and snippets."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from fixture_server.index import Hit, index_of
from fixture_server.stage import Stage
from fixture_server.text import query_words, read_html, read_plain, segmented, snippet, words
from fixture_server.world import load

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def _search(site: Any, query: str, seed: int = 0) -> list[Hit]:
    world = load([site.truth], [site.folder])
    scene = world.sites.scenes["known/notes"]
    stage = Stage(edition=world.editions(seed, NOW.date()), scene=scene, started=NOW)
    return list(index_of(stage).search(query))


def _titles(hits: list[Hit]) -> list[str]:
    return [hit.document.readable.title for hit in hits]


def test_the_page_that_says_most_of_it_comes_first(site: Any) -> None:
    site.page("press/news/long.html", "<title>Rises</title><p>" + "The tide rises and falls. " * 40)
    assert _titles(_search(site, "harbour tariff rises"))[:2] == ["Tariff rises", "Rises"]
    assert _titles(_search(site, "HTTP caches")) == ["HTTP caching"]


def test_words_are_found_in_their_other_forms(site: Any) -> None:
    assert _titles(_search(site, "which document defines HTTP cache")) == ["HTTP caching"]
    site.page("press/news/cafe.html", "<title>Café</title><p>Öffnungszeiten")
    assert _titles(_search(site, "cafe")) == ["Café"]


def test_chinese_is_found_by_pairs(site: Any) -> None:
    assert _titles(_search(site, "找出台灣官方的颱風警報來源"))[0] == "颱風警報"
    assert _titles(_search(site, "大雨")) == ["大雨特報"]
    assert _titles(_search(site, "風警")) == ["颱風警報"]
    assert _search(site, "地震") == []


@pytest.mark.parametrize("query", ["", "   ", "?!", '"', "zzz", "(*)"])
def test_nothing_is_found_for_nothing(site: Any, query: str) -> None:
    assert _search(site, query) == []


def test_operators_of_the_engine_are_words(site: Any) -> None:
    assert _titles(_search(site, 'NEAR(harbour tariff) title:"x" -release * ^'))[0] == "Tariff rises"


def test_what_is_not_indexed(site: Any) -> None:
    site.page("press/gone.html", "<title>Zebra</title>")
    site.page("press/gone.serve.yaml", "status: 410\n")
    site.page("press/quiet.html", "<title>Zebra</title>")
    site.page("press/quiet.serve.yaml", "search: false\n")
    site.page("press/data.json", '{"zebra": 1}')
    site.page("press/notes.txt", "Zebra notes\n\nStripes.")
    assert _titles(_search(site, "zebra")) == ["Zebra notes"]


def test_the_index_speaks_the_values_of_its_seed(site: Any) -> None:
    zero, other = _search(site, "release notes version"), _search(site, "release notes version", 4)
    assert "v3.2" in zero[0].snippet
    assert "v3.2" not in other[0].snippet
    assert zero[0].document.url != other[0].document.url


def test_only_what_can_be_seen_is_text() -> None:
    read = read_html(
        "<html><head><title> A\n title </title><style>p{}</style></head><body>"
        "<script>var hidden</script><noscript>none</noscript><template>kept back</template><h1>Head</h1>"
        "<p>One<b>two</b> three<br>four</p>"
        "<ul><li>a</li><li>b</li></ul><table><tr><td>x</td><td>y</td></tr></table></body></html>"
    )
    assert read.title == "A title"
    assert read.text.split("\n") == ["Head", "Onetwo three", "four", "a", "b", "x y"]
    assert read_html("<h1>Only a head</h1>").title == "Only a head"
    assert read_plain("\n\n# Notes\n\ntext").title == "Notes"
    assert read_html("").text == ""


def test_words_and_pairs() -> None:
    assert words("Don't panic: v3.2, it's 中央氣象署 and 風") == [
        *("Don't", "panic", "v3.2", "it's", "中央", "央氣", "氣象", "象署", "and", "風")
    ]
    assert segmented("a中央氣b").split() == ["a", "中央", "央氣", "b"]
    assert query_words("Find the nonexistent RFC 99999 rfc") == ["nonexistent", "rfc", "99999"]
    assert query_words("the") == ["the"]


@pytest.mark.parametrize("position", [0, 500, 999])
def test_a_snippet_shows_the_place(position: int) -> None:
    filler = ["lorem"] * 1000
    filler[position] = "tariff rises"
    shown = snippet(" ".join(filler), ["tariff", "rises"])
    assert "tariff rises" in shown
    assert 200 <= len(shown) <= 310
    assert shown.startswith("... ") is (position > 0)
    assert shown.endswith(" ...") is (position < 999)


def test_a_short_text_is_its_own_snippet() -> None:
    assert snippet("A short\ntext.", ["text"]) == "A short text."

"""What narrows a search: domains, dates, words, and the operators of engines."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from fixture_server.dialects.hits import Wanted, find, in_domains
from fixture_server.dialects.operators import read_operators
from fixture_server.dialects.passages import chunks
from fixture_server.dialects.tbs import in_range

from .conftest import NOW

AUGUST = datetime(2026, 8, 1, tzinfo=UTC)


def _titles(api: Any, query: str, wanted: Wanted) -> set[str]:
    return {found.title for found in find(query, wanted, api.stage)}


@pytest.mark.parametrize(
    ("wanted", "titles"),
    [
        (Wanted(), {"Release notes", "Older release notes", "Tariff rises"}),
        (Wanted(include_domains=("vendor.example",)), {"Release notes", "Older release notes"}),
        (Wanted(include_domains=("vendor.example/notes/o",)), {"Older release notes"}),
        (Wanted(exclude_domains=("www.vendor.example",)), {"Tariff rises"}),
        (Wanted(since=AUGUST), {"Release notes", "Tariff rises"}),
        (Wanted(until=AUGUST), {"Older release notes"}),
        (Wanted(phrases=("harbour tariff",)), {"Tariff rises"}),
        (Wanted(without=("tariff", "v2.9")), {"Release notes"}),
        (Wanted(without=("harb",)), {"Release notes", "Older release notes", "Tariff rises"}),
        (Wanted(titled=("older",)), {"Older release notes"}),
        (Wanted(language="en-GB"), {"Release notes", "Older release notes", "Tariff rises"}),
        (Wanted(language="zh"), set()),
        (Wanted(suffixes=(".pdf",)), set()),
    ],
)
def test_results_are_what_is_wanted(api: Any, wanted: Wanted, titles: set[str]) -> None:
    assert _titles(api, "release", wanted) == titles


def test_a_page_without_a_date_is_outside_every_time(api: Any) -> None:
    assert _titles(api, "颱風", Wanted()) == {"颱風警報"}
    assert _titles(api, "颱風", Wanted(dated=True)) == _titles(api, "颱風", Wanted(until=NOW)) == set()


def test_a_domain_alone_gives_all_of_it(api: Any) -> None:
    words, wanted = read_operators("site:weather.example")
    assert words == ""
    assert _titles(api, words, wanted) == {"颱風警報", "Rain notes"}
    assert _titles(api, "", Wanted()) == set()


def test_a_domain_is_what_is_below_it_and_nothing_beside_it() -> None:
    assert in_domains("https://www.a.example/x", ("a.example",))
    assert in_domains("https://a.example/x", ("www.a.example",))
    assert in_domains("https://deep.a.example/x", ("*.a.example",))
    assert not in_domains("https://nota.example/x", ("a.example",))
    assert not in_domains("https://a.example/other", ("a.example/x",))


@pytest.mark.parametrize(
    ("query", "words", "wanted"),
    [
        ("tide table", "tide table", Wanted()),
        (
            'site:a.example OR site:b.example "tide  table" -old',
            "tide table",
            Wanted(include_domains=("a.example", "b.example"), phrases=("tide table",), without=("old",)),
        ),
        (
            'tide -site:https://A.example/ -"spring tide" filetype:PDF intitle:Harbour',
            "tide",
            Wanted(
                exclude_domains=("a.example",),
                without=("spring tide",),
                suffixes=(".pdf",),
                titled=("harbour",),
            ),
        ),
        ("tide after:2026-08-01", "tide", Wanted(since=AUGUST)),
        ("tide before:2026-08-01", "tide", Wanted(until=AUGUST)),
        ("tide before:soon site:", "tide before:soon site:", Wanted()),
        ('what is a:b - "x', 'what is a:b - "x', Wanted()),
        ("颱風 site:中央.example", "颱風", Wanted(include_domains=("中央.example",))),
    ],
)
def test_operators(query: str, words: str, wanted: Wanted) -> None:
    assert read_operators(query) == (words, wanted)


@pytest.mark.parametrize(
    ("tbs", "since", "until"),
    [
        ("qdr:d", datetime(2026, 11, 29, 12, tzinfo=UTC), None),
        ("sbd:1,qdr:w2", datetime(2026, 11, 16, 12, tzinfo=UTC), None),
        ("cdr:1,cd_min:08/01/2026,cd_max:08/31/2026", AUGUST, datetime(2026, 9, 1, tzinfo=UTC)),
        ("cdr:1,cd_max:07/31/2026", None, AUGUST),
        ("qdr:soon", None, None),
        ("cdr:1,cd_min:yesterday", None, None),
        ("", None, None),
    ],
)
def test_how_old_a_result_may_be(tbs: str, since: datetime | None, until: datetime | None) -> None:
    found = in_range(Wanted(), tbs, NOW)
    assert (found.since, found.until) == (since, until)


def test_chunks_hold_the_most_of_the_query_in_the_order_of_the_page() -> None:
    text = " ".join(f"filler{number} words here." for number in range(60))
    text = f"{text} The harbour tariff rises. {text} The tariff is 19.90 EUR for each harbour. {text}"
    found = chunks(text, "harbour tariff", 2, 200)
    assert ["rises" in found[0], "19.90" in found[1]] == [True, True]
    assert all(len(piece) <= 200 for piece in found)
    assert chunks(text, "nothing of it", 3, 200) == chunks(text, "", 1, 200)
    assert chunks("", "harbour", 3, 200) == []

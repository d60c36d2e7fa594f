"""Where a tool puts address and status ahead of a page, they are read and are no part of it."""

from __future__ import annotations

import json

import pytest

from fixture_server.scripted.brain.conversation import Call
from fixture_server.scripted.brain.heading import heading_of
from fixture_server.scripted.brain.results import read_result

from .talk import FETCH, SEARCH, Talk

OLD = "https://library.example/readers/80dd0a"
NEW = "https://library.example/joining/1f44c2"
TEXT = "Kettles | Shop\n\nThe copper kettle costs 48.50 EUR."
FORMS = {
    "labels": "URL: {url}\nStatus: {status}\n\n",
    "content of": "Content of {url} ({status}):\n",
    "status first": "{status} {url}\n",
    "brackets": "[{status}] {url}\n",
    "method": "GET {url} -> {status}\n\n",
    "tag": '<page url="{url}" status="{status}">\n',
    "http": "HTTP {status} {url}\n",
    "in one line": "URL: https://library.example/old | Final URL: {url} | Status: {status}\n\n",
}


@pytest.mark.parametrize("status", [200, 410])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_heading_is_read_and_left_out(form: str, status: int) -> None:
    end = "\n</page>" if form.startswith("<page") else ""
    (given,) = read_result(form.format(url=NEW, status=status) + TEXT + end, False)
    assert (given.url, given.status, given.text.strip()) == (NEW, status, TEXT)


@pytest.mark.parametrize(
    "line",
    [
        f"Learn more at {NEW}",
        f"[1] {NEW}",
        f"{OLD} {NEW}",
        f'<a href="{NEW}">',
        f'<meta content="{NEW}" status="200">',
        "200 ways to boil water",
        "<page number='3'>",
    ],
)
def test_a_line_of_the_page_is_no_heading(line: str) -> None:
    assert heading_of(line) is None


def test_of_a_redirect_the_last_address_and_status_count() -> None:
    heading = heading_of(f"{OLD} 301 -> {NEW} 200 OK (text/html; charset=utf-8, 1,024 bytes)")
    assert heading is not None
    assert (heading.url, heading.status, heading.final) == (NEW, 200, True)


REMOVED = (
    "Page withdrawn | Quayside Library  \n \n This page has been withdrawn \n"
    "The page {quoted} was removed for good. Another page took its place. \n Quayside Library, Ferry Street"
)
PASS = "Short-stay pass | Quayside Library\n\nThis page replaces “Day tickets for visitors”. Fill in form QL-4071."
TOLD = {
    "data": json.dumps({"url": OLD, "status": 410, "content": "{text}"}),
    "lines": f"URL: {OLD}\nStatus: 410\n\n{{text}}",
    "one": f"[410] {OLD}\n{{text}}",
}


def _searched(told: str, quoted: str) -> tuple[str, str]:
    """The words that were searched for in place of a removed page, and the answer."""
    text = REMOVED.format(quoted=quoted)
    gone = told.replace("{text}", json.dumps(text)[1:-1] if told.startswith("{") else text)

    def act(call: Call) -> str:
        if call.name == SEARCH.name:
            return json.dumps([{"url": NEW, "title": "Short-stay pass", "content": "A pass."}])
        return gone if call.arguments["url"] == OLD else f"URL: {NEW}\nStatus: 200\n\n{PASS}"

    talk = Talk((SEARCH, FETCH), act)
    answer = talk.ask(f"Find the replacement for this removed page {OLD}")
    return next(call.arguments["query"] for call in talk.calls if call.name == SEARCH.name), answer


@pytest.mark.parametrize("told", TOLD.values(), ids=TOLD)
def test_a_removed_page_without_its_tags_is_searched_by_what_it_quotes(told: str) -> None:
    query, answer = _searched(told, "&ldquo;Day tickets for visitors&rdquo;")
    assert query == "Day tickets for visitors"
    assert "QL-4071" in answer


def test_the_name_of_a_site_is_not_what_a_removed_page_was_about() -> None:
    query, _ = _searched(TOLD["lines"], "on tickets")
    assert query == "readers"

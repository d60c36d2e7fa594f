"""When a page that was fetched is not enough, judged by its source alone."""

from __future__ import annotations

import pytest

from pytest_webretrieval.systems.reference.escalate import suffices_without, what_lacks
from pytest_webretrieval.systems.reference.fetch import Fetched
from pytest_webretrieval.systems.reference.kinds import Page, judge
from pytest_webretrieval.systems.reference.question import understand

LOADS = "<script>fetch('/x')</script>"
PROSE = "<p>The lock was built by two brothers who never spoke to each other again.</p>" * 4


def page(markup: str) -> Page:
    url = "https://lock.test/gauge"
    headers = {"content-type": "text/html; charset=utf-8"}
    return judge(Fetched(url=url, final_url=url, status=200, headers=headers, body=markup.encode()))


@pytest.mark.parametrize(
    ("query", "markup"),
    [
        ("Read it", f"<title>App</title><div id=root></div>{LOADS}"),
        ("Read it", f"<noscript>This needs JavaScript.</noscript><p>Gauge</p>{LOADS}"),
        ("Read it", f"{PROSE}<p>Loading the level …</p>{LOADS}"),
        ("Read it", f"{PROSE}<div aria-busy=true></div>{LOADS}"),
        ("Read it", f"{PROSE}<div class='level skeleton'></div>{LOADS}"),
        ("What is the level?", f"{PROSE}<p>Level: —</p>{LOADS}"),
        ("What does a passage cost?", f"{PROSE}{LOADS}"),
        ("Collect all six items", "<ul><li>One boat<li>Two boats</ul>"),
        ("List every item", "<p>2 of 9</p><ul><li>One boat<li>Two boats</ul>"),
        ("List every item", "<ul><li>One boat<li>Two boats</ul><button>Load more</button>"),
        ("Read the article", f"<div id=cookie-wall>We use cookies.</div><main></main>{LOADS}"),
        (
            "Read the article",
            "<main></main><div role=dialog><p>Hello.</p><button>Yes, I agree</button><button>No, reject</button>"
            f"</div>{LOADS}",
        ),
        ("Read what is shown after JavaScript has run", f"{PROSE}{LOADS}"),
    ],
)
def test_these_are_not_enough(query: str, markup: str) -> None:
    question = understand(query)
    assert what_lacks(question, page(markup))


@pytest.mark.parametrize(
    ("query", "markup"),
    [
        ("Read it", f"{PROSE}{LOADS}"),
        ("Read it", f"{PROSE}<p>Loading the level …</p>" + "<p>Nothing here runs.</p>"),
        ("What is the level?", f"{PROSE}<p>Level: 3.42 m</p><p>Comment: —</p>{LOADS}"),
        ("What does a passage cost?", f"{PROSE}<p>A passage is 4.10 EUR.</p>{LOADS}"),
        ("Collect all two items", f"<ul><li>One boat<li>Two boats</ul>{LOADS}"),
        ("Read the article", f"<div class=cookies>We use cookies. <button>OK</button></div>{PROSE}{LOADS}"),
        ("Read what is shown after JavaScript has run", PROSE),
    ],
)
def test_these_are_enough(query: str, markup: str) -> None:
    question = understand(query)
    assert what_lacks(question, page(markup)) is None


@pytest.mark.parametrize(
    ("query", "markup", "enough"),
    [
        ("Read what is shown after JavaScript has run", f"{PROSE}{LOADS}", True),
        ("Read it", f"{PROSE}<p>Loading the level …</p>{LOADS}", False),
        ("Collect all six items", "<ul><li>One boat<li>Two boats</ul>", False),
    ],
)
def test_what_is_said_without_a_browser_is_whole(query: str, markup: str, enough: bool) -> None:
    assert suffices_without(understand(query), page(markup)) is enough

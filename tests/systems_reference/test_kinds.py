"""What stands in place of a page, and ordinary pages that only speak of such things."""

from __future__ import annotations

import pytest

from pytest_webretrieval.systems.reference.fetch import Fetched
from pytest_webretrieval.systems.reference.kinds import judge

LONG = (
    "<p>The committee met in the old hall and read the report of the wardens aloud to all who came.</p>" * 12
)
LOGIN = "<form action=/login><input name=user><input type=password name=pw><button>Go</button></form>"


def kind(
    markup: str, *, status: int = 200, signed_in: bool = False, hops: tuple[int, ...] = (), final: str = ""
) -> str:
    url = "https://pier.test/notices/dues"
    fetched = Fetched(
        url=url,
        final_url=final or url,
        status=status,
        headers={"content-type": "text/html; charset=utf-8"},
        body=markup.encode(),
        hops=hops,
    )
    return judge(fetched, signed_in=signed_in).kind


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("<title>Just a moment...</title><p>Checking that a person is asking. One moment.</p>", "challenge"),
        (
            "<title>Shop</title><p>Please show that you are not a robot.</p><script src=/c.js></script>",
            "challenge",
        ),
        (f"<title>Sign in</title><h1>Sign in</h1>{LOGIN}", "login_required"),
        (f"<h1>Your session has expired</h1><p>Please log in again.</p>{LOGIN}", "session_expired"),
        ("<title>Page not found</title><p>Try the search.</p>", "soft_404"),
        ("<h1>Sorry</h1><p>The page you want is no longer available.</p>", "soft_404"),
        (
            "<div id=root></div><noscript>You need to enable JavaScript.</noscript><script>"
            + "x" * 900
            + "</script>",
            "shell",
        ),
        ("<div id=cookie-consent>" + "We use cookies. " * 90 + "</div>", "consent"),
        ("<html><body></body></html>", "empty"),
        (f"<title>Your account</title><p>Continue with your name and password.</p>{LOGIN}", "login_required"),
        (
            "<h1>No such article</h1><p>The article is not available.</p><p>Popular today: bells.</p>",
            "soft_404",
        ),
        ("<h1>Lost?</h1><p>We could not find the page that you asked for.</p>", "soft_404"),
        ("<h1>404</h1><p>Try the map.</p>", "soft_404"),
        ("<h1>Access denied</h1><p>Ask the clerk.</p>", "forbidden"),
        (
            "<div role=dialog><p>Hello.</p><button>Accept</button><button>Decline</button></div>"
            "<script src=/a.js></script>",
            "consent",
        ),
    ],
)
def test_what_stands_in_place_of_a_page(markup: str, wanted: str) -> None:
    assert kind(markup) == wanted


@pytest.mark.parametrize(
    "markup",
    [
        f"<title>How challenges work</title><p>They say “Just a moment” and “not a robot”.</p>{LONG}<script></script>",
        f"<title>Overview</title>{LONG}<li>The word foo has been removed from section 2.</li>",
        f"<title>Notices</title><header>{LOGIN}</header><main>{LONG}</main>",
        "<div id=cookie-banner>"
        + "We use cookies. " * 90
        + "</div><main><p>The rate is 4.25% for every berth.</p></main>",
        "<h1>Dues</h1><p>Published 12 March 2026.</p><script>track()</script>",
        "<h1>Close the account</h1><form><input type=password><button>Delete for good</button></form>",
        "<h1>Bridge</h1><p>The old bridge was removed in May, and nobody could find a reason.</p>",
        "<h1>Notice 404-B</h1><p>The tide table is at the desk.</p>",
    ],
)
def test_pages_that_only_speak_of_it_are_documents(markup: str) -> None:
    assert kind(markup) == "document"


@pytest.mark.parametrize(
    ("status", "signed_in", "markup", "wanted"),
    [
        (401, False, "no", "login_required"),
        (401, True, "no", "session_expired"),
        (403, True, "Your role may not read this.", "forbidden"),
        (403, False, "Automated access is against our policy.", "policy_denied"),
        (404, False, "no", "not_found"),
        (410, False, "no", "gone"),
        (451, False, "no", "legal_restriction"),
        (500, False, "no", "failed"),
        (503, False, "<title>Just a moment...</title>", "challenge"),
    ],
)
def test_a_status_decides(status: int, signed_in: bool, markup: str, wanted: str) -> None:
    assert kind(markup, status=status, signed_in=signed_in) == wanted


def test_a_redirect_of_any_path_to_the_front_page_is_no_page() -> None:
    front = f"<title>Harbour</title>{LONG}"
    assert kind(front, hops=(302,), final="https://pier.test/") == "soft_404"
    assert kind(front, hops=(302,), final="https://pier.test/notices/14") == "document"

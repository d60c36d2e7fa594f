"""Pages that are not what they seem (kind e of docs/hard-inputs.md), by their bytes alone."""

from __future__ import annotations

import pytest

from pytest_webretrieval.cases.truth import Fact
from pytest_webretrieval.grade.page import read_page
from pytest_webretrieval.grade.refusal import Document, is_challenge, is_login_wall, is_soft_404
from pytest_webretrieval.grade.text import fold
from pytest_webretrieval.grade.values import find

URL = "https://n.example/a"
ARTICLE = (
    "<p>" + "The board sets the dues each spring and publishes the minutes of its sessions. " * 30 + "</p>"
)


def _page(body: str, title: str = "Dues") -> bytes:
    return f"<!doctype html><title>{title}</title><body><h1>{title}</h1>{body}".encode()


def _document(
    body: bytes, *, status: int = 200, asked_for: str = URL, url: str = URL, kind: str = "text/html"
) -> Document:
    return Document(url, status, {"content-type": kind}, read_page(body, kind), None, False, asked_for, True)


@pytest.mark.parametrize(
    ("body", "status", "is_one"),
    [
        (b'{"markdown": "Please show that you are not a robot"}', 429, True),
        (_page("<p>Checking that a person is asking. One moment.</p>", "Just a moment..."), 200, True),
        (_page("<p>Checking that a person is asking. One moment.</p>", "Just a moment..."), 403, True),
        (_page("<p>Solve the captcha to go on.</p>", "n.example"), 200, True),
        (
            _page(
                f"<p>It says “Just a moment...” and “verify you are human”.</p>{ARTICLE}",
                "How challenges look",
            ),
            200,
            False,
        ),
        (_page("<p>The fee is 40 EUR.</p>"), 429, False),
        (_page("<p>You need to enable JavaScript to run this app.</p>", "App"), 200, False),
    ],
)
def test_e1_e2_a_challenge_whatever_the_status(body: bytes, status: int, is_one: bool) -> None:
    kind = "application/json" if body.startswith(b"{") else "text/html"
    assert is_challenge(_document(body, status=status, kind=kind)) is is_one


HOME = "https://n.example/"


@pytest.mark.parametrize(
    ("body", "asked_for", "url", "is_one"),
    [
        (_page(ARTICLE, "Welcome"), "https://n.example/removed-page", HOME, True),
        (_page(ARTICLE, "Welcome"), HOME, HOME, False),
        (_page("<p>It is no longer here.</p>", "Old"), URL, URL, True),
        (_page("<p>Diese Seite existiert nicht.</p>", "n.example"), URL, URL, True),
        (_page(ARTICLE, "Welcome"), "https://n.example/a", "https://n.example/b", False),
        (
            _page(ARTICLE * 8 + "<ul><li>The word foo has been removed from section 2</ul>", "Overview"),
            URL,
            URL,
            False,
        ),
        (_page("<p>This page replaces an older one that was removed.</p>"), URL, URL, False),
        (
            _page("<form><input name=m><input type=password><p>Name does not exist.</form>", "Sign up"),
            URL,
            URL,
            False,
        ),
    ],
)
def test_e4_e5_a_page_that_is_not_there(body: bytes, asked_for: str, url: str, is_one: bool) -> None:
    assert is_soft_404(_document(body, asked_for=asked_for, url=url)) is is_one


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (b'<meta charset="iso-8859-1">M\xf6\xf6se f\xfcr', "text/html", "Mööse für"),
        ("颱風".encode("big5"), "text/html; charset=big5", "颱風"),
        (b"caf\xe9", "text/html", "café"),
        (b'<meta charset="iso-8859-1">\x93a\x94', "text/html", "“a”"),
        (b"<meta charset=gb2312>" + "镕喆".encode("gb18030"), "text/html", "镕喆"),
        (b"<meta charset=gbk>" + b"<i></i>" * 2400 + "镕".encode("gb18030"), "text/html", "镕"),
        (b"<meta charset=shift_jis>" + "①".encode("cp932"), "text/html", "①"),
    ],
)
def test_e7_e8_bytes_are_read_as_the_standard_says(body: bytes, content_type: str, text: str) -> None:
    page = read_page(body, content_type)
    assert (page.text, page.damaged) == (text, False)


def test_e7_damaged_text_holds_no_fact() -> None:
    page = read_page("<p>Die Gebühr für Mööse".encode("latin-1"), "text/html; charset=utf-8")
    assert page.damaged
    assert not find(Fact(id="f", value="Mööse", match="text"), fold(page.text))


BANNER = "<div id=cookie-banner>" + "We and our partners use cookies to measure. " * 80 + "</div>"


@pytest.mark.parametrize(
    "frame", ["<main>{}</main>", "<aside>{}</aside>", "<div>{}</div>", "<article>{}</article>"]
)
def test_e10_a_banner_hides_no_fact(frame: str) -> None:
    page = read_page(_page(BANNER + frame.format("<p>The rate is 4.25%.</p>")), "text/html")
    assert find(Fact(id="f", value="4.25%", match="number"), fold(page.text))
    assert not find(
        Fact(id="f", value="4.25%", match="number"), fold(read_page(_page(BANNER), "text/html").text)
    )


@pytest.mark.parametrize(
    ("body", "is_shown"),
    [
        ("<x-price><template shadowrootmode=open><b>19.90</b></template></x-price>", True),
        ("<iframe srcdoc='<p>19.90</p>'></iframe>", True),
        ("<iframe srcdoc='&lt;p&gt;19.90&lt;/p&gt;'></iframe>", True),
        ("<template><b>19.90</b></template>", False),
        ("<x-price></x-price><script>attach('19.90')</script>", False),
    ],
)
def test_e11_what_a_shadow_root_or_a_frame_shows_is_read(body: str, is_shown: bool) -> None:
    assert ("19.90" in read_page(_page(body), "text/html").text) is is_shown


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"PK\x03\x04\x14\x00", "text/html", "binary"),
        (b"%PDF-1.5\n\xe2\xe3\xcf\xd3", "application/octet-stream", "binary"),
        (b"%PDF-1.5\n%%EOF", "application/pdf", "binary"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "text/plain", "binary"),
        (b"a\x00b\x00c", "text/html", "binary"),
        (b"The letters PK and %PDF in a text", "text/plain", "text"),
    ],
)
def test_e14_a_file_is_what_its_bytes_are(body: bytes, content_type: str, kind: str) -> None:
    assert read_page(body, content_type).kind == kind


SHELL = "<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>"


def test_e19_a_shell_without_text_is_no_article() -> None:
    page = read_page(_page(SHELL + "<script>" + "x=1;" * 8000 + "</script>", "App"), "text/html")
    assert "JavaScript" not in page.text
    told = read_page(
        _page(SHELL + '<script type=application/json>{"rate": "4.25%"}</script>', "App"), "text/html"
    )
    assert find(Fact(id="f", value="4.25%", match="number"), fold(told.data))
    flag = read_page(_page(SHELL + '<script>window.__CTX={"renderMode":"CSR"}</script>', "App"), "text/html")
    assert "CSR" not in flag.text + flag.data


LOGIN = "<form action=/login method=post><input name=u><input type=password name=p><button>Sign in</button></form>"


@pytest.mark.parametrize(
    ("body", "is_one"),
    [
        (_page(LOGIN, "Sign in"), True),
        (_page(LOGIN + "<p>Your session has expired.</p>", "Account"), True),
        (_page(LOGIN.replace("Sign in", "Anmelden"), "Anmelden"), True),
        (_page(f"<header>{LOGIN}</header>{ARTICLE}"), False),
        (_page(LOGIN.replace("/login", "/signup").replace("Sign in", "Create account"), "Join"), False),
        (_page(LOGIN.replace("<button>", "<input type=password name=again><button>"), "New password"), False),
    ],
)
def test_e20_a_login_form_in_place_of_the_page(body: bytes, is_one: bool) -> None:
    assert is_login_wall(_document(body)) is is_one

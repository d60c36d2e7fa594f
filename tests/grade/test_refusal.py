from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from grade_build import VENDOR, Wire, declined, page, truth

from pytest_webretrieval.cases.truth import Step
from pytest_webretrieval.grade.judge import Judgement, judge_run
from pytest_webretrieval.grade.page import read_page
from pytest_webretrieval.grade.refusal import REASONS, Document, is_challenge, is_login_wall, is_soft_404

URL = "https://vendor.example/a"
LONG = "<p>" + "The dues are set by the harbour office and reviewed each spring by its board. " * 40 + "</p>"
LOGIN = "<form action=/login method=post><input name=u><input type=password name=p><button>Sign in</button></form>"
CHALLENGE = "<p>Checking that a person is asking. One moment.</p><p>Ray ID: <code>0000</code></p>"


def _document(
    body: bytes, status: int = 200, asked_for: str = URL, url: str = URL, **headers: str
) -> Document:
    return Document(url, status, headers, read_page(body, "text/html"), None, False, asked_for, True)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (page(CHALLENGE, "Just a moment..."), 200),
        (page(CHALLENGE, "Just a moment..."), 403),
        (page("<p>Please show that you are not a robot</p>", "vendor.example"), 200),
        (page("<p>請完成人機驗證後繼續</p>", "vendor.example"), 200),
    ],
)
def test_a_challenge(body: bytes, status: int) -> None:
    assert is_challenge(_document(body, status))


def test_a_challenge_by_its_header() -> None:
    assert is_challenge(_document(page(LONG), 403, **{"cf-mitigated": "challenge"}))


@pytest.mark.parametrize(
    "body",
    [
        page(
            f"<p>Pages titled “Just a moment...” ask to verify you are human.</p>{LONG}",
            "How challenges work",
        ),
        page("<p>The fee is 40 EUR.</p>", "Fees"),
        page(LOGIN + "<p>I am not a robot</p>", "Sign in"),
    ],
)
def test_no_challenge(body: bytes) -> None:
    assert not is_challenge(_document(body))


@pytest.mark.parametrize(
    "body",
    [page(LOGIN, "Sign in"), page(LOGIN + "<p>Your session has expired.</p>"), page(LOGIN, "Anmelden")],
)
def test_a_login_wall(body: bytes) -> None:
    assert is_login_wall(_document(body))


@pytest.mark.parametrize(
    "body",
    [
        page(LOGIN + LONG, "Harbour dues"),
        page("<form><input type=password><input type=password></form>", "Register"),
        page("<p>Sign in to comment</p>", "Story"),
        page(f"<div hidden>{LOGIN}</div><p>Short story.</p>", "Story"),
    ],
)
def test_no_login_wall(body: bytes) -> None:
    assert not is_login_wall(_document(body))


@pytest.mark.parametrize(
    "body",
    [
        page("<p>Try the search.</p>", "Page not found"),
        page("<p>This page is no longer here.</p>", "Vendor"),
        page("<p>找不到您要的網頁</p>", "錯誤"),
        page("<p>Cette page est introuvable.</p>", "Erreur"),
    ],
)
def test_a_soft_404(body: bytes) -> None:
    assert is_soft_404(_document(body))


def test_the_home_page_in_place_of_another_is_a_soft_404() -> None:
    home = page("<p>Welcome to the vendor.</p>")
    assert is_soft_404(
        _document(home, asked_for="https://vendor.example/removed", url="https://vendor.example/")
    )
    assert not is_soft_404(
        _document(home, asked_for="https://vendor.example/", url="https://vendor.example/")
    )


@pytest.mark.parametrize(
    "body",
    [
        page(LONG + "<li>The word foo has been removed from section 2</li>", "Overview, Recommendation"),
        page("<p>The rate is 4.25%.</p>", "Rates"),
    ],
)
def test_no_soft_404(body: bytes) -> None:
    assert not is_soft_404(_document(body))


def _run(reason: str | None, wire: Wire, due: str, start: str = URL) -> str:
    own = truth(refusal_reasons=(due,))
    evidence = wire.evidence(declined(reason), start_urls=(start,), step=own.steps[0].__class__())
    return judge_run(own, [evidence], None).label


def _get(body: bytes = b"", status: int = 200, **changes: object) -> Wire:
    wire = Wire()
    wire.get(URL, body, status, **changes)  # type: ignore[arg-type]
    return wire


def _login_with_cookie() -> Wire:
    return _get(page(LOGIN, "Sign in"), request_headers={"cookie": "sid=0123456789"})


def _searched() -> Wire:
    wire = Wire()
    wire.search()
    return wire


SHOWN = {
    "unsupported_media": lambda: _get(b"\x89PNG\r\n\x1a\n" + bytes(200), media_type="image/png"),
    "not_found": lambda: _get(page("<p>Gone</p>"), 404),
    "gone": lambda: _get(page("<p>Gone</p>"), 410),
    "soft_404": lambda: _get(page("<p>Sorry.</p>", "Page not found")),
    "login_required": lambda: _get(page(LOGIN, "Sign in")),
    "session_expired": _login_with_cookie,
    "forbidden": lambda: _get(page("<p>You may not see this.</p>", "Forbidden"), 403),
    "challenge": lambda: _get(page(CHALLENGE, "Just a moment..."), 403),
    "policy_denied": lambda: _get(page("<p>Automated access is against our policy.</p>", "Denied"), 403),
    "legal_restriction": lambda: _get(page("<p>Blocked by order of a court.</p>"), 451),
    "unavailable": lambda: _get(status=503),
    "no_result": _searched,
}


def test_every_reason_has_a_way_to_be_shown() -> None:
    assert set(SHOWN) == set(REASONS)


@pytest.mark.parametrize("reason", REASONS)
def test_a_refusal_that_the_wire_bears_out(reason: str) -> None:
    assert _run(reason, SHOWN[reason](), reason) == "correct_refusal"
    assert _run(reason.replace("_", "-"), SHOWN[reason](), reason) == "correct_refusal"


@pytest.mark.parametrize("reason", REASONS)
def test_a_refusal_without_a_reason_takes_it_from_the_wire(reason: str) -> None:
    assert _run(None, SHOWN[reason](), reason) == "correct_refusal"


@pytest.mark.parametrize("reason", REASONS)
def test_a_refusal_without_a_request_is_unfounded(reason: str) -> None:
    own = truth(refusal_reasons=(reason,))
    judgement = judge_run(own, [Wire().evidence(declined(reason))], None)
    assert judgement.label == "unfounded_refusal"
    assert "refused-without-request" in judgement.tags


@pytest.mark.parametrize("reason", REASONS)
def test_an_ordinary_page_bears_out_no_refusal(reason: str) -> None:
    assert _run(reason, _get(page(LONG, "Harbour dues")), reason) == "unfounded_refusal"


def test_another_reason_than_the_one_due_is_unfounded() -> None:
    assert _run("not_found", SHOWN["legal_restriction"](), "legal_restriction") == "unfounded_refusal"


def test_a_page_that_only_the_system_thought_of_proves_nothing() -> None:
    wire = Wire()
    wire.get(VENDOR, page(LONG, "Releases"))
    wire.get("https://vendor.example/made-up", page("<p>Gone</p>"), 404)
    assert _run("not_found", wire, "not_found", VENDOR) == "unfounded_refusal"


def test_a_linked_page_that_is_gone_proves_it() -> None:
    wire = Wire()
    wire.get(VENDOR, page("<a href=/old>old</a>" + LONG, "Releases"))
    wire.get("https://vendor.example/old", page("<p>Gone</p>"), 404)
    assert _run("not_found", wire, "not_found", VENDOR) == "correct_refusal"


def _stored(archive: Path) -> Iterator[tuple[str, Document]]:
    with tarfile.open(archive) as packed:
        for member in packed:
            opened = packed.extractfile(member) if member.isfile() else None
            if opened is not None:
                body = opened.read()
                yield member.name, _document(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)


def test_ordinary_pages_are_taken_for_nothing_else(data: Path) -> None:
    """At most one in a hundred of 783 real pages for each detector; login walls only where a login form is."""
    labels = json.loads((data / "pages" / "formasaurus.index.json").read_text(encoding="utf-8"))
    with_login = {name.rpartition("/")[2] for name, label in labels.items() if "l" in label["forms"]}
    flagged = {"challenge": 0, "soft": 0, "login": 0}
    count = 0
    for archive in ("htmldate", "formasaurus"):
        for name, document in _stored(data / "pages" / f"{archive}.tar.gz"):
            count += 1
            flagged["challenge"] += is_challenge(document)
            flagged["soft"] += is_soft_404(document)
            plain = name.rpartition("/")[2].removesuffix(".gz") not in with_login
            flagged["login"] += plain and is_login_wall(document)
    assert count > 700
    assert all(found <= count / 100 for found in flagged.values()), flagged


def test_real_challenges_are_found(data: Path) -> None:
    ordinary = ("requested_page", "page_with_emails", "page_with_recaptcha")
    found = {
        name: is_challenge(document)
        for name, document in _stored(data / "pages" / "challenge.tar.gz")
        if name.endswith(".html")
    }
    assert not any(seen for name, seen in found.items() if any(word in name for word in ordinary))
    assert sum(found.values()) >= 13


def test_a_page_that_replaces_a_withdrawn_one_is_there() -> None:
    said = "<p>This page replaces “Day tickets”, which has been withdrawn.</p><p>Fill in form QL-4071.</p>"
    assert not is_soft_404(_document(page(said, "Short-stay pass")))
    assert is_soft_404(_document(page("<p>This page has been withdrawn.</p>", "Quayside Library")))


MARKDOWN = "[Staithe Lane](https://vendor.example/)\n\n# {heading}\n\n{rest}\n"


@pytest.mark.parametrize(
    ("media_type", "body", "status", "reason"),
    [
        (
            "text/markdown",
            MARKDOWN.format(heading="Your plot", rest="Name\n\nPassword\n\nSign in"),
            200,
            "login_required",
        ),
        ("text/markdown", MARKDOWN.format(heading="Anmelden", rest="**Passwort:**"), 200, "login_required"),
        (
            "text/markdown",
            MARKDOWN.format(heading="We cannot find that sheet", rest="Look again."),
            200,
            "soft_404",
        ),
        ("application/octet-stream", "", 200, "unsupported_media"),
        (
            "text/markdown",
            MARKDOWN.format(heading="Notice", rest="Withheld by order."),
            451,
            "legal_restriction",
        ),
    ],
)
def test_what_an_api_delivered_bears_out_a_refusal(
    media_type: str, body: str, status: int, reason: str
) -> None:
    verdict = _delivered(media_type, body, status, reason)
    assert verdict.label == "correct_refusal", verdict.reason


@pytest.mark.parametrize(
    ("media_type", "body", "reason"),
    [
        (
            "text/markdown",
            MARKDOWN.format(heading="Passwords", rest="A password is a secret. Sign in once."),
            "login_required",
        ),
        (
            "text/markdown",
            MARKDOWN.format(heading="Open questions", rest="What we cannot find is a lamp."),
            "soft_404",
        ),
        ("text/markdown", "", "unsupported_media"),
    ],
)
def test_an_ordinary_page_that_an_api_delivered_does_not(media_type: str, body: str, reason: str) -> None:
    assert _delivered(media_type, body, 200, reason).label == "unfounded_refusal"


def _delivered(media_type: str, body: str, status: int, reason: str) -> Judgement:
    wire = Wire()
    asked = wire.get(
        "https://reader.example/extract",
        b"{}",
        media_type="application/json",
        method="POST",
        role="api",
        channel="extract-api",
    )
    wire.represent(asked, VENDOR, body.encode(), media_type, headers={}, status=status)
    evidence = wire.evidence(declined(reason), step=Step(), start_urls=(VENDOR,))
    return judge_run(truth(steps=(Step(),), refusal_reasons=(reason,)), [evidence], None)

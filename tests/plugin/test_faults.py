"""Cases with faults in real pytest processes: slots, the wire's account of every try, both carriers, either toxics."""

from __future__ import annotations

import pytest

from pytest_webretrieval.slots.browser import find_browser
from pytest_webretrieval.slots.loss import loss_refused
from tests.faults.real import real_program

from .project import Project

PAGE = """
<!doctype html><title>Bramble releases</title>
<p>The latest stable release of Bramble is version <!--fact:{case}.version-->v4.2<!--/-->.</p>
<p>It has what the one before it had, and is in every way better and a little longer.</p>
<p>Whoever has the one before it can go on with that for as long as it is there.</p>
"""
CASE = """
id: {case}
query: Which version of Bramble is stable?
start_urls: [https://docs.bramble.example/{case}.html]
facts: [{{id: version, value: v4.2, draw: version}}]
faults: [{{{fault}, host: docs.bramble.example}}]
"""
SYSTEM = """
import re

import httpx

TRIES = 4


def answer(prompt):
    url = re.search(r"https://\\S+", prompt)[0]
    for _ in range(TRIES):
        try:
            return said(url, httpx.get(url).text)
        except httpx.TransportError as error:
            problem = error
    raise problem


def said(url, text):
    version = re.search(r"version (v[0-9.]+[0-9])", text)[1]
    return f"The stable version is {version} ([source]({url}))."


def browse(prompt):
    from playwright.sync_api import sync_playwright

    url = re.search(r"https://\\S+", prompt)[0]
    with sync_playwright() as playwright, playwright.chromium.launch() as browser:
        page = browser.new_page()
        if "again" in url:
            page.goto(url.replace("again", "hello"))
        try:
            page.goto(url)
        except Exception as error:
            assert "ERR_CONNECTION_RESET" in str(error), error
            page.wait_for_function("document.title.includes('Bramble')", timeout=20_000)
        return said(url, page.content())
"""


@pytest.fixture
def faulty(project: Project) -> Project:
    project.write("agent.py", SYSTEM)
    project.write("pytest.ini", "[pytest]\nwebretrieval_system = agent:answer\n")
    return project


def case(project: Project, name: str, fault: str) -> None:
    project.write(f"cases/{name}.yaml", CASE.format(case=name, fault=fault))
    project.write(f"cases/pages/https/docs.bramble.example/{name}.html", PAGE.format(case=name))


def told(project: Project, name: str, *arguments: str) -> list[tuple[str, int | None, str | None, bool]]:
    """Error, status, fault and whether it reached the origin, of each attempt of a case that succeeds."""
    run = project.pytest("--lane=fixture", "cases/", *arguments)
    assert run.labels() == {name: "success"}, run.output
    return [
        (
            row.get("error.type", ""),
            row.get("http.response.status_code"),
            row.get("webretrieval.fault"),
            row.get("webretrieval.reached", True),
        )
        for row in run.attempts(name)
        if row["webretrieval.role"] == "document"
    ]


GOOD = ("", 200, None, True)


@pytest.mark.parametrize("carrier", ["namespace", "proxy"])
def test_hidden_retries_are_in_the_account(faulty: Project, carrier: str) -> None:
    case(faulty, "TWICE", "toxic: reset_peer, stream: upstream, first: 2")
    reset = ("connection_reset", None, "reset_peer upstream", False)
    assert told(faulty, "TWICE", f"--webretrieval-carrier={carrier}") == [reset, reset, GOOD]


def test_down_and_then_up(faulty: Project) -> None:
    case(faulty, "DOWN", "toxic: down, first: 1")
    assert told(faulty, "DOWN") == [("connection_reset", None, "down", False), GOOD]
    assert faulty.left() == []


def test_a_real_toxiproxy_is_started_and_ended(faulty: Project) -> None:
    program = real_program()
    if program is None:
        pytest.skip("no Toxiproxy server here; `make toxiproxy` builds one where Go is")
    case(faulty, "CUT", "toxic: limit_data, bytes: 350, first: 1")
    cut = ("incomplete_body", 200, "limit_data downstream", True)
    assert told(faulty, "CUT", f"--webretrieval-toxiproxy={program}") == [cut, GOOD]
    assert faulty.left() == []


def test_chromium(faulty: Project) -> None:
    """It sends again by itself what a reset broke. (The name is short: Chromium aborts where its paths are long.)"""
    pytest.importorskip("playwright")
    if find_browser(None) is None:
        pytest.skip("no browser is here")
    case(faulty, "again", "toxic: reset_peer, by: document, path: /again.html, first: 1")
    faulty.write("cases/pages/https/docs.bramble.example/hello.html", "<title>Bramble</title><p>Hello.</p>")
    faulty.write("pytest.ini", "[pytest]\nwebretrieval_system = agent:browse\n")
    reset = ("connection_reset", None, "reset_peer downstream", True)
    assert told(faulty, "again") == [GOOD, reset, GOOD]


def test_packets_are_lost(faulty: Project) -> None:
    if (why := loss_refused()) is not None:
        pytest.skip(why)
    case(faulty, "LOSSY", "toxic: loss, percent: 20")
    assert told(faulty, "LOSSY")[-1] == ("", 200, "loss", True)


def test_where_packets_cannot_be_lost_the_case_is_skipped_and_says_why(faulty: Project) -> None:
    case(faulty, "LOSSY", "toxic: loss, percent: 20")
    run = faulty.pytest("--lane=fixture", "cases/", "-rs", "--webretrieval-carrier=proxy")
    assert "it loses packets, which cannot be had here: the proxy carrier has no network" in run.output


def test_a_fault_that_cannot_be_is_said_with_file_and_line(faulty: Project) -> None:
    case(faulty, "WRONG", "toxic: latency, latency: 5, rate: 3")
    run = faulty.pytest("--lane=fixture", "cases/")
    assert "cases/WRONG.yaml:6: case WRONG: faults[0]: `rate` is none of `latency`" in run.output

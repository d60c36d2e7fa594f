"""The corpus of faults in real pytest processes: the reference system gets every case, by the trace that it should
leave, with either kind of toxics; a system whose client retries by itself comes to the pages, and fails."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from pytest_webretrieval.cases.data import find_corpus, own_data
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.slots.browser import find_browser
from tests.faults.real import real_program

from .project import Project, Run

NAME = "web-retrieval-faults-v1"
CORPUS = load_corpus(find_corpus(NAME, [own_data()]))
BROWSER = find_browser(None) is not None

# Status, error, toxics and whether the origin saw it, of each document that the reference system asks for.
Told = tuple[int | None, str | None, str | None, bool]
GOOD: Told = (200, None, None, True)
TRACES: dict[str, Sequence[Told]] = {
    "FK01": [(200, "incomplete_body", "limit_data downstream", True), GOOD],
    "FK02": [(200, "incomplete_body", None, True)] * 2,
    "FK03": [(200, None, "slicer downstream", True)],
    "FK04": [(None, "client_closed", "timeout downstream", True)],
    "FK05": [(301, None, None, True), (200, None, "latency downstream", True)],
    "FK06": [(None, "connection_reset", "down", False), GOOD],
    "FK07": [GOOD, GOOD],
    "FK09": [(None, "connection_reset", "reset_peer upstream", False), GOOD],
    "FK10": [
        (302, None, None, True),
        (None, "connection_reset", "reset_peer downstream", True),
        (302, None, None, True),
    ],
    "FK13": [(404, "404", "slicer downstream, latency downstream", True)],
    "FA04": [(None, "connection_reset", "down", False), (401, "401", None, True)],
    "FB01": [(429, "429", None, True), (None, "connection_reset", None, True), GOOD],
    "FB02": [(503, "503", None, True)] * 2,
    "FB06": [(503, "503", "bandwidth downstream", True), (200, None, "bandwidth downstream", True)],
    "FB07": [(429, "429", "latency downstream", True)],
    "FB08": [(None, "connection_reset", "reset_peer upstream", False)] * 2,
}


def documents(run: Run, case: str) -> list[Told]:
    return [
        (
            row.get("http.response.status_code"),
            row.get("error.type"),
            row.get("webretrieval.fault"),
            row.get("webretrieval.reached", True),
        )
        for row in run.attempts(case)
        if row["webretrieval.role"] == "document"
    ]


@pytest.mark.parametrize("toxics", ["own", "real"])
def test_all(project: Project, toxics: str) -> None:
    """The reference system gets every case. (The name is short: Chromium aborts where its paths are long.)"""
    program = real_program()
    if toxics == "real" and program is None:
        pytest.skip("no Toxiproxy server here; `make toxiproxy` builds one where Go is")
    asked = "embedded" if toxics == "own" else str(program)
    run = project.pytest(
        "--lane=fixture",
        f"--webretrieval-corpus={NAME}",
        f"--webretrieval-toxiproxy={asked}",
        timeout=300,
    )
    assert run.code == 0, run.output
    without = set() if BROWSER else {"FD01", "FD02", "FD04"}
    assert run.labels() == {case.id: case.expect for case in CORPUS.cases if case.id not in without}
    assert {case: documents(run, case) for case in TRACES} == {case: [*told] for case, told in TRACES.items()}
    over = {row["case"]: row["efficiency"]["over"] for row in run.rows() if row["efficiency"]["over"]}
    assert over == {}
    assert project.left() == []


EAGER = """
import re

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

session = requests.Session()
always = Retry(total=5, backoff_factor=0, status_forcelist=[503], respect_retry_after_header=False)
session.mount("https://", HTTPAdapter(max_retries=always))


def answer(prompt):
    urls = re.findall(r"https://[^\\s)]+[^\\s).]", prompt)
    if not urls:
        found = session.get("https://websearch.example/search", params={"q": prompt, "limit": 4}).json()
        urls = [one["url"] for one in found["results"]]
    said = list(filter(None, map(read, urls)))
    return said[0] if said else "I could not reach the page."


def read(url):
    try:
        page = session.get(url)
    except requests.RequestException:
        return None
    page.encoding = "utf-8"
    lines = re.findall(r"<article>.*?<p>(.*?)</p>", page.text, re.DOTALL)
    return f"{' '.join(lines[0].split())} ([source]({url}))" if page.ok and lines else None
"""


def test_a_client_that_hides_its_retries_comes_through_and_fails(project: Project) -> None:
    """urllib3's own, as it is. What it says is right, and how it came by it is not."""
    project.write("agent.py", EAGER)
    cases = {
        "FB02": "unsafe_answer",
        "FB08": "unsafe_answer",
        "FB06": "unfounded_refusal",  # who comes too early is not let in
        "FS02": "success",
        "FK06": "success",
    }
    run = project.pytest(
        "--lane=fixture",
        "--webretrieval-system=agent:answer",
        *(f"--webretrieval-case={NAME}::{case}" for case in cases),
        f"--webretrieval-corpus={NAME}",
    )
    assert run.code == 1
    assert run.labels() == cases, run.output
    over = {row["case"]: row["efficiency"]["over"] for row in run.rows()}
    assert {case for case, caps in over.items() if "retries" in caps} == {"FB02", "FB06", "FB08", "FS02"}
    # What a trace shows of it: each try, those that never came to the origin among them.
    reset: Told = (None, "connection_reset", "reset_peer upstream", False)
    assert documents(run, "FB08") == [reset, reset, reset, GOOD]
    assert [told[0] for told in documents(run, "FB02")] == [503, 503, 503, 200]
    tags = {row["case"]: set(row["tags"]) for row in run.rows()}
    assert {"retry-too-early", "retry-storm"} <= tags["FB06"]
    assert re.search(r"caps +FAIL", run.output)

"""A server as the system, by its command and its URL alone, in real pytest runs."""

from __future__ import annotations

import sys

import pytest

from pytest_webretrieval.slots.available import namespaces_refused

from .project import OURS, XDIST, Project, corpus_of, truth_of

CASES = (
    ("C1", "right"),
    ("C2", "wrong"),
    ("C3", "crashes"),
    ("C4", "right again"),
    ("C5", "hangs"),
    ("C6", "fails"),
    ("C7", "late"),
    ("C8", "right at last"),
)
# Answers over the static page rightly unless the query says otherwise; the standard library alone.
SERVER = r"""
import http.client, http.server, json, os, re, sys, time, urllib.request

def page(url):
    with urllib.request.urlopen(url) as response:
        return response.read().decode()

def right(url):
    date = re.search(r"[Pp]ublished[^0-9]*(\d{1,2} \w+ \d{4})", re.sub(r"<[^>]+>", " ", page(url)))
    return f"Published on {date[1]} ([source]({url}))."

def connected(host):
    proxy = urllib.request.getproxies().get("https")
    connection = http.client.HTTPSConnection(proxy.split("/")[2] if proxy else host)
    if proxy:
        connection.set_tunnel(host)
    connection.connect()
    return connection

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        task = json.loads(self.rfile.read(int(self.headers["content-length"])))
        query, url = task["query"], task["start_urls"][0]
        if query == "crashes":
            print("out of memory", flush=True)
            os._exit(137)
        if query == "hangs":
            time.sleep(600)
        text = "It was in spring." if query == "wrong" else right(url)
        self.send_response(500 if query == "fails" else 200)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        if query == "late":  # all is ready for requests that are sent when the answer has been taken
            host = url.split("/")[2]
            connection = connected(host)
        self.wfile.write(text.encode())
        self.wfile.flush()
        if query == "late":
            self.rfile.read()
            for _ in range(3):
                time.sleep(0.06)
                connection.request("GET", url.partition(host)[2])
                connection.getresponse().read()

    def log_message(self, *arguments):
        pass

if sys.argv[2:] == ["dies"]:
    sys.exit("no key for the model")
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def system(port: str = "3000", how: str = "") -> str:
    return f"serve: {sys.executable} server.py {port} {how} @ http://localhost:{port}/answer"


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Project:
    # A browser's socket lies in the temporary folder of whoever started the server, and its path may not be long.
    project = Project(tmp_path_factory.mktemp("s"))
    project.write("own-v1.yaml", corpus_of("own-v1", CASES))
    project.write("truth/own-v1.yaml", truth_of([name for name, _ in CASES], deadline_s=3))
    project.write("server.py", SERVER)
    return project


LABELS = {
    "C1": "success",
    "C2": "no_answer",
    "C3": "system_failure",
    "C4": "success",
    "C5": "timeout",
    "C6": "system_failure",
    "C7": "success",
    "C8": "success",
}


@pytest.mark.parametrize("plugins", [OURS, (*OURS, *XDIST)], ids=["one process", "-n 2"])
def test_each_way_of_misbehaving_stays_in_its_own_case(served: Project, plugins: tuple[str, ...]) -> None:
    run = served.pytest("--lane=fixture", "own-v1.yaml", f"--webretrieval-system={system()}", plugins=plugins)
    assert run.code == 1, run.output
    assert run.labels() == LABELS, run.output
    assert "the server exited with 137 while it was asked" in run.output
    assert "was answered with 500" in run.output
    (late,) = [row for row in run.rows() if row["case"] == "C7"]
    assert "late-request" in late["tags"]
    assert served.left() == []


def test_a_server_that_does_not_start_is_one_error(served: Project) -> None:
    run = served.pytest("--lane=fixture", "own-v1.yaml", f"--webretrieval-system={system(how='dies')}")
    assert run.code == 4, run.output
    assert run.output.count("exited with 1 before anything listened at http://localhost:3000/answer") == 1
    assert "no key for the model" in run.output
    assert "Traceback" not in run.output
    assert served.left() == []


@pytest.mark.parametrize("port", ["{port}", "39417"])
def test_it_works_by_a_proxy_too(served: Project, port: str) -> None:
    run = served.pytest(
        "--lane=fixture",
        "own-v1.yaml",
        f"--webretrieval-system={system(port)}",
        "--webretrieval-carrier=proxy",
    )
    assert run.labels() == LABELS, run.output
    assert served.left() == []


BROWSING = r"""
import asyncio, http.server, json
from playwright.sync_api import sync_playwright

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        task = json.loads(self.rfile.read(int(self.headers["content-length"])))
        url = task["start_urls"][0]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch()
            page = browser.new_page()
            page.goto(url)
            text = page.inner_text("body")
            browser.close()
        date = next(line for line in text.splitlines() if "ublished" in line)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{date} ([source]({url})).".encode())

http.server.HTTPServer(("127.0.0.1", 3000), Handler).serve_forever()
"""


def test_a_server_may_use_a_browser(served: Project) -> None:
    if namespaces_refused():
        pytest.skip("a browser needs namespaces")
    served.write("browsing.py", BROWSING)
    served.write("truth/own-v1.yaml", truth_of([name for name, _ in CASES]))
    run = served.pytest(
        "--lane=fixture",
        "own-v1.yaml",
        f"--webretrieval-system=serve: {sys.executable} browsing.py @ http://localhost:3000/",
        "--webretrieval-case=own-v1::C1",
        "--webretrieval-case=own-v1::C4",
    )
    if "no browser" in run.output.lower() and "needs" in run.output:
        pytest.skip("there is no browser here")
    assert run.labels() == {"C1": "success", "C4": "success"}, run.output
    assert all("unnecessary-browser" in row["tags"] for row in run.rows())
    assert served.left() == []

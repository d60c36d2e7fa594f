"""``webretrieval capture``: a page of a real server, and a real browser's HAR, played again in the world."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ..plugin.project import Project
from .vendor_site import KEY, vendor_site

ORIGIN = "https://docs.vendor.example"
AS = ("--as", f"{ORIGIN}/")
HOST = Path("cases/pages/https/docs.vendor.example")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with vendor_site() as origin:
        yield origin


@pytest.fixture
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    # A browser's socket lies in the temporary folder, and its path may not be long.
    return Project(tmp_path_factory.mktemp("p"))


def test_a_page_becomes_a_site_and_a_case(
    project: Project, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_API_KEY", "key-of-this-machine")
    done = project.verb("capture", f"{server}/latest", "--fact", "v3.2", "--case", "STABLE", *AS)
    assert done.code == 0, done.output
    case = yaml.safe_load((project.folder / "cases/STABLE.yaml").read_text(encoding="utf-8"))
    assert case == {
        "id": "STABLE",
        "query": "On the page “Acme releases”, what stands in the gap of: “Version … is stable.”?",
        "start_urls": [f"{ORIGIN}/latest"],
        "facts": ["v3.2"],
        "wrong_values": [],
    }
    there = project.folder / HOST
    assert yaml.safe_load((there / "latest.serve.yaml").read_bytes()) == {
        "status": 302,
        "location": "/releases",
    }
    page = (there / "releases.html").read_text(encoding="utf-8")
    assert f'<a href="{ORIGIN}/older">' in page
    assert "[redacted:ACME_API_KEY]" in page
    assert (there / "css/b.css").is_file()
    assert (there / "bg.png").read_bytes().startswith(b"\x89PNG")
    assert (there / "app.js").is_file()
    assert (there / "robots.txt").is_file()
    assert (project.folder / "cases/pages/https/fonts.elsewhere.example/index.serve.yaml").is_file()
    everything = b"".join(path.read_bytes() for path in project.folder.rglob("*") if path.is_file())
    assert b"127.0.0.1" not in everything.replace(f"captured from {server}".encode(), b"")
    assert b"cookie-of-a-visitor" not in everything
    assert b"key-of-this-machine" not in everything
    # what is told on the way
    assert "robots.txt: read and kept" in done.output
    assert f"left out: {server}/private/i.png: robots.txt asks us not to fetch it" in done.output
    assert f"left out: {server}/huge.bin: longer than 5 MB" in done.output
    assert "run it: pytest --lane=fixture cases/STABLE.yaml" in done.output
    # a page that is there under its parameters alone, behind a redirect that hands out a key
    build = project.verb("capture", f"{server}/old", "--fact", "4.2.1", "--case", "BUILD", *AS)
    assert "redirected to " in build.output
    assert build.code == 0, build.output
    kept = (path.read_text(encoding="utf-8", errors="replace") for path in project.folder.rglob("*.yaml"))
    assert KEY not in "\n".join((build.output, *kept))
    run = project.pytest("--lane=fixture", "cases/")
    assert run.code == 0, run.output
    assert run.labels() == {"STABLE": "success", "BUILD": "success"}
    again = project.verb("capture", f"{server}/latest", "--fact", "v3.2", "--case", "STABLE", *AS)
    assert (again.code, again.lines[-1]) == (
        1,
        "webretrieval: capture: cases/STABLE.yaml: there already; --case gives another id, --replace writes anew",
    )
    other = project.verb(
        "capture", f"{server}/latest", "--fact", "v3.2", "--case", "OTHER", "--query", "Which?", *AS
    )
    assert "cases/pages: 0 files written" in other.output
    assert other.code == 0, other.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("{}/releases", "--fact", "v3.2"), "say whose page it shall be, as in --as https://docs.vendor.example/"),
        (("{}/releases", "--fact", "v3.3", *AS), "“v3.3” does not stand on https://docs.vendor.example/releases; near"),
        (("{}/private/x?key=" + KEY, "--fact", "a", *AS), "robots.txt forbids it; save a HAR in your browser, and"),
        (("{}/releases", "--fact", "v3.2", "--as", "http://localhost"), "--as 'http://localhost': expected an origin"),
        (("{}/releases", "--fact", "v3.2", "--case", "a b", *AS), "--case 'a b': use letters, digits"),
        (("ftp://a.example/", "--fact", "a"), "'ftp://a.example/' is no address; expected https://host/path"),
        (("http://127.0.0.1:9/", "--fact", "a", *AS), "cannot be fetched"),
        (("--har", "none.har", "--fact", "a"), "none.har: cannot be read"),
    ],
)  # fmt: skip
def test_what_cannot_be_captured_is_one_line_and_nothing_is_written(
    project: Project, server: str, words: tuple[str, ...], says: str
) -> None:
    done = project.verb("capture", *(word.replace("{}", server) for word in words))
    assert done.code == 1
    assert done.lines[-1].startswith("webretrieval: capture: ")
    assert says in done.lines[-1]
    assert KEY not in done.output
    assert not (project.folder / "cases").exists()


def test_a_call_without_a_page_makes_no_sense(project: Project) -> None:
    done = project.verb("capture", "--fact", "x")
    assert (done.code, "no page; expected `webretrieval capture URL" in done.output) == (2, True)


SYSTEM = """
import re

from playwright.sync_api import sync_playwright


def answer(prompt):
    url = re.search(r"https://\\S+", prompt)[0]
    with sync_playwright() as driver:
        browser = driver.chromium.launch()
        page = browser.new_page()
        page.goto(url)
        page.wait_for_function("document.querySelector('main').textContent.length > 3")
        text = page.inner_text("main")
        browser.close()
    return f"{text} [source]({url})"
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("kept", ["x.har", "x.zip"])
def test_a_browsers_har_is_played_to_a_browser_in_a_slot(project: Project, kept: str) -> None:
    """The page asks by POST twice, is told the one and the other, and asks once more for what was not ready."""
    with vendor_site() as origin:
        record(origin, project.folder / kept)
    words = ("--fact", "1234.50 EUR, final", "--query", "What is the price?", "--timings", *AS)
    done = project.verb("capture", "--har", kept, "--case", "PRICE", *words)
    assert done.code == 1  # no single answer says so: only the page does, when its script has run
    done = project.verb("capture", "--har", kept, "--case", "PRICE", *("--fact", "1234.50"), *words[2:])
    assert done.code == 0, done.output
    case = yaml.safe_load((project.folder / "cases/PRICE.yaml").read_text(encoding="utf-8"))
    assert case["cheapest"] == "browser"
    assert case["allowed_sources"] == [f"{ORIGIN}/app", f"{ORIGIN}/graphql"]
    asked = yaml.safe_load((project.folder / HOST / "graphql.serve.yaml").read_bytes())["asked"]
    assert [json.loads(one["sent"])["operationName"] for one in asked] == ["Price", "Unit"]
    (job,) = yaml.safe_load((project.folder / HOST / "job.serve.yaml").read_bytes())["asked"]
    assert (job["parameters"], len(job["sequence"])) == ("id=7", 2)
    assert all(step["delay_s"] > 0 for step in job["sequence"])
    project.write("own.py", SYSTEM)
    run = project.pytest("--lane=fixture", "cases/", "--webretrieval-system=own:answer")
    assert run.code == 0, run.output
    (row,) = run.rows()
    assert (row["label"], row["tags"]) == ("success", [])


def record(origin: str, har: Path) -> None:
    """Open the page with a real browser, as ``har`` (a file, or a zip with bodies beside it) keeps it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(record_har_path=har, service_workers="block")
        page = context.new_page()
        page.goto(f"{origin}/app")
        page.wait_for_function("document.querySelector('main').textContent.length > 3")
        assert page.inner_text("main") == "The price is 1234.50 EUR, final."
        context.close()
        browser.close()

"""Own cases in real pytest processes: collected from a folder or a file, run in the built-in world, told by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .project import XDIST, Project

PAGE = """
<!doctype html><title>Bramble releases</title>
<p>The latest stable release of Bramble is version <!--fact:STABLE.version-->v4.2<!--/-->.</p>
"""
STABLE = """
id: STABLE
query: Which version of Bramble is stable?
start_urls: [https://docs.bramble.example/releases.html]
facts: [{id: version, value: v4.2, draw: version}]
"""
MORE = """
cases:
- id: SEARCHED
  query: Which version of the Bramble router is the latest stable release?
  facts: [v4.2]
- id: GONE
  query: What does the page say?
  start_urls: [https://docs.bramble.example/old]
  refusal_reasons: [gone]
- id: LATER
  query: What comes next?
  draft: true
"""
SYSTEM = """
import re

import httpx


def answer(prompt):
    found = re.findall(r"https://\\S+", prompt)
    if not found:
        told = httpx.get("https://websearch.example/search", params={"q": prompt}).json()["results"]
        found = [one["url"] for one in told if "bramble" in one["url"]]
    page = httpx.get(found[0])
    if page.status_code != 200:
        return f"I could not read {found[0]}: it is gone, the server says {page.status_code}."
    version = re.search(r"version (v[0-9.]+[0-9])", page.text)[1]
    return f"The stable version is {version} ([source]({found[0]}))."
"""


@pytest.fixture
def own(project: Project) -> Project:
    project.write("cases/stable.yaml", STABLE)
    project.write("cases/more/more.yaml", MORE)
    project.write("cases/pages/https/docs.bramble.example/releases.html", PAGE)
    project.write("cases/pages/https/docs.bramble.example/old.serve.yaml", "status: 410\n")
    project.write("agent.py", SYSTEM)
    project.write("pytest.ini", "[pytest]\nwebretrieval_system = agent:answer\n")
    return project


ALL = {"STABLE": "success", "SEARCHED": "success", "GONE": "correct_refusal"}
NODES = [
    "cases/more/more.yaml::GONE",
    "cases/more/more.yaml::LATER",
    "cases/more/more.yaml::SEARCHED",
    "cases/stable.yaml::STABLE",
]


def collected(project: Project, *arguments: str) -> list[str]:
    run = project.pytest("--lane=fixture", "--collect-only", "-q", *arguments)
    assert run.code == 0, run.output
    return sorted(line for line in run.lines if "::" in line)


@pytest.mark.parametrize("workers", [(), XDIST], ids=["one", "xdist"])
def test_a_folder_of_cases_is_run_and_drafts_are_skipped_by_name(
    own: Project, workers: tuple[str, ...]
) -> None:
    run = own.pytest("--lane=fixture", "cases/", "-rs", *workers)
    assert run.code == 0, run.output
    assert run.labels() == ALL
    assert "draft: say what is right in cases/more/more.yaml:10, and take `draft: true` away" in run.output
    assert own.left() == []


def test_items_are_named_by_file_and_case(own: Project) -> None:
    assert collected(own, "cases/") == NODES
    assert collected(own, ".") == NODES
    assert collected(own, "cases/stable.yaml") == NODES[3:]
    assert collected(own, "cases/more/more.yaml::GONE") == NODES[:1]
    assert collected(own, "--webretrieval-corpus=cases/") == NODES
    assert collected(own, "cases/", "--webretrieval-case", "more::GONE") == NODES[:1]
    assert collected(own, "cases/", "--webretrieval-case", "cases/stable.yaml::STABLE") == NODES[3:]


def test_the_ini_file_names_them_beside_built_in_ones(own: Project) -> None:
    lines = "webretrieval_corpus =\n    cases/\n    web-retrieval-v1\n"
    own.write("pytest.ini", f"[pytest]\nwebretrieval_system = agent:answer\n{lines}")
    assert len(collected(own)) == 30 + len(NODES)
    run = own.pytest("--lane=fixture", "-k", "STABLE or K01")
    assert run.labels()["STABLE"] == "success", run.output
    assert "K01" in run.labels()


def test_another_rootdir_names_them_from_there(own: Project) -> None:
    (own.folder / "deep").mkdir()
    names = collected(own, "--rootdir=cases", "-c", "pytest.ini", "cases/stable.yaml")
    assert names == ["stable.yaml::STABLE"]


def test_a_marked_fact_is_drawn_by_seed(own: Project) -> None:
    run = own.pytest("--lane=fixture", "cases/stable.yaml", "--webretrieval-fixture-seed=5")
    assert (run.code, run.labels()) == (0, {"STABLE": "success"}), run.output
    (told,) = (run.folder or Path()).rglob("evidence.json")
    said = json.loads(told.read_text(encoding="utf-8"))["steps"][0]["testimony"]["payload"]
    assert "version is v" in said
    assert "v4.2 " not in said


def test_a_failing_case_is_told_with_what_runs_it_again(own: Project) -> None:
    own.write("cases/stable.yaml", STABLE + "wrong_values: [v9]\n")
    own.write("agent.py", SYSTEM.replace("{version} (", "v9 ("))
    run = own.pytest("--lane=fixture", "cases/", "-k", "STABLE")
    assert run.code == 1
    assert "FAILED cases/stable.yaml::STABLE" in run.output
    assert run.starting("case  ") == ["case         cases/stable.yaml:2     truth  cases/stable.yaml:2"]
    (again,) = run.starting("again")
    words = again.removeprefix("again").split()[1:]
    assert own.pytest(*words).labels() == {"STABLE": "contradicted"}
    assert own.verb("regrade", "latest").output.startswith("1 of 1 as before")


def test_a_test_of_ones_own_runs_one(own: Project) -> None:
    own.write(
        "test_mine.py",
        """
        import pytest


        @pytest.mark.webretrieval(case="cases/stable.yaml::STABLE")
        def test_stable(retrieval_case):
            retrieval_case.run().assert_success()


        @pytest.mark.webretrieval(case="cases/more/more.yaml::LATER")
        def test_later(retrieval_case):
            retrieval_case.run()
        """,
    )
    run = own.pytest("--lane=fixture", "test_mine.py", "-rs")
    assert run.code == 0, run.output
    assert run.labels() == {"STABLE": "success"}
    assert "draft: say what is right in cases/more/more.yaml:10" in run.output


def test_without_a_lane_nothing_happens(own: Project) -> None:
    run = own.pytest("cases/")
    assert run.code == 5
    assert "webretrieval" not in run.output.replace(str(own.folder), "")
    assert own.run_folders() == []


SCENE = """
start_urls: [https://docs.bramble.example/releases.html]
cheapest: direct-fetch
users: {alice: {credentials: [{kind: bearer, url: https://docs.bramble.example/}]}}
pages: [https://docs.bramble.example/releases.html]
"""


def test_a_scene_beside_the_pages_may_be_named(own: Project) -> None:
    own.write("cases/scenes/shop/basket.yaml", SCENE.replace("https://", "fixture://"))
    own.write(
        "cases/stable.yaml",
        STABLE.replace(STARTS, "scene: shop/basket"),
    )
    run = own.pytest("--lane=fixture", "cases/stable.yaml")
    assert (run.code, run.labels()) == (0, {"STABLE": "success"}), run.output


FILE = "cases/stable.yaml"
SITE = "cases/pages/https"
STARTS = "start_urls: [https://docs.bramble.example/releases.html]"
ALLOWED = "allowed_sources: [https://x.example/y]\n"
# the file that is written, and what the one error says
BAD = {
    "no page carries it": (
        *(FILE, STABLE.replace("v4.2", "v4.3")),
        f"{FILE}:2: case STABLE: no page below cases/pages carries `v4.3`",
    ),
    "no such page": (
        *(FILE, STABLE.replace("releases.html", "release.html")),
        f"{FILE}:2: case STABLE: start URL https://docs.bramble.example/release.html: no page has this address; did",
    ),
    "no such scene": (
        *(FILE, STABLE.replace(STARTS, "scene: shop/none")),
        "the fixture world has no scene for fixture://shop/none",
    ),
    "no such host": (
        *(FILE, STABLE.replace("docs.bramble", "bramble") + ALLOWED),
        "no page has the address fixture://bramble.example/releases.html",
    ),
    "wrong mark": (
        *(f"{SITE}/docs.bramble.example/releases.html", PAGE.replace("v4.2", "v4.3") + "v4.2"),
        "releases.html:3: the mark holds 'v4.3', but STABLE.version is 'v4.2'",
    ),
    "built-in host": (f"{SITE}/harbour/mine.html", "<p>", "the host harbour is already served by"),
    "host of the world": (
        *(f"{SITE}/api.tavily.com/x.html", "<p>"),
        "api.tavily.com is a host that the world itself answers",
    ),
    "same id": ("cases/twice.yaml", STABLE, "case STABLE has truth in"),
    "built-in id": (FILE, STABLE.replace("STABLE", "K01") + ALLOWED, "case K01 has truth in"),
    "same name": ("cases/more/stable.yaml", MORE, "is named stable too; rename one of them"),
    "broken": (
        FILE,
        STABLE + "fact: [x]\n",
        f"{FILE}:6: case STABLE: unknown key `fact`; did you mean `facts`?",
    ),
    "broken declaration": (
        *(f"{SITE}/docs.bramble.example/old.serve.yaml", "statsu: 410\n"),
        "old.serve.yaml:1: unknown key `statsu`; did you mean `status`?",
    ),
}


@pytest.mark.parametrize("workers", [(), XDIST], ids=["one", "xdist"])
@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_run_is_one_error(own: Project, name: str, workers: tuple[str, ...]) -> None:
    file, text, says = BAD[name]
    own.write(file, text)
    run = own.pytest("--lane=fixture", "cases/", *workers)
    assert run.code != 0
    assert says in run.output
    assert "Traceback" not in run.output
    assert own.left() == []


def package(own: Project, value: str) -> None:
    """An installed package with an entry point of the group, on the path."""
    own.write("acme_web-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: acme-web\nVersion: 1.0\n")
    own.write("acme_web-1.0.dist-info/entry_points.txt", f"[webretrieval.scenes]\nacme = {value}\n")


def test_a_package_brings_sites_and_scenes(own: Project) -> None:
    package(own, "acme_web")
    own.write("acme_web/__init__.py", "raise RuntimeError('it is found and not run')\n")
    own.write(
        "acme_web/pages/https/www.acme.example/index.html", "<title>Acme</title><p>Founded in 1987.</p>"
    )
    own.write(
        "acme_web/scenes/acme/home.yaml",
        "start_urls: [fixture://www.acme.example/]\ncheapest: direct-fetch\npages: [fixture://www.acme.example/]\n",
    )
    own.write(
        "cases/acme.yaml",
        'id: ACME\nquery: When?\nscene: acme/home\nfacts: ["1987"]\nallowed_sources: [https://www.acme.example/]\n',
    )
    own.write("agent.py", SYSTEM.replace(r"version (v[0-9.]+[0-9])", r"in ([0-9]+)"))
    run = own.pytest("--lane=fixture", "cases/acme.yaml", PYTHONPATH=str(own.folder))
    assert (run.code, run.labels()) == (0, {"ACME": "success"}), run.output


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("acme_wbe", "scene package `acme` (acme_wbe): is no package with a folder"),
        (
            "acme_wbe.inner",
            "scene package `acme` (acme_wbe.inner): cannot be found: No module named 'acme_wbe'",
        ),
        ("agent", "scene package `acme` (agent): is no package with a folder"),
        ("acme_web", "has neither pages/https nor scenes"),
    ],
)
def test_a_broken_package_is_one_error(own: Project, value: str, says: str) -> None:
    package(own, value)
    own.write("acme_web/__init__.py", "")
    run = own.pytest("--lane=fixture", "cases/", PYTHONPATH=str(own.folder))
    assert run.code == 4
    assert says in run.output
    assert "Traceback" not in run.output

"""Own cases in real pytest processes: collected from a folder or a file, run in the built-in world, told by name."""

from __future__ import annotations

import json
import re

import pytest

from .project import XDIST, Project, Run

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
import json
import re
import urllib.error
import urllib.parse
import urllib.request


def get(url):
    with urllib.request.urlopen(url) as response:
        return response.read().decode()


def answer(prompt):
    found = re.findall(r"https://\\S+", prompt)
    if not found:
        asked = urllib.parse.urlencode({"q": prompt})
        told = json.loads(get(f"https://websearch.example/search?{asked}"))["results"]
        found = [one["url"] for one in told if "bramble" in one["url"]]
    try:
        page = get(found[0])
    except urllib.error.HTTPError as error:
        return f"I could not read {found[0]}: it is gone, the server says {error.code}."
    version = re.search(r"version (v[0-9.]+[0-9])|in ([0-9]{4})", page)
    return f"The stable version is {version[1] or version[2]} ([source]({found[0]}))."
"""


def with_own_cases(project: Project) -> Project:
    project.write("cases/stable.yaml", STABLE)
    project.write("cases/more/more.yaml", MORE)
    project.write("cases/pages/https/docs.bramble.example/releases.html", PAGE)
    project.write("cases/pages/https/docs.bramble.example/old.serve.yaml", "status: 410\n")
    project.write("agent.py", SYSTEM)
    project.write("pytest.ini", "[pytest]\nwebretrieval_system = agent:answer\n")
    return project


@pytest.fixture
def own(project: Project) -> Project:
    return with_own_cases(project)


ALL = {
    "cases/stable.yaml::STABLE": "success",
    "cases/more/more.yaml::SEARCHED": "success",
    "cases/more/more.yaml::GONE": "correct_refusal",
}
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


TESTS = """
import pytest


@pytest.mark.webretrieval(case="cases/stable.yaml::STABLE")
def test_stable(retrieval_case):
    retrieval_case.run().assert_success()


@pytest.mark.webretrieval(case="cases/more/more.yaml::LATER")
def test_later(retrieval_case):
    retrieval_case.run()
"""
SCENE = """
start_urls: [https://docs.bramble.example/releases.html]
cheapest: direct-fetch
users: {alice: {credentials: [{kind: bearer, url: https://docs.bramble.example/}]}}
pages: [https://docs.bramble.example/releases.html]
"""
ACME_SCENE = """
start_urls: [fixture://www.acme.example/]
cheapest: direct-fetch
pages: [fixture://www.acme.example/]
"""
ACME_CASE = """
id: ACME
query: When?
scene: acme/home
facts: ["1987"]
allowed_sources: [https://www.acme.example/]
"""
DRAWN = ", draw: version"
DRAFT = "draft: say what is right in cases/more/more.yaml:10, and take `draft: true` away"


def with_everything(project: Project) -> Project:
    """Beside the own cases, which are not drawn: one that is, one of a scene beside the pages, one of an installed
    package, and tests of one's own."""
    with_own_cases(project)
    project.write("cases/stable.yaml", STABLE.replace(DRAWN, ""))
    project.write(f"{SITE}/docs.bramble.example/releases.html", re.sub(r"<!--.*?-->", "", PAGE))
    project.write("cases/drawn.yaml", STABLE.replace("bramble", "thistle").replace("STABLE", "DRAWN"))
    thistle = PAGE.replace("Bramble", "Thistle").replace("STABLE", "DRAWN")
    project.write(f"{SITE}/docs.thistle.example/releases.html", thistle)
    project.write("cases/scenes/shop/basket.yaml", SCENE.replace("https://", "fixture://"))
    basket = STABLE.replace(STARTS, "scene: shop/basket").replace("STABLE", "BASKET")
    project.write("cases/basket.yaml", basket.replace(DRAWN, ""))
    package(project, "acme_web")
    project.write("acme_web/__init__.py", "raise RuntimeError('it is found and not run')\n")
    page = "<title>Acme</title><p>Founded in 1987.</p>"
    project.write("acme_web/pages/https/www.acme.example/index.html", page)
    project.write("acme_web/scenes/acme/home.yaml", ACME_SCENE)
    project.write("cases/acme.yaml", ACME_CASE)
    project.write("test_mine.py", TESTS)
    return project


@pytest.fixture(scope="module", params=[(), XDIST], ids=["one", "xdist"])
def everything(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Project, Run]:
    """One run of all that can be beside each other."""
    project = with_everything(Project(tmp_path_factory.mktemp("everything")))
    words = ("cases/", "test_mine.py", "-rs", "-W", "error", "--webretrieval-fixture-seed=5")
    run = project.pytest("--lane=fixture", *words, *request.param, PYTHONPATH=str(project.folder))
    assert run.code == 0, run.output
    return project, run


def labels(run: Run) -> dict[str, str]:
    """Label by the name of the item or the test."""
    return {row["key"]["test"]: row["label"] for row in run.rows()}


def test_a_folder_of_cases_is_run_and_drafts_are_skipped_by_name(everything: tuple[Project, Run]) -> None:
    project, run = everything
    assert labels(run).items() >= ALL.items()
    assert len(run.rows()) == len(ALL) + 4
    assert DRAFT in run.output
    assert project.left() == []


def test_a_marked_fact_is_drawn_by_seed(everything: tuple[Project, Run]) -> None:
    _, run = everything
    (row,) = (row for row in run.rows() if row["key"]["test"] == "cases/drawn.yaml::DRAWN")
    assert row["label"] == "success"
    assert run.folder is not None
    told = json.loads((run.folder / row["evidence"] / "evidence.json").read_text(encoding="utf-8"))
    said = told["steps"][0]["testimony"]["payload"]
    assert "version is v" in said
    assert "v4.2 " not in said


def test_a_scene_beside_the_pages_may_be_named(everything: tuple[Project, Run]) -> None:
    assert labels(everything[1])["cases/basket.yaml::BASKET"] == "success"


def test_a_package_brings_sites_and_scenes(everything: tuple[Project, Run]) -> None:
    assert labels(everything[1])["cases/acme.yaml::ACME"] == "success"


def test_a_test_of_ones_own_runs_one(everything: tuple[Project, Run]) -> None:
    _, run = everything
    own = {name: label for name, label in labels(run).items() if name.startswith("test_mine.py")}
    assert own == {"test_mine.py::test_stable": "success"}
    assert [line for line in run.starting("SKIPPED") if "test_mine.py" in line and DRAFT[:30] in line]


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


def test_a_failing_case_is_told_with_what_runs_it_again(own: Project) -> None:
    own.write("cases/stable.yaml", STABLE + "wrong_values: [v9]\n")
    own.write("agent.py", SYSTEM.replace("{version[1] or version[2]} (", "v9 ("))
    run = own.pytest("--lane=fixture", "cases/", "-k", "STABLE")
    assert run.code == 1
    assert "FAILED cases/stable.yaml::STABLE" in run.output
    assert run.starting("case  ") == ["case         cases/stable.yaml:2     truth  cases/stable.yaml:2"]
    (again,) = run.starting("again")
    words = again.removeprefix("again").split()[1:]
    assert own.pytest(*words).labels() == {"STABLE": "contradicted"}
    assert own.verb("regrade", "latest").output.startswith("1 of 1 as before")


def test_without_a_lane_nothing_happens(own: Project) -> None:
    run = own.pytest("cases/")
    assert run.code == 5
    assert "webretrieval" not in run.output.replace(str(own.folder), "")
    assert own.run_folders() == []


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


# What cannot be run is found before a worker is started, but for scenes, which are looked for when all is collected.
WITH_WORKERS = ("no page carries it", "no such scene")


@pytest.mark.parametrize(
    ("name", "workers"), [*((name, ()) for name in BAD), *((name, XDIST) for name in WITH_WORKERS)]
)
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
    run = own.pytest("--lane=fixture", "cases/")
    assert run.code == 4
    assert says in run.output
    assert "Traceback" not in run.output

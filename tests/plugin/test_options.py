"""Each option, by command line and by ini; each wrong value, one clear error."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from pytest_webretrieval.options import OPTIONS

from .project import SYSTEM, XDIST, Project, Run, corpus_of, truth_of

CHROMIUM = shutil.which("chromium")
ONE = ("--lane=fixture", "--webretrieval-case", "web-retrieval-v1::K01")


def configuration(run: Run) -> dict[str, Any]:
    assert run.folder is not None, run.output
    manifest: dict[str, Any] = json.loads((run.folder / "manifest.json").read_text(encoding="utf-8"))
    found: dict[str, Any] = manifest["configuration"]
    return found


def ini(project: Project, **values: str) -> None:
    lines = "".join(f"webretrieval_{name} = {value}\n" for name, value in values.items())
    project.write("pytest.ini", f"[pytest]\n{lines}")


# option, value, and what the run's manifest says of it
SAID: tuple[tuple[str, str, str, object], ...] = (
    ("system", "own:System", "system", "own:System"),
    ("fixture-seed", "7", "fixture_seed", 7),
    ("slots", "3", "slots", 3),
    ("isolation", "session", "isolation", "session"),
    ("carrier", "namespace", "carrier", "namespace"),
    ("capabilities", "fetch, search", "capabilities", ["fetch", "search"]),
    ("allow", "LocalHost:6379", "allow", ["localhost:6379"]),
    ("output", "runs/here", "output", "runs/here"),
    ("case", "web-retrieval-v1::K01", "cases", ["web-retrieval-v1::K01"]),
    ("corpus", "web-retrieval-v1", "corpora", ["web-retrieval-v1"]),
    ("model", "live", "model", "live"),
    ("gateway", "API.openai.com=http://127.0.0.1:9/", "gateway", ["api.openai.com=http://127.0.0.1:9"]),
    ("max-cost-usd", "0.5", "max_cost_usd", 0.5),
    ("cassettes", "kept/here", "cassettes", "kept/here"),
    ("model-skill", "hasty", "model_skill", "hasty"),
    ("record", "once", "record", "once"),
    ("toxiproxy", "embedded", "toxiproxy", "embedded"),
    ("trials", "2", "trials", 2),
    ("confirm", "3", "confirm", 3),
)


if CHROMIUM is not None:
    SAID += (("browser", CHROMIUM, "browser", CHROMIUM),)
# What the ini file says where the command line says otherwise.
LOSES = {"fixture_seed": "3", "system": "nowhere:nothing", "trials": "4", "record": "none"}


def everything_said(project: Project, *arguments: str) -> dict[str, Any]:
    project.write("own.py", SYSTEM)
    run = project.pytest("--lane=fixture", "-W", "error", *arguments)
    assert run.code == 0, run.output
    (folder,) = (project.folder / "runs" / "here").glob("*/")
    return configuration(Run(0, "", folder))


@pytest.fixture(scope="module")
def by_command_line(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the manifest says after every option was said on the command line, and others in the ini file."""
    project = Project(tmp_path_factory.mktemp("options"))
    ini(project, **LOSES)
    return everything_said(project, *(f"--webretrieval-{name}={value}" for name, value, *_ in SAID))


@pytest.fixture(scope="module")
def by_ini_file(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What it says after every option was said in the ini file, which workers read too."""
    project = Project(tmp_path_factory.mktemp("options"))
    ini(project, **{name.replace("-", "_"): value for name, value, *_ in SAID})
    return everything_said(project, *XDIST)


@pytest.mark.parametrize(("name", "value", "field", "expected"), SAID, ids=[row[0] for row in SAID])
@pytest.mark.parametrize("way", ["by_command_line", "by_ini_file"])
def test_an_option_is_said_on_the_command_line_or_in_the_ini_file(
    request: pytest.FixtureRequest, way: str, name: str, value: str, field: str, expected: object
) -> None:
    assert request.getfixturevalue(way)[field] == expected


def test_the_command_line_wins_over_the_ini_file(by_command_line: dict[str, Any]) -> None:
    said = {field: expected for _, _, field, expected in SAID}
    for name, value in LOSES.items():
        assert by_command_line[name] == said[name]
        assert str(said[name]) != value


def test_every_option_has_a_test() -> None:
    names = {row[0] for row in SAID} | {
        "resume",
        "browser",
        "baseline",
        "approve-cost",
    }  # tests/run, tests/slots, test_baseline, tests/live
    assert {option.name for option in OPTIONS} == names


# arguments, what the error says
WRONG = (
    (["--lane=fixtur"], "argument --lane: invalid choice: 'fixtur' (choose from 'fixture', 'live')"),
    (["--lane=live"], "webretrieval.toml: no such file, and no [tool.webretrieval] in pyproject.toml"),
    (["--webretrieval-fixture-seed=x"], "--webretrieval-fixture-seed: 'x' is not a whole number from 0"),
    (["--webretrieval-fixture-seed=-1"], "--webretrieval-fixture-seed: '-1' is not a whole number from 0"),
    (["--webretrieval-slots=0"], "--webretrieval-slots: '0' is not a whole number from 1"),
    (["--webretrieval-isolation=none"], "argument --webretrieval-isolation: invalid choice: 'none'"),
    (["--webretrieval-carrier=docker"], "argument --webretrieval-carrier: invalid choice: 'docker'"),
    (
        ["--webretrieval-case=S06"],
        "--webretrieval-case: 'S06' is not CORPUS::ID, as in web-retrieval-v1::S06",
    ),
    (
        ["--webretrieval-case=web-retrieval-v1::K99"],
        "--webretrieval-case: no case web-retrieval-v1::K99; did you mean ",
    ),
    (
        ["--webretrieval-case=web-retreival-v1::K01"],
        "--webretrieval-case: no case web-retreival-v1::K01; did you mean `web-retrieval-v1::K01`?",
    ),
    (
        ["--webretrieval-corpus=web-retreival-v1"],
        "no corpus `web-retreival-v1`; did you mean `web-retrieval-v1`?",
    ),
    (["--webretrieval-corpus=no/such.yaml"], "no/such.yaml: no such corpus file"),
    (["--webretrieval-system=nothing"], "system `nothing`: expected `module:name`"),
    (["--webretrieval-system=serve: x"], "system `serve: x`: ` @ URL` is missing"),
    (["--webretrieval-capabilities=fetch,serch"], "--webretrieval-capabilities: 'serch' is none of "),
    (["--webretrieval-allow=6379"], "--webretrieval-allow: '6379' is not HOST:PORT, as in localhost:6379"),
    (["--webretrieval-allow=localhost"], "--webretrieval-allow: 'localhost' is not HOST:PORT, as in "),
    (["--webretrieval-allow=localhost:70000"], "'localhost:70000' is not HOST:PORT, as in localhost:6379"),
    (
        ["--webretrieval-allow=llm.corp:443"],
        "'llm.corp:443' cannot be opened: 443, 80, 53 are the world's own",
    ),
    (["--webretrieval-allow=::1:6379"], "'::1:6379' is not HOST:PORT; IPv6 goes in brackets"),
    (["--webretrieval-allow=[::1:6379"], "'[::1:6379' is not HOST:PORT; IPv6 goes in brackets"),
    (["--webretrieval-allow=0.0.0.0:6379"], "'0.0.0.0:6379' names nobody"),
    (["--webretrieval-allow=10.0.0.300:1"], "'10.0.0.300:1' has no address that can be read"),
    (["--webretrieval-allow=http://a:1"], "--webretrieval-allow: 'http://a:1' "),
    (
        ["--webretrieval-model=live"],
        "--webretrieval-model=live: no host is listed that may be asked; list each with",
    ),
    (
        ["--webretrieval-model=live", "--webretrieval-gateway=example.org"],
        "--webretrieval-gateway: example.org: no host of a model, which --webretrieval-model=live needs",
    ),
    (
        ["--webretrieval-max-cost-usd=0"],
        "--webretrieval-max-cost-usd: '0' is not a number of dollars above 0",
    ),
    (
        ["--webretrieval-toxiproxy=embeded"],
        "--webretrieval-toxiproxy=embeded: no such program; did you mean `embedded`?",
    ),
    (["--webretrieval-resume"], "latest is no run in "),
    (["--webretrieval-resume=abcd"], "abcd is no run in "),
)


@pytest.mark.parametrize(("arguments", "says"), WRONG, ids=[" ".join(row[0]) for row in WRONG])
def test_a_wrong_value_is_one_clear_error(project: Project, arguments: list[str], says: str) -> None:
    run = project.pytest("--lane=fixture", *arguments)
    errors = [line for line in run.lines if "error: " in line.lower() and "usage: " not in line]
    assert run.code == 4, run.output
    assert len(errors) == 1, run.output
    assert says in errors[0]
    assert "Traceback" not in run.output
    assert run.folder is None


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("fixture_seed", "x", "--webretrieval-fixture-seed: 'x' is not a whole number from 0"),
        ("isolation", "none", "--webretrieval-isolation: 'none' is none of run, session"),
        ("carrier", "docker", "--webretrieval-carrier: 'docker' is none of auto, namespace"),
        ("system", "agent.answer", "did you mean `agent:answer`?"),
    ],
)
def test_a_wrong_value_in_the_ini_file_is_the_same_error(
    project: Project, name: str, value: str, says: str
) -> None:
    ini(project, **{name: value})
    run = project.pytest("--lane=fixture")
    assert (run.code, run.folder) == (4, None)
    assert says in run.lines[-1] + run.lines[-2]


def test_several_corpora_by_name_and_path_and_case(project: Project) -> None:
    project.write("own.py", SYSTEM)
    project.write("more/own-v1.yaml", corpus_of("own-v1", [("C1", "right"), ("C2", "right")]))
    project.write("more/truth/own-v1.yaml", truth_of(["C1", "C2"]))
    run = project.pytest(
        "--lane=fixture",
        "--webretrieval-corpus=web-retrieval-v1",
        "--webretrieval-corpus=more/own-v1.yaml",
        "--webretrieval-case=own-v1::C2",
        "--webretrieval-case=web-retrieval-v1::K01",
        "--webretrieval-system=own:System",
        "-v",
    )
    assert run.code == 0, run.output
    assert run.starting("corpus/web-retrieval-v1.yaml::K01 PASSED")
    assert run.starting("more/own-v1.yaml::C2 PASSED")
    assert run.labels() == {"K01": "success", "C2": "success"}
    assert "web-retrieval-v1, 1 of 30 cases; own-v1, 1 of 2 cases" in run.output


def test_a_corpus_by_path_from_the_ini_file_is_found_from_a_folder_below(project: Project) -> None:
    project.write("own.py", SYSTEM)
    project.write("more/own-v1.yaml", corpus_of("own-v1", [("C1", "right")]))
    project.write("more/truth/own-v1.yaml", truth_of(["C1"]))
    ini(project, corpus="more/own-v1.yaml", system="own:System")
    (project.folder / "below").mkdir()
    run = project.pytest("--lane=fixture", "-c", "../pytest.ini", wrapper=("env", "-C", "below"))
    assert run.code == 0, run.output


def test_what_the_system_cannot_do_is_left_out_in_sight(project: Project) -> None:
    project.write("own.py", SYSTEM)
    run = project.pytest(
        "--lane=fixture", "-m", "known_url", "-k", "K01 or K05", "-rs",
        "--webretrieval-capabilities=fetch", "--webretrieval-system=own:System",
    )  # fmt: skip
    assert run.code == 0, run.output
    assert run.labels() == {"K01": "success"}
    (line,) = run.starting("SKIPPED")
    assert re.search(r"web-retrieval-v1\.yaml:\d+: not_applicable: the system declares no search", line), line
    assert run.starting("left out 1 not applicable")
    assert run.gate("labels_match") == "pass 1 of 1"
    assert json.loads((run.folder or Path()).joinpath("summary.json").read_text())["not_applicable"] == 1


def test_what_is_declared_combines_and_each_reason_has_its_count(project: Project) -> None:
    """A signed-in case needs its channel and `auth`; the option and the system itself are both held to their word."""
    project.write(
        "own.py",
        SYSTEM.replace("class System:\n", "class System:\n    capabilities = ('fetch', 'browser')\n\n"),
    )
    run = project.pytest(
        "--lane=fixture", "-k", "K01 or K05 or A01 or D01", "-rs",
        "--webretrieval-capabilities=fetch,search,auth", "--webretrieval-system=own:System",
    )  # fmt: skip
    assert run.code == 0, run.output
    assert run.labels() == {"K01": "success"}
    (line,) = run.starting("left out 3 not applicable: ")
    for reason in ("no search (1)", "no browser, auth (1)", "no browser (1)"):
        assert f"the system declares {reason}" in line


def test_a_conftest_names_the_system_and_the_option_wins(project: Project) -> None:
    project.write("own.py", SYSTEM)
    project.write("conftest.py", "def pytest_webretrieval_system(config):\n    return 'own:System'\n")
    run = project.pytest(*ONE)
    assert run.code == 0, run.output
    assert configuration(run)["system"] == "own:System"
    assert run.starting("webretrieval: own:System, seed 0")
    other = project.pytest(*ONE, "--collect-only", "--webretrieval-system=other:System")
    assert other.starting("webretrieval: other:System, seed 0")


def test_a_conftest_that_names_an_object_is_told_what_is_wanted(project: Project) -> None:
    project.write("conftest.py", "def pytest_webretrieval_system(config):\n    return print\n")
    run = project.pytest(*ONE)
    assert run.code == 4, run.output
    assert run.starting(
        "ERROR: pytest_webretrieval_system returned <built-in function print>; expected text as for "
    )
    assert "Traceback" not in run.output


def test_a_browser_that_is_not_there_is_one_error(project: Project) -> None:
    run = project.pytest(*ONE, "--webretrieval-browser=/nowhere/chromium")
    assert run.code == 4, run.output
    (line,) = run.starting("ERROR:")
    assert "/nowhere/chromium" in line

"""One system, two carriers: the same labels, tags and requests; and what ``auto`` does without namespaces."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .project import TWELVE, XDIST, Project, Run

PROXY = "--webretrieval-carrier=proxy"


def judged(run: Run) -> dict[str, tuple[Any, ...]]:
    """What each case came to, without times."""
    assert run.code == 0, run.output
    return {
        row["case"]: (row["label"], row["tags"], row["efficiency"]["requests"], row["efficiency"]["retries"])
        for row in run.rows()
    }


def manifest(run: Run) -> dict[str, Any]:
    assert run.folder is not None, run.output
    read: dict[str, Any] = json.loads((run.folder / "manifest.json").read_text(encoding="utf-8"))
    return read


def no_namespaces() -> tuple[str, ...]:
    """A wrapper in which no namespace can be made."""
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    wrapper = ("unshare", "--user", "--map-root-user", "sh", "-c")
    inside = "echo 0 > /proc/sys/user/max_user_namespaces && "
    if subprocess.run([*wrapper, f"{inside} true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine gives no user namespaces")
    return (*wrapper, f'{inside} exec "$@"', "sh")


@pytest.fixture(scope="module")
def by_namespace(tmp_path_factory: pytest.TempPathFactory) -> Run:
    project = Project(tmp_path_factory.mktemp("namespace"))
    return project.pytest("--lane=fixture", "-q", *TWELVE, "--webretrieval-carrier=namespace")


@pytest.mark.parametrize(
    "more", [(), (*XDIST, "--webretrieval-isolation=session")], ids=["one", "xdist, session"]
)
def test_the_same_labels_by_both_carriers(project: Project, by_namespace: Run, more: tuple[str, ...]) -> None:
    by_proxy = project.pytest("--lane=fixture", "-q", *TWELVE, PROXY, "-W", "error", *more)
    if "no slot can be made here" in by_namespace.output:
        pytest.skip("this machine makes no namespaces")
    assert len(judged(by_proxy)) == 12
    assert judged(by_proxy) == judged(by_namespace)
    assert manifest(by_proxy)["configuration"]["carrier"] == "proxy"
    assert project.left() == []


@pytest.mark.parametrize("workers", [(), XDIST], ids=["one", "xdist"])
def test_auto_falls_back_with_a_notice(project: Project, workers: tuple[str, ...]) -> None:
    run = project.pytest("--lane=fixture", "-k", "K01 or S01", *workers, wrapper=no_namespaces())
    assert len(judged(run)) == 2
    assert manifest(run)["configuration"]["carrier"] == "proxy"
    assert "seed 0, carrier proxy" in run.output
    said = "proxy, which reaches less than namespaces; no slot can be made here: a user and network namespace was"
    assert run.starting(f"webretrieval: {said}")
    assert run.starting(f"carrier {said}".replace("carrier ", "carrier  "))
    assert project.left() == []


def test_namespaces_that_are_asked_for_are_not_replaced(project: Project) -> None:
    run = project.pytest(
        "--lane=fixture", *TWELVE, "--webretrieval-carrier=namespace", wrapper=no_namespaces()
    )
    assert run.code == 4, run.output
    assert "sudo sysctl -w user.max_user_namespaces=10000" in run.output
    assert project.left() == []


def test_auto_takes_namespaces_where_it_can(project: Project) -> None:
    run = project.pytest("--lane=fixture", "-k", "K01")
    if "carrier proxy" in run.output:
        pytest.skip("this machine makes no namespaces")
    assert run.code == 0, run.output
    assert "seed 0, carrier namespace" in run.output
    assert not run.starting("carrier")
    assert manifest(run)["configuration"]["carrier"] == "namespace"


def test_cases_that_need_a_browser_are_left_out_visibly(project: Project) -> None:
    run = project.pytest("--lane=fixture", "-rs", "-k", "D01 or K01", PROXY)
    if "no scene for fixture://dynamic/js-shell" in run.output:
        pytest.skip("the world has no such scene yet")
    assert run.code == 0, run.output
    assert "not_applicable: the proxy carrier cannot give a browser" in run.output
    assert run.labels() == {"K01": "success"}
    assert run.starting("left out")


GOING_ROUND = """
import httpx


def answer(prompt):
    url = next(word for word in prompt.split() if word.startswith("https://"))
    with httpx.Client(trust_env=False) as client:
        return client.get(url).text
"""
LEAVING = """
import socket


def answer(prompt):
    try:
        socket.create_connection(("203.0.113.7", 443), timeout=1)
    except OSError:
        pass
    return "Nothing was found."


if __name__ == "__main__":
    print(answer(""))
"""


def test_a_client_that_goes_round_the_proxy_is_no_violation(project: Project) -> None:
    project.write("rounder.py", GOING_ROUND)
    run = project.pytest("--lane=fixture", "-k", "K01", PROXY, "--webretrieval-system=rounder:answer")
    assert run.labels() == {"K01": "system_failure"}, run.output
    assert run.gate("policy_violation") == "pass 0 of 1"
    assert project.left() == []


@pytest.mark.parametrize(
    "system", ["leaver:answer", "cmd: python3 leaver.py {prompt}"], ids=["callable", "command"]
)
def test_a_system_that_leaves_is_one(project: Project, system: str) -> None:
    project.write("leaver.py", LEAVING)
    run = project.pytest("--lane=fixture", "-k", "K01", PROXY, f"--webretrieval-system={system}")
    assert run.labels() == {"K01": "policy_violation"}, run.output
    assert "egress" in run.rows()[0]["tags"]
    assert project.left() == []


def test_any_command_meets_the_world_without_namespaces(project: Project) -> None:
    project.write("look.py", "import urllib.request\nurllib.request.urlopen('https://websearch.example/')\n")
    command = [project.command()[0], "-m", "pytest_webretrieval.cli", "net", "--", "python3", "look.py"]
    done = subprocess.run(
        [*no_namespaces(), *command],
        cwd=project.folder,
        env=project.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "websearch.example" in done.stderr, done
    assert "wire #1" in done.stderr, done
    assert project.left() == []


def test_without_a_browser_the_cases_that_need_one_are_left_out(project: Project, tmp_path: Path) -> None:
    nowhere = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}
    run = project.pytest("--lane=fixture", "-rs", "-k", "D01 or D06", **nowhere)
    assert run.code == 0, run.output
    assert run.labels() == {"D06": "success"}, run.output
    assert (
        "only a browser shows what it asks for, and there is none: `webretrieval browser` brings one"
        in run.output
    )
    assert run.starting("left out 1 not applicable")

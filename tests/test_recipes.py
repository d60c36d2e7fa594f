"""The workflows of docs/recipes: that they are valid, name what exists, and keep what they say that they keep."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_webretrieval.cli import main
from pytest_webretrieval.keyshapes import BEARER, JWT, MARKED, PASSWORD_IN_URL, PRIVATE_KEY
from pytest_webretrieval.settings import LANES

FOLDER = Path(__file__).parent.parent / "docs" / "recipes"
RECIPES = ("pull-request", "nightly")
NIGHTLY = FOLDER / "nightly.yml"
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_GIVEN = re.compile(r"\$\{\{ (secrets\.[A-Z_]+|github\.token) \}\}")


def workflow(name: str) -> dict[Any, Any]:
    loaded: dict[Any, Any] = yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf-8"))
    return loaded


def steps(name: str) -> Iterator[Mapping[str, Any]]:
    for job in workflow(name)["jobs"].values():
        yield from job["steps"]


def step(name: str, called: str) -> Mapping[str, Any]:
    return next(one for one in steps(name) if one.get("name") == called)


def commands(name: str, program: str) -> list[list[str]]:
    """The words of each call of a program, up to a pipe or a redirection."""
    found = []
    for one in steps(name):
        for line in one.get("run", "").splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == [program]:
                end = next((at for at, word in enumerate(words) if word in ("|", "<", ">", ">>")), None)
                found.append(words[1:end])
    return found


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_a_workflow_that_runs_our_commands(name: str) -> None:
    read = workflow(name)
    # YAML 1.1 reads the key `on` as true.
    assert set(read) >= {"name", True, "permissions", "concurrency", "jobs"}
    assert all(("uses" in one) != ("run" in one) for one in steps(name))
    assert commands(name, "pytest")
    assert commands(name, "webretrieval")


@pytest.mark.parametrize("name", RECIPES)
def test_actions_are_pinned_by_their_full_version(name: str) -> None:
    used = [one["uses"] for one in steps(name) if "uses" in one]
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w-]+/[\w-]+@v\d+\.\d+\.\d+", one)] == []


@pytest.mark.parametrize("name", RECIPES)
def test_no_secret_stands_in_a_recipe(name: str) -> None:
    text = (FOLDER / f"{name}.yml").read_text(encoding="utf-8")
    shapes = (MARKED, JWT, BEARER, PRIVATE_KEY, PASSWORD_IN_URL)
    assert [shape for shape in shapes if re.search(shape, text)] == []
    given = [(key, value) for one in steps(name) for key, value in one.get("env", {}).items()]
    assert [key for key, value in given if _SECRET.search(key) and not _GIVEN.fullmatch(value)] == []
    assert all(
        one["with"]["persist-credentials"] is False
        for one in steps(name)
        if "checkout" in one.get("uses", "")
    )


def test_a_pull_request_meets_no_secret_and_can_change_nothing() -> None:
    assert workflow("pull-request")["permissions"] == {"contents": "read"}
    assert not _GIVEN.search((FOLDER / "pull-request.yml").read_text(encoding="utf-8"))
    assert "pull_request_target" not in workflow("pull-request")[True]


def test_the_token_of_the_history_is_not_there_when_the_system_runs() -> None:
    assert workflow("nightly")["concurrency"]["cancel-in-progress"] is False
    holders = [one["name"] for one in steps("nightly") if "github.token" in str(one)]
    assert holders == ["Bring the history", "Keep the history"]


@pytest.fixture(scope="module")
def options_of_pytest() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--help"], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("name", RECIPES)
def test_every_option_of_pytest_exists(name: str, options_of_pytest: str) -> None:
    named = [word for words in commands(name, "pytest") for word in words if word.startswith("--")]
    assert [word for word in named if not _has(options_of_pytest, word)] == []
    assert [word for word in named if word.startswith("--lane=") and word[7:] not in LANES] == []


@pytest.mark.parametrize(
    "words", [words for name in RECIPES for words in commands(name, "webretrieval")], ids=" ".join
)
def test_every_verb_and_option_of_ours_exists(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    plain = [word for word in words if not word.startswith("-")]
    assert main([*plain, "--help"]) == 0
    told = capsys.readouterr().out
    assert [word for word in words if word.startswith("-") and not _has(told, word)] == []


def _has(told: str, option: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(option.partition('=')[0])}(?![\w-])", told) is not None


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_history_is_kept_on_its_branch_and_never_overwritten(tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "--quiet", "--bare", str(remote))
    first, second = (tmp_path / name for name in ("first", "second"))
    for place in (first, second):
        place.mkdir()
        nightly(place, remote, "Bring the history")
    add(first, "one")
    nightly(first, remote, "Keep the history")
    # Where nothing was added nothing is pushed.
    before = tip(remote)
    assert "nothing was added" in nightly(first, remote, "Keep the history")
    assert tip(remote) == before
    # Two that begin a history at once have nothing in common: the second fails, and the first stays.
    add(second, "two")
    assert nightly(second, remote, "Keep the history", fails=True)
    assert tip(remote) == before
    # What another has added meanwhile is kept beside one's own.
    third = tmp_path / "third"
    third.mkdir()
    nightly(third, remote, "Bring the history")
    add(third, "three")
    add(first, "four")
    nightly(third, remote, "Keep the history")
    nightly(first, remote, "Keep the history")
    kept = git(remote, "show", "webretrieval-history:corpus-v1.jsonl")
    assert sorted(kept.split()) == ["four", "one", "three"]


def nightly(folder: Path, remote: Path, called: str, *, fails: bool = False) -> str:
    """Run a step of the nightly workflow as its runner does, with another place for the branch; what it said."""
    environment = workflow("nightly")["env"] | {"REMOTE": str(remote), "GITHUB_RUN_ID": "1"}
    return run(folder, ["bash", "-e", "-c", step("nightly", called)["run"]], environment, fails=fails)


def add(folder: Path, line: str) -> None:
    with (folder / "history" / "corpus-v1.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def tip(remote: Path) -> str:
    return git(remote, "rev-parse", "webretrieval-history")


def git(folder: Path, *words: str) -> str:
    return run(folder, ["git", *words], {})


def run(folder: Path, command: list[str], environment: Mapping[str, str], *, fails: bool = False) -> str:
    base = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        command, cwd=folder, env=base | dict(environment), capture_output=True, text=True, check=False
    )
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr

"""HOME keeps its value and shows what is there; what a system writes to it is gone after the run."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from pytest_webretrieval.slots.layer import NoLayer, plan_layer

from .conftest import AGENTS, Open
from .test_nothing_left import MARK, marked, wait_for
from .trees import tree_hash

RUNS = 20

HARNESS = """
import asyncio, os, sys
from pathlib import Path
import trustme
from pytest_webretrieval.slots.carrier import open_carrier
from pytest_webretrieval.systems.contract import Task

async def main(project):
    carrier = await open_carrier(
        "homely:answer", ca_pem=trustme.CA().cert_pem.bytes(), isolation="run", folder=Path(project))
    await carrier.imported()
    slots = [await carrier.open_slot(name) for name in ("one", "two")]
    for number in range(20):
        slot = slots[number % 2]
        said = await slot.ask(Task(task_id="t", query="", prompt=f"settle {number}"), 20)
        assert said.ending == "answered", said
        await slot.end()
    print(carrier._plan.own, *carrier.notes, flush=True)
    await slots[0].ask(Task(task_id="t", query="", prompt="settle_and_hang 20"), 600)

sys.path.insert(0, sys.argv[2])
asyncio.run(main(sys.argv[1]))
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Somebody's home with a project in it. No test here is run in the real one."""
    folder = tmp_path / "home"
    for name in (".config", "proj", "doomed"):
        (folder / name).mkdir(parents=True)
    for name in (".config/tool.conf", "notes.txt", "closed.txt", "doomed.txt", "doomed/file"):
        (folder / name).write_text(f"the user's {name}", encoding="utf-8")
    (folder / "closed.txt").chmod(0o400)
    (folder / "link").symlink_to("notes.txt")
    shutil.copy(AGENTS / "homely.py", folder / "proj/homely.py")
    return folder


def of_the_user(home: Path) -> str:
    """Everything below HOME but the project."""
    aside = home.with_name("aside")
    (home / "proj").rename(aside)
    try:
        return tree_hash(home)
    finally:
        aside.rename(home / "proj")


def at(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "HOME": str(home), **more}


def ask(place: Open, home: Path, *prompts: str, **more: str) -> tuple[list[object], tuple[str, ...]]:
    """One run a prompt; the answers, and the carrier's notes."""

    async def runs() -> tuple[list[object], tuple[str, ...]]:
        async with place("homely:answer", folder=home / "proj", environment=at(home, **more)) as here:
            payloads = []
            for prompt in prompts:
                said = await here.ask(prompt)
                assert said.ending == "answered", said
                payloads.append(said.payload)
                ended = await here.slot.end()
                assert ended.error is None
            return payloads, tuple(note for note in here.carrier.notes if "HOME" in note)

    return asyncio.run(runs())


def test_twenty_runs_leave_home_as_it_is_and_each_finds_it_so(place: Open, home: Path) -> None:
    before = of_the_user(home)
    found, notes = ask(place, home, *(f"settle {number}" for number in range(RUNS)))
    assert notes == ()
    there = sorted(
        [".by-import", ".config", "closed.txt", "doomed", "doomed.txt", "link", "notes.txt", "proj"]
    )
    assert found == [{"there": there, "config": "the user's .config/tool.conf", "cwd": os.getcwd()}] * RUNS
    assert of_the_user(home) == before
    assert sorted(path.name for path in (home / "proj").glob("out-*")) == sorted(
        f"out-{n}" for n in range(RUNS)
    )


def test_a_killed_harness_leaves_home_as_it_is(place: Open, home: Path) -> None:
    ask(place, home)  # skips where no slot can be made
    before, mark = of_the_user(home), uuid.uuid4().hex
    process = subprocess.Popen(
        [sys.executable, "-c", HARNESS, str(home / "proj"), str(home / "proj")],
        stdout=subprocess.PIPE,
        text=True,
        env=at(home, **{MARK: mark}),
    )
    with process:
        assert process.stdout is not None
        own, *notes = process.stdout.readline().split()
        assert notes == []
        last = home / "proj/out-20"
        until = time.monotonic() + 20
        while not last.exists():
            assert time.monotonic() < until
            os.sched_yield()
        living = marked(mark)
        process.kill()
    assert wait_for(living, 10)
    assert not marked(mark)
    assert not Path(own).exists()
    assert of_the_user(home) == before


@pytest.mark.parametrize("below", ["", "tmp"])
def test_temporary_folders_below_home_are_real(
    place: Open, home: Path, below: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / below).mkdir(exist_ok=True)
    monkeypatch.setattr("tempfile.tempdir", str(home / below))
    before = sorted(home.rglob("*"))
    (said, *_), notes = ask(place, home, "home", "settle 1", "settle 2")
    assert notes == ()
    assert isinstance(said, list)
    assert said[0] == str(home)
    assert said[1].startswith(str(home / below))
    ours = [home / "proj/out-1", home / "proj/out-2"]
    assert [path for path in sorted(home.rglob("*")) if "__pycache__" not in path.parts] == sorted(
        before + ours
    )


def test_python_and_roots_below_home(place: Open, home: Path) -> None:
    """An environment of the user's is real, and the roots that its packages bring along are ours in every run."""
    roots = home / "envs/one/lib/python3/site-packages/certifi/cacert.pem"
    roots.parent.mkdir(parents=True)
    roots.write_text("nobody's", encoding="utf-8")
    environment = home / "envs/one"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("VIRTUAL_ENV", str(environment))
        (first, second, _), _ = ask(
            place, home, f"read {roots}", f"read {roots}", f"write {environment}/built"
        )
    assert "BEGIN CERTIFICATE" in str(first)
    assert first == second
    assert roots.read_text(encoding="utf-8") == "nobody's"
    assert (environment / "built").read_text(encoding="utf-8") == "written"


def test_sockets_below_home_stay_hidden(place: Open, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".gnupg").mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / ".gnupg")  # a path of any length
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("S.gpg-agent")
        monkeypatch.chdir(home)
        shown, _ = ask(place, home, *[f"read {home}/.gnupg/S.gpg-agent"] * 2)
    assert shown == ["", ""]


@pytest.mark.parametrize("value", ["/", "/tmp", "/etc", "/usr/lib", "", "relative", "/no/such/home"])
def test_a_home_that_is_none(tmp_path: Path, value: str) -> None:
    with pytest.raises(NoLayer):
        plan_layer({"HOME": value}, tmp_path / "project", tmp_path, ())
    assert not list(tmp_path.iterdir())


def test_a_home_that_is_a_file_or_in_the_project(home: Path, tmp_path: Path) -> None:
    for value, project in ((home / "notes.txt", tmp_path / "other"), (home, home), (home, tmp_path)):
        with pytest.raises(NoLayer):
            plan_layer({"HOME": str(value)}, project, tmp_path, ())


def test_without_a_layer_systems_run(place: Open, home: Path) -> None:
    """The project is real, and so is a home in it."""

    async def run() -> tuple[object, tuple[str, ...]]:
        async with place("homely:answer", folder=home, environment=at(home / "proj")) as here:
            return (await here.ask(f"write {home}/proj/kept")).payload, here.carrier.notes

    shutil.copy(AGENTS / "homely.py", home / "homely.py")
    said, notes = asyncio.run(run())
    assert said == "written"
    assert (home / "proj/kept").exists()
    assert "HOME stays as it is: it is the project, or in it" in notes


def test_a_missing_home(place: Open, home: Path) -> None:
    async def run() -> object:
        environment = at(home / "nowhere")
        async with place("homely:answer", folder=home / "proj", environment=environment) as here:
            return (await here.ask("home")).payload

    said = asyncio.run(run())
    assert isinstance(said, list)
    assert said[0] == str(home / "nowhere")
    assert not (home / "nowhere").exists()

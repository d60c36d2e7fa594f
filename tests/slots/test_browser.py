"""Browsers in a slot, as systems start them; the real one of this machine."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webretrieval.slots.browser import Browser, find_browser

from .conftest import ADDRESS, Open, Place, task
from .test_nothing_left import MARK, descriptors, marked
from .trees import tree_hash

URL = "https://museum.example/opening"
TEXT = "this is museum.example"


@pytest.fixture
def chromium() -> Browser:
    found = find_browser(None)
    if found is None:
        pytest.skip("no browser is here")
    return found


@pytest.fixture(scope="module")
def has_playwright() -> None:
    pytest.importorskip("playwright")


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of temporary files that nobody else uses, with a short path. Nothing may be left in it."""
    folder = Path(tempfile.mkdtemp(prefix="w", dir="/tmp"))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    left = [str(path) for path in folder.rglob("*")]
    shutil.rmtree(folder)
    assert left == []


def ask(place: Open, chromium: Browser, prompt: str, environment: dict[str, str] | None = None) -> object:
    async def run() -> object:
        async with place("browsing:answer", environment=environment, browser=chromium) as here:
            said = await here.ask(prompt, 60)
            assert said.ending == "answered", said
            assert f"GET museum.example {ADDRESS}" in here.web.seen
            return said.payload

    return asyncio.run(run())


@pytest.mark.parametrize("way", ["playwright", "asynchronous", "request"])
@pytest.mark.usefixtures("has_playwright")
def test_playwright_finds_it_and_it_trusts(place: Open, chromium: Browser, way: str) -> None:
    assert ask(place, chromium, f"{way} {URL}") == TEXT


@pytest.mark.skipif(os.getuid() == 0, reason="Chromium refuses its sandbox to root, here as anywhere")
@pytest.mark.usefixtures("has_playwright")
def test_with_its_sandbox(place: Open, chromium: Browser) -> None:
    assert ask(place, chromium, f"sandboxed {URL}") == TEXT


@pytest.mark.usefixtures("has_playwright")
def test_in_a_home_that_is_not_there(place: Open, chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = {**os.environ, "HOME": str(tmp_path / "file/home")}
    assert ask(place, chromium, f"playwright {URL}", environment) == TEXT


def test_its_profile_does_not_reach_home(place: Open, chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept", encoding="utf-8")
    before = tree_hash(tmp_path)
    said = ask(place, chromium, f"dump {URL} {chromium.path}", {**os.environ, "HOME": str(tmp_path)})
    assert isinstance(said, list)
    assert TEXT in said[0]
    assert ".config" in said
    assert tree_hash(tmp_path) == before


@pytest.mark.usefixtures("temporary")
def test_a_browser_that_hangs_as_a_daemon(place: Open, chromium: Browser, tmp_path: Path) -> None:
    mark = uuid.uuid4().hex

    async def run() -> tuple[set[int], set[int]]:
        environment = {**os.environ, MARK: mark, "HOME": str(tmp_path)}
        async with place("browsing:answer", environment=environment, browser=chromium) as here:
            asked = asyncio.create_task(here.ask(f"daemonise {URL} {chromium.path}", 8))
            await here.web.saw(f"GET museum.example {ADDRESS}")
            during = marked(mark)
            said = await asked
            assert (said.ending, said.stdout) == ("timeout", "up\n")
            assert (await here.slot.end()).error is None
            return during, marked(mark)

    mounts = _mounts()
    during, after = asyncio.run(run())
    assert len(during) >= 7  # ours and the run; the browser, its own zygotes, its renderer
    assert len(after) == 4  # the warden and who waits for it, the zygote, the slot's parent
    assert not marked(mark)
    assert _mounts() == mounts
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("has_playwright", "temporary")
def test_many_runs_in_two_slots_leave_nothing(place: Open, chromium: Browser, tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    environment = {**os.environ, MARK: mark, "HOME": str(tmp_path)}

    async def one(here: Place, name: str) -> None:
        slot = await here.carrier.open_slot(name)
        await here.web.serve(slot.doors)
        for number in range(34):
            prompt = f"playwright {URL}" if number % 8 == 7 else f"say {number}"
            said = await slot.ask(task(prompt), 60)
            assert said.payload == (TEXT if number % 8 == 7 else f"{number}"), said
            assert (await slot.end()).survivors == 0

    async def runs() -> None:
        async with place("browsing:answer", environment=environment, browser=chromium) as here:
            await asyncio.gather(one(here, "two"), one(here, "three"))
            assert len(marked(mark)) == 6  # as above, and two more slots' parents

    mounts, held = _mounts(), descriptors()
    asyncio.run(runs())
    assert not marked(mark)
    assert _mounts() == mounts
    assert descriptors() == held
    assert not list(tmp_path.iterdir())


def _mounts() -> str:
    return Path("/proc/self/mountinfo").read_text(encoding="utf-8")

"""The system is imported once, and whatever its import does is told or contained."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from pytest_webretrieval.systems.ways import SystemUnusable

from .conftest import AGENTS, Open, task


def unusable(place: Open, folder: Path, source: str) -> str:
    """Why a module with this source cannot be used."""
    (folder / "broken.py").write_text(source, encoding="utf-8")

    async def run() -> None:
        async with place("broken:answer", folder=folder):
            pass

    with pytest.raises(SystemUnusable) as caught:
        asyncio.run(run())
    return str(caught.value)


def test_an_import_that_raises_is_shown_with_its_place_and_output(place: Open, tmp_path: Path) -> None:
    said = unusable(place, tmp_path, "print('reading the settings')\nraise RuntimeError('no such index')\n")
    assert "RuntimeError: no such index" in said
    assert f"{tmp_path}/broken.py:2" in said
    assert "it printed:\nreading the settings" in said


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("import sys\nsys.exit('no')\n", "SystemExit: no"),
        ("import os\nprint('going', flush=True)\nos._exit(4)\n", "the process ended while importing it"),
        ("def answer(", "SyntaxError"),
        ("", "has no attribute `answer`"),
    ],
)
def test_other_imports_that_fail(place: Open, tmp_path: Path, source: str, shown: str) -> None:
    assert shown in unusable(place, tmp_path, source)


def test_an_import_that_hangs(place: Open, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "print('waiting', flush=True)\nimport time\ntime.sleep(600)\n", encoding="utf-8"
    )

    async def run() -> None:
        async with place("slow:answer", folder=tmp_path, import_s=0.5):
            pass

    with pytest.raises(SystemUnusable, match=r"took more than 0.5 s\nit printed:\nwaiting"):
        asyncio.run(run())


def test_it_is_imported_once_for_all_slots(place: Open, tmp_path: Path) -> None:
    (tmp_path / "once.py").write_text(
        "import os\n"
        "with open(os.path.join(os.path.dirname(__file__), 'imports'), 'a') as file:\n    file.write('x')\n"
        "def answer(prompt: str) -> str:\n    return prompt\n",
        encoding="utf-8",
    )

    async def run() -> None:
        async with place("once:answer", folder=tmp_path) as here:
            more = await here.carrier.open_slot("two")
            for slot in (here.slot, more, here.slot):
                assert (await slot.ask(task("a"), 20)).payload == "a"
                await slot.end()

    asyncio.run(run())
    assert (tmp_path / "imports").read_text(encoding="utf-8") == "x"


def test_an_import_that_replaces_parts_of_the_library_and_leaves_a_thread(place: Open) -> None:
    async def run() -> list[object]:
        async with place("patched:answer") as here:
            said = []
            for prompt in ("a", "b"):
                said.append((await here.ask(prompt)).payload)
                await here.slot.end()
            return said

    assert asyncio.run(run()) == ["a by 1 thread", "b by 1 thread"]


def test_the_harnesss_path_and_folder_are_the_systems(
    place: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "onlyhere.py").write_text("NAME = 'found by path'\n", encoding="utf-8")
    other = tmp_path / "project"
    other.mkdir()
    (other / "agent.py").write_text(
        "import os, onlyhere\ndef answer(prompt: str) -> object:\n    return [onlyhere.NAME, os.getcwd()]\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert str(tmp_path) in sys.path

    async def run() -> object:
        async with place("agent:answer", folder=other) as here:
            return (await here.ask("?")).payload

    assert asyncio.run(run()) == ["found by path", os.getcwd()]


def test_capabilities_that_a_system_declares(place: Open, tmp_path: Path) -> None:
    (tmp_path / "able.py").write_text(
        "class System:\n    capabilities = ('browser', 'auth')\n    def retrieve(self, task):\n        return ''\n",
        encoding="utf-8",
    )

    async def run() -> tuple[frozenset[str] | None, frozenset[str] | None]:
        async with (
            place("able:System", folder=tmp_path) as here,
            place("endings:System", folder=AGENTS) as there,
        ):
            return here.carrier.capabilities, there.carrier.capabilities

    assert asyncio.run(run()) == (frozenset({"browser", "auth"}), None)


def test_a_command_is_a_system_too(place: Open) -> None:
    async def run() -> tuple[object, str, list[str]]:
        async with place(f"cmd: {sys.executable} -S say.py {{prompt}}") as here:
            said = await here.ask("to you")
            return said.payload, said.stderr, here.web.seen

    payload, complained, seen = asyncio.run(run())
    assert "hello to you" in str(payload)
    assert "on the way" in complained
    assert "DNS greeting.example" in seen

"""Whether a browser starts in a slot and shows a page: found out by having it do so."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from tempfile import TemporaryFile as _file

from .browser import Browser
from .carrier import Carrier
from .slot import SlotFailure
from .temporary import new_folder, remove

_LAUNCH_S = 30.0
_SHOWN = "a-page-is-shown"
_LINE = 300


@dataclass(frozen=True, slots=True)
class Launch:
    """``problem`` is None for a browser that works; ``sandboxed`` says that it has its own sandbox too."""

    problem: str | None
    sandboxed: bool = False


async def launch(carrier: Carrier, browser: Browser) -> Launch:
    """Start it with its sandbox, where that can be, else without. Root cannot have it, anywhere."""
    if os.geteuid() != 0 and await _problem(carrier, browser, "sandboxed", ()) is None:
        return Launch(None, sandboxed=True)
    return Launch(await _problem(carrier, browser, "plain", ("--no-sandbox",)))


async def _problem(carrier: Carrier, browser: Browser, name: str, more: tuple[str, ...]) -> str | None:
    profile = new_folder(f"browser-{name}")
    command = [browser.path, "--headless", *more, f"--user-data-dir={profile}", "--dump-dom"]
    try:
        with _file() as nothing, _file() as out, _file() as err:
            slot = await carrier.open_slot(name, (nothing.fileno(), out.fileno(), err.fileno()))
            try:
                async with asyncio.timeout(_LAUNCH_S):
                    status = await slot.execute([*command, f"data:text/html,<p>{_SHOWN}</p>"])
            except TimeoutError:
                return f"it showed no page within {_LAUNCH_S:g} s"
            finally:
                await slot.close()
            out.seek(0)
            err.seek(0)
            if _SHOWN.encode() in out.read():
                return None
            return _telling(err.read().decode("utf-8", "replace")) or f"it ended with {status} and no page"
    except SlotFailure as error:
        return str(error).partition("\n")[0]
    finally:
        remove(profile)


def _telling(said: str) -> str:
    """The line that says why: of a missing library if there is one, else the last."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    of_libraries = [line for line in lines if "shared librar" in line]
    return (of_libraries or lines or [""])[-1][:_LINE]

"""From the way in to the system that it leads to."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from .command import load_command
from .contract import Task
from .python_way import load_python
from .server import load_server
from .ways import CommandWay, ServeWay, local_only


class System(Protocol):
    """A system that has been imported and not yet started.

    ``capabilities`` are those that it declares itself (None: it declares none, which means all).
    """

    @property
    def capabilities(self) -> frozenset[str] | None: ...

    def start(self) -> None: ...

    def ask(self, task: Task) -> Any: ...

    def close(self) -> None: ...


def load(spec: str, *, folder: Path) -> System:
    """The system, not started: imported with ``folder`` first on ``sys.path``; a command or a server's command is
    looked up, and will run in ``folder``. Raises SystemUnusable."""
    way = local_only(spec)
    if isinstance(way, CommandWay):
        return load_command(way, folder)
    if isinstance(way, ServeWay):
        return load_server(way, folder)
    return load_python(way, folder)

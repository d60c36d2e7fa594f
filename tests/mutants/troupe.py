"""A system that is whichever a file names when a run begins: what all of them are made of is imported once for many
rows. The run's process makes the system itself; nothing stands between it and what asks it."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

import tests.mutants.honest  # noqa: F401 (this is what shall be imported once)

PART = "MATRIX_PART"
SPEC = "tests.mutants.troupe:part"


def part() -> Any:
    """The system whose way in, MODULE:CLASS, stands in the file that the variable PART names."""
    module, _, name = Path(os.environ[PART]).read_text(encoding="utf-8").partition(":")
    return getattr(importlib.import_module(module), name)()

"""Where a real Toxiproxy server is."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from pytest_webretrieval.faults.toxiproxy import PROGRAM


def real_program() -> Path | None:
    """A Toxiproxy server: the one that TOXIPROXY_SERVER names, the one on PATH, or the one that `make` built."""
    named = os.environ.get("TOXIPROXY_SERVER")
    built = Path(sys.prefix) / "bin" / PROGRAM
    found = named or shutil.which(PROGRAM) or (str(built) if built.is_file() else None)
    return Path(found) if found else None

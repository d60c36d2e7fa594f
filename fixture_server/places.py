"""Where the pages and scenes lie that come with the world."""

from __future__ import annotations

from pathlib import Path

BUILT_IN = Path(__file__).parent
# Those that only one corpus of the package asks for, a folder each: who runs another does not wait until they are read.
CORPORA = BUILT_IN / "corpora"

"""Where measured data is, for the tests that can use it; and the way to ``grade_build``, which writes evidence."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

# Test folders are no packages (import mode importlib), so a helper beside the tests needs its folder on the path.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of measurement data: WEBRETRIEVAL_DATA, else ``shared/data`` beside the project."""
    given = os.environ.get("WEBRETRIEVAL_DATA")
    folder = Path(given) if given else Path(__file__).resolve().parents[3] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no measurement data; set WEBRETRIEVAL_DATA to its folder")
    return folder

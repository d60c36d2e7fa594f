"""One simulated internet for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .internet.rig import NoInternet, Rig


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    """An internet with nothing in it yet."""
    try:
        rig = Rig(tmp_path_factory.mktemp("internet") / "rig")
    except NoInternet as reason:
        pytest.skip(f"no simulated internet: {reason}")
    with rig:
        yield rig

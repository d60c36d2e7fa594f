"""Shared by all tests: pytester, which runs a real pytest in a process of its own, and hypothesis without a clock."""

from __future__ import annotations

import pytest
from hypothesis import settings

pytest_plugins = ["pytester"]

# How long an example takes is the machine's load, and says nothing of the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name bytes by their parameter: what gzip packs has the time in it, and xdist's workers must agree on names."""
    return argname if isinstance(val, bytes) else None

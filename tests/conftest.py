"""Shared by all tests: pytester, which runs a real pytest in a process of its own, and hypothesis without a clock."""

from __future__ import annotations

from hypothesis import settings

pytest_plugins = ["pytester"]

# How long an example takes is the machine's load, and says nothing of the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

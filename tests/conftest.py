"""Shared by all tests: pytester, which runs a real pytest in a process of its own."""

from __future__ import annotations

pytest_plugins = ["pytester"]

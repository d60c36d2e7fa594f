"""Hooks that users' conftest files may implement."""

from __future__ import annotations

import pytest


@pytest.hookspec(firstresult=True)
def pytest_webretrieval_system(config: pytest.Config) -> str | None:
    """The system under test, in the words of ``--webretrieval-system``; that option wins over the hook.

    A string, because objects and closures cannot cross into a slot.
    """

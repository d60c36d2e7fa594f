from __future__ import annotations

from collections.abc import Iterator

import pytest

from .loopback import Model, serving


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as made:
        yield made

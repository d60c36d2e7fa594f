"""Secrets in a configuration, by the names of keys and by the looks of values."""

from __future__ import annotations

import re
from typing import Any

from pytest_webretrieval.keyshapes import BEARER, JWT, MARKED, PASSWORD_IN_URL, PRIVATE_KEY

from .jsonvalue import point

_SECRET_NAME = re.compile(
    r"(?:^|_)(?:api_?key|access_?key|secret_?key|private_?key|signing_?key|token|secret|password|passwd|passphrase"
    r"|authorization|cookie|credentials?)$"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SECRET_VALUE = re.compile("|".join((MARKED, JWT, BEARER, PRIVATE_KEY, PASSWORD_IN_URL)))
_ENV_NAME = re.compile(r"\$?\{?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\}?")
_PLACEHOLDER = re.compile(r"[*•x.]*|<[^>]*>|\[?redacted\]?|none", re.IGNORECASE)


def secret_in(value: Any, where: str) -> str | None:
    """The JSON pointer of the first thing that looks like a secret, below the pointer ``where``."""
    waiting: list[tuple[str, Any, str]] = [("", value, where)]
    while waiting:
        name, item, at = waiting.pop()
        if isinstance(item, dict):
            waiting.extend((key, inner, at + point(key)) for key, inner in reversed(item.items()))
        elif isinstance(item, list):
            waiting.extend((name, inner, at + point(index)) for index, inner in enumerate(item))
        elif isinstance(item, str) and _is_secret(name, item):
            return at
    return None


def _is_secret(name: str, value: str) -> bool:
    if _SECRET_VALUE.search(value):
        return True
    snake = _CAMEL.sub("_", name).replace("-", "_").lower()
    return bool(_SECRET_NAME.search(snake)) and not _harmless(value.strip())


def _harmless(value: str) -> bool:
    return bool(_ENV_NAME.fullmatch(value) or _PLACEHOLDER.fullmatch(value))

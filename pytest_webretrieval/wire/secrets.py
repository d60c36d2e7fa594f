"""Secrets of this machine's environment never enter a file: the one writer passes every text through here."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping

_NAMED_LIKE_A_SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$", re.IGNORECASE)
_SHORTEST = 8


def scrubber(environment: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """A function that replaces the value of every variable named like a secret by ``[redacted:NAME]``.

    Values under eight characters are left alone: they would damage ordinary text.
    """
    source = os.environ if environment is None else environment
    values = {
        value: name
        for name, value in source.items()
        if _NAMED_LIKE_A_SECRET.search(name) and len(value) >= _SHORTEST
    }
    if not values:
        return lambda text: text
    forms = {form: name for value, name in values.items() for form in (value, value.replace("/", "\\/"))}
    pattern = re.compile("|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True)))
    return lambda text: pattern.sub(lambda match: f"[redacted:{forms[match[0]]}]", text)

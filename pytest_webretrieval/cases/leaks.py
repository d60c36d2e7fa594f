"""Secrets in a file that wants the names of variables: found, and never shown."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_webretrieval.keyshapes import BEARER, JWT, MARKED, PASSWORD_IN_URL, PRIVATE_KEY

from .toml_reader import keys, scalars
from .yaml_reader import Mapping, error_at

_VARIABLE_FIELDS = ("key_env", "value_env")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*\Z")
_SECRET = re.compile("|".join((MARKED, JWT, BEARER, PRIVATE_KEY, PASSWORD_IN_URL)))
_NO_VARIABLE = (
    "is no name of a variable (not shown: it may be a secret); write the name of the variable that holds it, such as "
    "TAVILY_API_KEY"
)
_LEAKED = (
    "looks like a secret (not shown); put it into a variable of the environment and write the variable's name, as in "
    "key_env"
)


def leaks(table: Mapping, path: Path, prefix: str) -> list[str]:
    """A line ``path:line: prefix + key: ...`` for each text that looks like a secret, and for each field that wants the
    name of a variable and holds anything else. To be asked first: other errors show what is written."""
    faults = [(key, node.line, _secret_fault(key, node.text)) for key, node in scalars(table, ())]
    faults += [(key, line, _LEAKED) for key, line in keys(table, ()) if _SECRET.search(key[-1])]
    return [
        str(error_at(path, line, f"{prefix}{'.'.join(map(_name, key))}: {fault}"))
        for key, line, fault in sorted(faults, key=lambda found: found[1])
        if fault is not None
    ]


def _secret_fault(key: tuple[str, ...], text: str) -> str | None:
    if key[-1] in _VARIABLE_FIELDS:
        return None if _is_variable(text) else _NO_VARIABLE
    return _LEAKED if _SECRET.search(text) else None


def _name(part: str) -> str:
    return "(not shown)" if _SECRET.search(part) else part


def _is_variable(text: str) -> bool:
    return (
        bool(_VARIABLE.match(text)) and not _SECRET.search(text) and not any(map(_is_mixed, text.split("_")))
    )


def _is_mixed(word: str) -> bool:
    """Whether letters and digits alternate as they do in a key, never in a word."""
    return len(word) >= 12 and len(re.findall(r"[A-Z][0-9]|[0-9][A-Z]", word)) >= 3

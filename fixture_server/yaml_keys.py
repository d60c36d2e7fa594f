"""YAML mappings that know the line of each key, so that every error names file and line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

# Keys whose values are read with their own lines.
_NESTED = ("states", "variants", "sequence", "users", "post", "query", "asked")


class SiteError(Exception):
    """A site that cannot be used; the message is ``path:line: what is wrong; how to mend it``."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")


@dataclass(frozen=True, slots=True)
class Keys:
    """A YAML mapping with the line of each key; errors name the line."""

    path: Path
    line: int
    values: Mapping[str, tuple[Any, int]]

    def fail(self, key: str, message: str) -> SiteError:
        return SiteError(self.path, self.values.get(key, (None, self.line))[1], message)

    def get(self, key: str, kind: type | tuple[type, ...], wanted: str, default: Any = None) -> Any:
        if key not in self.values:
            return default
        value = self.values[key][0]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise self.fail(key, f"`{key}` must be {wanted}, not {value!r}")
        return value

    def nested(self, key: str, node: Any) -> Keys:
        if not isinstance(node, yaml.MappingNode):
            raise self.fail(key, f"`{key}` must hold a mapping of keys")
        return _mapping(self.path, node)


def _mapping(path: Path, node: yaml.MappingNode, nested: tuple[str, ...] = _NESTED) -> Keys:
    values: dict[str, tuple[Any, int]] = {}
    for key, value in node.value:
        name, line = str(key.value), key.start_mark.line + 1
        if name in values:
            raise SiteError(path, line, f"`{name}` is written twice; keep one")
        values[name] = (value if name in nested else _plain(value), line)
    return Keys(path, node.start_mark.line + 1, values)


def _plain(node: yaml.Node) -> Any:
    loader = yaml.CSafeLoader("")
    try:
        return loader.construct_object(node, deep=True)
    finally:
        loader.dispose()


def read_keys(path: Path, nested: tuple[str, ...] = _NESTED) -> Keys:
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise SiteError(path, line, f"not YAML: {error.problem}") from error
    except UnicodeDecodeError as error:
        raise SiteError(path, 1, f"not UTF-8: {error}") from error
    if not isinstance(node, yaml.MappingNode):
        raise SiteError(path, 1, "a mapping of keys is wanted")
    return _mapping(path, node, nested)


def check_keys(keys: Keys, known: list[str]) -> None:
    for key in keys.values:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"; did you mean `{near[0]}`?" if near else f"; known are {', '.join(known)}"
            raise keys.fail(key, f"unknown key `{key}`{hint}")


def over(below: Keys, above: Keys) -> Keys:
    return Keys(above.path, above.line, {**below.values, **above.values})


def children_of(
    keys: Keys,
    key: str,
    known: list[str],
    kind: type[yaml.MappingNode] | type[yaml.SequenceNode],
    wanted: str,
) -> list[tuple[str, Keys]]:
    if key not in keys.values:
        return []
    node: Any = keys.values[key][0]
    if not isinstance(node, kind):
        raise keys.fail(key, f"`{key}` must be {wanted}")
    pairs = [entry if isinstance(entry, tuple) else (None, entry) for entry in node.value]
    children = [("" if name is None else str(name.value), keys.nested(key, item)) for name, item in pairs]
    for _, child in children:
        check_keys(child, known)
    return children

"""YAML as plain text with line numbers: what is written is what is read.

Only the events of the parser are used, never YAML's guesses: ``3.10``, ``no``, ``12:30`` and ``2026-08-21``
stay the text they are, and whoever knows the field decides what it means (see ``typed``). Anchors, aliases,
merge keys, tags, duplicate keys and further documents are refused, because a reader of the file could not
see what they do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .case import CaseError, Location

NULLS = frozenset({"", "~", "null", "Null", "NULL"})

# The parser counts these as line breaks and editors do not, so every line number behind one would be wrong.
_ODD_BREAKS = {"\x85": "U+0085", "\u2028": "U+2028", "\u2029": "U+2029"}
_ODD_BREAK = re.compile("[\x85\u2028\u2029]")
_NO_CHARACTER = "an escape in the quoted text is no character; write the character itself"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Scalar:
    """One text; ``plain`` when it was written without quotes or block style. ``line`` counts from 1."""

    text: str
    line: int
    plain: bool

    @property
    def is_null(self) -> bool:
        return self.plain and self.text in NULLS


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of nodes."""

    items: list[Node]
    line: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys with their nodes, in file order; ``key_lines`` holds the line of each key."""

    entries: dict[str, Node]
    key_lines: dict[str, int]
    line: int


Node = Scalar | Sequence | Mapping


def shown(path: Path) -> Path:
    """``path`` as people write it: relative to the working directory where it lies below it."""
    try:
        return path.absolute().relative_to(Path.cwd())
    except ValueError:
        return path


def error_at(path: Path, line: int, text: str) -> CaseError:
    """A ``CaseError`` with the message ``path:line: text``."""
    return CaseError(f"{Location(shown(path), line)}: {text}")


def read_yaml(path: Path) -> Node:
    """Read one YAML document from ``path``. Raises ``CaseError`` with the file and line."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise CaseError(f"{shown(path)}: no such file") from None
    except OSError as error:
        raise CaseError(f"{shown(path)}: cannot be read: {error.strerror}") from None
    return parse_yaml(_decode(raw, path), path)


def parse_yaml(text: str, path: Path, *, loader: Any = None) -> Node:
    """Read one YAML document from ``text``; ``path`` is for messages, ``loader`` a PyYAML loader class."""
    import yaml

    odd = _ODD_BREAK.search(text)
    if odd is not None:
        code = _ODD_BREAKS[odd.group()]
        line = text.count("\n", 0, odd.start()) + 1
        raise error_at(path, line, f"contains {code}, an invisible line break; write a space or \\n instead")
    if loader is None:
        loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        return _build(yaml.parse(text, Loader=loader), path)
    except yaml.MarkedYAMLError as error:
        line, message = _explain(error, text)
        raise error_at(path, line, message) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        character: Any = error.character
        number = ord(character) if isinstance(character, str) else character
        raise error_at(path, line, f"contains a control character, U+{number:04X}") from None


def _decode(raw: bytes, path: Path) -> str:
    if raw.startswith(_UTF16_MARKS):
        raise error_at(path, 1, "is UTF-16; save it as UTF-8")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise error_at(path, line, f"is not UTF-8 (byte 0x{raw[error.start]:02x})") from None


def _build(events: Iterator[Any], path: Path) -> Node:
    """The tree of nodes of the one document among ``events``, built without recursion."""
    import yaml

    scalar, sequence, mapping = yaml.ScalarEvent, yaml.SequenceStartEvent, yaml.MappingStartEvent
    ends = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
    root: Node | None = None
    open_nodes: list[Sequence | Mapping] = []
    keys: list[str | None] = []  # for each open node, the key that waits for its value

    for event in events:
        kind = type(event)
        if kind in ends:
            open_nodes.pop()
            keys.pop()
            continue
        line = event.start_mark.line + 1
        node: Node
        if kind is scalar:
            node = Scalar(event.value, line, not event.style)
        elif kind is mapping:
            node = Mapping({}, {}, line)
        elif kind is sequence:
            node = Sequence([], line)
        elif kind is yaml.AliasEvent:
            raise error_at(path, line, f"alias `*{event.anchor}`: aliases are not read; write the value out")
        elif kind is yaml.DocumentStartEvent and root is not None:
            raise error_at(path, line, "a second document begins here; a file holds one")
        else:
            continue
        if event.anchor is not None or event.tag is not None:
            raise error_at(path, line, _trick(event))
        if kind is scalar and not event.value.isascii():
            _refuse_half_characters(event.value, line, path)

        if not open_nodes:
            root = node
        else:
            parent = open_nodes[-1]
            if isinstance(parent, Sequence):
                parent.items.append(node)
            elif (key := keys[-1]) is None:
                keys[-1] = _key(node, parent, path)
                continue
            else:
                parent.entries[key] = node
                keys[-1] = None
        if not isinstance(node, Scalar):
            open_nodes.append(node)
            keys.append(None)

    if root is None:
        raise error_at(path, 1, "the file is empty")
    return root


def _trick(event: Any) -> str:
    if event.anchor is not None:
        return f"anchor `&{event.anchor}`: anchors are not read; write the value out"
    tag = event.tag.replace("tag:yaml.org,2002:", "!!")
    return f"tag `{tag}`: tags are not read; the field decides the type"


def _refuse_half_characters(text: str, line: int, path: Path) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise error_at(path, line, _NO_CHARACTER) from None


def _key(node: Node, parent: Mapping, path: Path) -> str:
    if not isinstance(node, Scalar):
        raise error_at(path, node.line, "a key must be one word, not a list or a mapping")
    key = node.text
    if node.is_null:
        raise error_at(path, node.line, "a key is empty or null")
    if node.plain and key == "<<":
        raise error_at(path, node.line, "merge key `<<`: merge keys are not read; write the values out")
    if key in parent.key_lines:
        raise error_at(path, node.line, f"key `{key}` is already at line {parent.key_lines[key]}")
    parent.key_lines[key] = node.line
    return key


def _explain(error: Any, text: str) -> tuple[int, str]:
    """The line to look at and what is wrong there, for an error of the parser."""
    problem = str(error.problem)
    context = str(error.context or "")
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1
    lines = text.splitlines()
    here = lines[mark.line] if mark.line < len(lines) else ""
    if "cannot start any token" in problem:
        character = here[mark.column : mark.column + 1]
        if character == "\t":
            return line, "a tab is used for indentation; use spaces"
        return line, f"a text that begins with `{character}` needs quotes"
    if "Unicode character escape" in problem:
        return line, _NO_CHARACTER
    if "quoted scalar" in context and "end of" in problem:
        return error.context_mark.line + 1, "the quote that opens here is never closed"
    if "flow sequence" in context or "flow mapping" in context:
        bracket = "[" if "sequence" in context else "{"
        until = f"line {min(line, len(lines))}"
        return (
            error.context_mark.line + 1,
            f"the `{bracket}` here is not closed, or a comma is missing before {until}",
        )
    if "mapping values are not allowed" in problem:
        return line, "a `:` where none can stand: put the text in quotes, or mend the indentation"
    if context.startswith(("while parsing a block", "while scanning a simple key")):
        return line, "the indentation is wrong, or a `:` or `-` is missing"
    return line, f"is not YAML: {problem}"

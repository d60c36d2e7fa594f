"""Server-sent events: a text that comes in deltas, each a string somewhere in the JSON of an event, is searched as the
whole that it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .spans import Find, Span, applied, settled

# What says of which part of an answer a delta is: two parts may come in turns.
_OF_WHICH = ("type", "index", "output_index", "content_index", "item_id")
_DATA = re.compile(r"(?m)^data: ?(?P<data>.*?)\r?$")
Path = tuple[str | int, ...]


def is_event_stream(media_type: str) -> bool:
    return media_type.partition(";")[0].strip().lower() == "text/event-stream"


def edits(body: str, find: Find) -> list[Span]:
    """What to replace in the text of a stream, so that nothing that ``find`` finds is left in any event, nor in what
    the deltas of several come to."""
    events = [
        (found.start("data"), found.end("data"), _json(found["data"])) for found in _DATA.finditer(body)
    ]
    changed: dict[int, dict[Path, str]] = {}
    for leaves in _joined(events):
        for (event, path), text in _rewritten(leaves, find):
            changed.setdefault(event, {})[path] = text
    spans = []
    for number, (start, end, data) in enumerate(events):
        if number in changed:
            for path, text in changed[number].items():
                data = _with(data, path, text)
            spans.append(Span(start, end, json.dumps(data, ensure_ascii=False, separators=(",", ":"))))
        elif data is None:
            spans += [Span(start + s.start, start + s.end, s.text) for s in settled(find(body[start:end]))]
    return spans


def deltas(body: str) -> Iterator[Any]:
    """The JSON of each event that has any."""
    for found in _DATA.finditer(body):
        data = _json(found["data"])
        if data is not None:
            yield data


def _json(text: str) -> Any:
    try:
        data = json.loads(text)
    except ValueError:
        return None
    return data if isinstance(data, dict | list) else None


Leaf = tuple[tuple[int, Path], str]


def _joined(events: list[tuple[int, int, Any]]) -> list[list[Leaf]]:
    """Strings at the same place of the same part, in order."""
    found: dict[tuple[Any, ...], list[Leaf]] = {}
    for number, (_, _, data) in enumerate(events):
        for place, path, text in _strings(data, (), ()):
            found.setdefault(place, []).append(((number, path), text))
    return list(found.values())


def _strings(data: Any, place: tuple[Any, ...], path: Path) -> Iterator[tuple[tuple[Any, ...], Path, str]]:
    if isinstance(data, str):
        yield place, path, data
    elif isinstance(data, dict):
        which = tuple(data[name] for name in _OF_WHICH if isinstance(data.get(name), str | int))
        for name, value in data.items():
            yield from _strings(value, (*place, which, name), (*path, name))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            named = isinstance(value, dict) and "index" in value
            yield from _strings(value, place if named else (*place, number), (*path, number))


def _rewritten(leaves: list[Leaf], find: Find) -> Iterator[tuple[tuple[int, Path], str]]:
    """The strings that change: what is found over several goes into the one in which it begins."""
    whole, begin, each = "".join(text for _, text in leaves), 0, []
    for _, text in leaves if len(leaves) > 1 else ():
        each += [Span(begin + s.start, begin + s.end, s.text) for s in find(text)]
        begin += len(text)
    begin, spans = 0, settled((*find(whole), *each))
    if not spans:
        return
    for where, text in leaves:
        end = begin + len(text)
        inner = [
            Span(max(s.start, begin) - begin, min(s.end, end) - begin, s.text if s.start >= begin else "")
            for s in spans
            if s.start < end and s.end > begin
        ]
        if inner:
            yield where, applied(text, inner)
        begin = end


def _with(data: Any, path: Path, text: str) -> Any:
    """The data with another string at a path."""
    if not path:
        return text
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = _with(copy[path[0]], path[1:], text)
    return copy

"""Whether two texts say the same but for what is another at each run: moments of now, ids, durations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from difflib import SequenceMatcher

from . import moments

_TOKENS = re.compile(
    rf"""(?P<moment>\b\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[ ]?[+-]\d\d:?\d\d)?
        |\b(?:mon|tue|wed|thu|fri|sat|sun),[ ]\d\d[ ](?:{moments.MONTH})[ ]\d{{4}}[ ]\d\d:\d\d:\d\d[ ]
            (?:GMT|UTC|[+-]\d{{4}}))
    |(?P<day>\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}\.?[ ](?:{moments.MONTH})\.?,?[ ]\d{{4}}\b
        |\b(?:{moments.MONTH})\.?[ ]\d{{1,2}},?[ ]\d{{4}}\b)
    |(?P<month>\b(?:{moments.MONTH})[ ]\d{{4}}\b)
    |(?P<clock>\b\d{{1,2}}:\d\d:\d\d(?:\.\d+)?\b|\b\d{{1,2}}:\d\d\b)
    |(?P<id>\b[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}}\b|\b[0-9a-f]{{32,64}}\b|\b0x[0-9a-f]{{6,16}}\b
        |\b(?:call|toolu|srvtoolu|msg|resp|rs|fc|run|req|thread|item|session|sess|trace|conv)_[\w-]{{6,}}
        |\bchatcmpl-[\w-]{{6,}})
    |(?P<epoch>\b1[6-9]\d{{8}}(?:\.\d+|\d{{3}})?\b)
    |(?P<measured>(?<=time":[ ])[\d.]+|(?<=time":)[\d.]+|(?<=elapsed":[ ])[\d.]+|(?<=_ms":[ ])[\d.]+|(?<=_ms":)[\d.]+)
    |(?P<weekday>\b(?:{moments.WEEKDAY})\b)
    |(?P<word>\w+)|(?P<space>\s+)|(?P<mark>.)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_SHOWN = 60
_SEARCHED = 4000


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str


def tokens(text: str) -> list[Token]:
    return [Token(str(found.lastgroup), found[0]) for found in _TOKENS.finditer(text)]


@dataclass(slots=True, kw_only=True)
class Sameness:
    """Compares what was said in a run that began at ``then`` with what is said in one that began at ``now``. An id
    stands for the same one all along: ``ids`` holds which for which."""

    then: datetime
    now: datetime
    ids: dict[str, str] = field(default_factory=dict)

    def difference(self, recorded: str, asked: str) -> str | None:
        """``"carefully" became "quickly"``; None where there is none that matters."""
        if recorded == asked:
            return None
        old, new = tokens(recorded), tokens(asked)
        if len(old) == len(new):
            apart = [
                number for number, pair in enumerate(zip(old, new, strict=True)) if not self._same(*pair)
            ]
            if not apart:
                return None
            begin, end = apart[0], apart[0] + 1
            while end < len(old) and (end in apart or (end + 1 in apart and old[end].kind == "space")):
                end += 1
            return _became(old[begin:end], new[begin:end], old[:begin], old[end:])
        return self._insertion(old, new)

    def _insertion(self, old: list[Token], new: list[Token]) -> str:
        """The first difference of two texts of unequal length."""
        begin = 0
        while begin < min(len(old), len(new)) and self._same(old[begin], new[begin]):
            begin += 1
        end = 0
        while end < min(len(old), len(new)) - begin and self._same(old[-1 - end], new[-1 - end]):
            end += 1
        left, right = old[begin : len(old) - end], new[begin : len(new) - end]
        if max(len(left), len(right)) <= _SEARCHED:
            matcher = SequenceMatcher(None, [t.text for t in left], [t.text for t in right], autojunk=False)
            for what, i1, i2, j1, j2 in matcher.get_opcodes():
                if what != "equal":
                    return _became(left[i1:i2], right[j1:j2], old[: begin + i1], left[i2:])
        return _became(left, right, old[:begin], old[len(old) - end :])

    def _same(self, old: Token, new: Token) -> bool:
        if old.text == new.text:
            return True
        if old.kind != new.kind:
            return False
        match old.kind:
            case "id":
                return self.ids.setdefault(old.text, new.text) == new.text
            case "measured":
                return True
            case "word":
                return old.text == str(self.then.year) and new.text == str(self.now.year)
            case "space" | "mark":
                return False
        return moments.alike(old.kind, old.text, new.text, self.then, self.now)


def _became(old: list[Token], new: list[Token], before: list[Token], after: list[Token]) -> str:
    left, right = _text(old), _text(new)
    if not left.strip() and not right.strip():
        return f"other white space after {_quoted(_tail(_text(before)))}"
    if not right.strip():
        return (
            f"{_quoted(left)} is gone, after {_quoted(_tail(_text(before)))}"
            if before
            else f"{_quoted(left)} is gone"
        )
    if not left.strip():
        return (
            f"{_quoted(right)} is new, after {_quoted(_tail(_text(before)))}"
            if before
            else f"{_quoted(right)} is new"
        )
    return f"{_quoted(left)} became {_quoted(right)}"


def _text(part: list[Token]) -> str:
    return "".join(token.text for token in part)


def _tail(text: str) -> str:
    """The last few whole words."""
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN // 2 else words[-_SHOWN // 2 :].partition(" ")[2]


def _quoted(text: str) -> str:
    short = " ".join(text.split())
    return f'"{short}"' if len(short) <= _SHOWN else f'"{short[:_SHOWN]}…"'


def difference_of_data(old: object, new: object, same: Sameness, path: str = "") -> Iterator[str]:
    """Where two JSON values differ: one line a place."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            where = f"{path}.{key}" if path else str(key)
            if key not in new:
                yield f"{where} is gone"
            elif key not in old:
                yield f"{where} is new"
            else:
                yield from difference_of_data(old[key], new[key], same, where)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from difference_of_data(left, right, same, f"{path}[{number}]")
    elif isinstance(old, str) and isinstance(new, str):
        if told := same.difference(old, new):
            yield f"{path}: {told}" if path else told
    elif old != new:
        yield f"{path}: {_quoted(str(old))} became {_quoted(str(new))}"

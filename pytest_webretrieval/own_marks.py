"""The marker ``webretrieval``: which cases a test of one's own runs. Light: it is read without a lane, too."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

EXAMPLE = '@pytest.mark.webretrieval(case="web-retrieval-v1::S06")'
_ARGUMENTS = ("case", "cases")


class MarkError(Exception):
    """A marker that names no case; the message says what was expected."""


def case_names(args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[str]:
    """What the marker names, ``CORPUS::ID`` each; CORPUS may be a file. Raises MarkError."""
    for name in kwargs:
        if name not in _ARGUMENTS:
            near = difflib.get_close_matches(name, _ARGUMENTS, 1)
            hint = f"; did you mean `{near[0]}`?" if near else f"; it takes {' or '.join(_ARGUMENTS)}"
            raise MarkError(f"webretrieval: no argument `{name}`{hint}")
    given = [*args, *(kwargs[name] for name in _ARGUMENTS if name in kwargs)]
    if len(given) != 1:
        what = "no case" if not given else "more than one of a case, `case` and `cases`"
        raise MarkError(f"webretrieval: {what} is named; expected one, as in {EXAMPLE}")
    many = "cases" in kwargs
    if many and isinstance(given[0], str):
        raise MarkError(f"webretrieval: cases={given[0]!r} is a text; expected a list, or `case`")
    try:
        names = list(given[0]) if many else [given[0]]
    except TypeError:
        raise MarkError(f"webretrieval: cases={given[0]!r} is no list of cases") from None
    if not names:
        raise MarkError("webretrieval: cases is empty; expected at least one CORPUS::ID")
    for name in names:
        if not isinstance(name, str) or not all(name.rpartition("::")):
            raise MarkError(f"webretrieval: {name!r} is not CORPUS::ID, as in {EXAMPLE}")
    return names


def case_ids(names: Sequence[str]) -> list[str]:
    """Short ids for parameters: the case's own, with its corpus where two are alike."""
    short = [name.rpartition("::")[2] for name in names]
    return [name if short.count(one) > 1 else one for name, one in zip(names, short, strict=True)]

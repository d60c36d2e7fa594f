"""Whether a request is the one that was recorded, and where they differ.

A request is compared field by field: method, scheme, host, port and path as vcrpy compares them, the query whatever its
order, the body by what it means (JSON and forms by value, multipart without its boundary). Headers are not compared:
they change with each release of a client. Fields that are new in every request are passed over wherever they stand,
and what was taken out of a recording (``[redacted:NAME]``) stands for anything.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from .bodies import body_fields
from .cassettes import RecordingError, Sent
from .tokens import PLACEHOLDER

TABLE = "volatile.txt"
# Names of query parameters, form fields and JSON keys, in lower case.
VOLATILE = frozenset(
    (
        *("x-request-id", "request_id", "requestid", "idempotency-key", "idempotency_key", "nonce", "_"),
        *("ts", "timestamp", "cachebuster", "oauth_nonce", "oauth_timestamp", "oauth_signature"),
        *("x-amz-date", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "traceparent"),
    )
)
# Who is asked weighs more than what: the nearest recording is one of the same API first.
_WEIGHTS = {"host": 32, "path": 16, "method": 8, "scheme": 4, "port": 4}
_PORTS = {"http": "80", "https": "443"}
_SHOWN, _BEFORE = 60, 12

Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """A field in which a request is not the recorded one; None where a side does not have it."""

    field: str
    recorded: str | None
    asked: str | None

    @property
    def alike(self) -> int:
        """How many characters both begin with."""
        there, here = self.recorded or "", self.asked or ""
        shorter = min(len(there), len(here))
        return next((place for place in range(shorter) if there[place] != here[place]), shorter)

    def __str__(self) -> str:
        start = max(0, self.alike - _BEFORE)
        return f"{self.field}: recorded {_shown(self.recorded, start)}, asked {_shown(self.asked, start)}"


def volatile_names(folder: Path) -> frozenset[str]:
    """The names that are passed over: ours, and those in ``volatile.txt`` of the folder, one a line; ``#`` begins a
    comment. Raises RecordingError."""
    path = folder / TABLE
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return VOLATILE
    except (OSError, ValueError) as error:
        raise RecordingError(f"cannot read {path}: {error}") from error
    return VOLATILE | {name.lower() for line in lines if (name := line.partition("#")[0].strip())}


def fields_of(sent: Sent, volatile: frozenset[str] = VOLATILE) -> Fields:
    """A request as it is compared: field to value as text."""
    parts = urlsplit(sent.url)
    fields = {
        "method": sent.method,
        "scheme": parts.scheme,
        "host": parts.hostname or "",
        "port": str(parts.port) if parts.port else _PORTS.get(parts.scheme, ""),
        "path": parts.path or "/",
    }
    query: dict[str, list[str]] = {}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        query.setdefault(f"query {name}", []).append(value)
    fields |= {name: "&".join(sorted(values)) for name, values in query.items()}
    fields |= body_fields(sent.headers.get("content-type", ""), sent.body)
    return {name: value for name, value in fields.items() if not _is_volatile(name, volatile)}


def differences(asked: Fields, recorded: Fields) -> Iterator[Difference]:
    """Where two requests differ; nothing where the recorded one answers what is asked."""
    for name in (*recorded, *(name for name in asked if name not in recorded)):
        there, here = recorded.get(name), asked.get(name)
        if there != here and not (there is not None and here is not None and _stands_for(there, here)):
            yield Difference(name, there, here)


def nearest(
    asked: Fields, recorded: Sequence[Fields], played: Collection[int] = ()
) -> tuple[int, tuple[Difference, ...]] | None:
    """The place of the recording that differs least, and in what; of equals one that was not ``played``. None where
    there is none."""
    found = [(tuple(differences(asked, fields)), place) for place, fields in enumerate(recorded)]
    if not found:
        return None
    least, place = min(
        found,
        key=lambda pair: (
            sum(_WEIGHTS.get(one.field, 1) for one in pair[0]),
            -_alike(pair[0]),
            pair[1] in played,
        ),
    )
    return place, least


def _is_volatile(name: str, volatile: frozenset[str]) -> bool:
    where, _, path = name.partition(" ")
    return where in ("query", "body") and not volatile.isdisjoint(path.lower().split("/"))


def _stands_for(recorded: str, asked: str) -> bool:
    """Whether what was taken out of the recorded value may be what stands there. A client that got a placeholder out
    of a recording sends that one: it stands for no other."""
    taken = PLACEHOLDER.findall(recorded)
    if not taken:
        return False
    pattern = "(.*)".join(map(re.escape, PLACEHOLDER.split(recorded)))
    found = re.fullmatch(pattern, asked, re.DOTALL)
    return found is not None and all(
        there == here or PLACEHOLDER.search(here) is None
        for there, here in zip(taken, found.groups(), strict=True)
    )


def _alike(found: tuple[Difference, ...]) -> float:
    """How much of the differing values is the same from their beginning on, 0 to 1."""
    shares = [one.alike / max(1, len(one.recorded or ""), len(one.asked or "")) for one in found]
    return sum(shares) / len(shares) if shares else 1.0


def _shown(text: str | None, start: int) -> str:
    if text is None:
        return "nothing"
    part = text[start : start + _SHOWN]
    return repr(f"{'…' if start else ''}{part}{'…' if start + _SHOWN < len(text) else ''}")

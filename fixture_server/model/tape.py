"""The turns of one run as a file that people can read: what was asked of the model, and what it said, as it came."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from pytest_webretrieval.wire.cassettes import RecordingError, replace_file

SCHEMA = "webretrieval.turns/1"
FOLDER = "models"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One request to a model and its response. ``chunks`` are (seconds since the request went out, text): the body as
    it came, in one part where it was no stream. ``asked`` is the request's JSON, else its text; ``upstream`` who
    answered. ``cut`` says how the body broke off."""

    method: str
    host: str
    target: str
    asked: Any
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: tuple[tuple[float, str], ...] = ()
    cut: str | None = None
    upstream: str = ""
    began_s: float = 0.0

    @property
    def body(self) -> str:
        return "".join(text for _, text in self.chunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tape:
    """``recorded_at`` is when the run began; ``places`` are the addresses by role of the URLs and hosts that stand in
    the turns."""

    case: str
    seed: int
    trial: int
    recorded_at: datetime
    versions: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    turns: tuple[Turn, ...] = ()


def tape_path(cassettes: Path, case: str, seed: int, trial: int) -> Path:
    """``models/CORPUS/CASE/seed-N.yaml``; trials after the first have their number."""
    corpus, _, name = case.rpartition("::")
    last = f"seed-{seed}" if trial == 0 else f"seed-{seed}-trial-{trial}"
    return cassettes / FOLDER / quote(corpus, safe="") / quote(name, safe="") / f"{last}.yaml"


def recorded_seeds(cassettes: Path, case: str) -> list[int]:
    """The seeds at which the case was recorded."""
    paths = tape_path(cassettes, case, 0, 0).parent.glob("seed-*.yaml")
    numbers = {path.stem.split("-")[1] for path in paths}
    return sorted(int(number) for number in numbers if number.isdecimal())


def read_tape(path: Path) -> Tape:
    """Raises RecordingError."""
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), _LOADER)
        if data["schema"] != SCHEMA:
            raise ValueError(f"its schema is {data['schema']!r}, not {SCHEMA}")
        return Tape(
            case=data["case"],
            seed=data["seed"],
            trial=data["trial"],
            recorded_at=datetime.fromisoformat(data["recorded_at"]),
            versions=data["versions"],
            places=data["places"],
            turns=tuple(_turn(turn) for turn in data["turns"]),
        )
    except OSError as error:
        raise RecordingError(f"cannot read the recording {path}: {error.strerror}") from error
    except (yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        told = " ".join(str(error).split())
        raise RecordingError(f"{path} is no recording of turns: {told}; record it anew") from error


def write_tape(path: Path, tape: Tape) -> None:
    """Write the file in one step. Raises RecordingError."""
    data = {
        "schema": SCHEMA,
        "case": tape.case,
        "seed": tape.seed,
        "trial": tape.trial,
        "recorded_at": tape.recorded_at.isoformat(timespec="seconds"),
        "versions": dict(tape.versions),
        "places": dict(tape.places),
        "turns": [_shown(turn) for turn in tape.turns],
    }
    replace_file(path, yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120))


def _turn(data: Mapping[str, Any]) -> Turn:
    return Turn(
        method=data["method"],
        host=data["host"],
        target=data["target"],
        upstream=data["upstream"],
        began_s=data["began_s"],
        asked=data["asked"],
        status=data["status"],
        headers=data["headers"],
        chunks=tuple((chunk["at_s"], _text(chunk)) for chunk in data["answered"]),
        cut=data.get("cut"),
    )


def _shown(turn: Turn) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "method": turn.method,
        "host": turn.host,
        "target": turn.target,
        "upstream": turn.upstream,
        "began_s": round(turn.began_s, 3),
        "asked": turn.asked,
        "status": turn.status,
        "headers": dict(turn.headers),
        "answered": [{"at_s": round(at_s, 3), **_written(text)} for at_s, text in turn.chunks],
    }
    return shown if turn.cut is None else {**shown, "cut": turn.cut}


def _written(text: str) -> dict[str, Any]:
    """A part of a body: as data where it is JSON that comes out the same, else as text, else as bytes."""
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    for name, separators in _JSON.items():
        if (
            isinstance(data, dict | list)
            and json.dumps(data, ensure_ascii=False, separators=separators) == text
        ):
            return {name: data}
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return {"base64": base64.b64encode(text.encode("utf-8", "surrogateescape")).decode()}
    return {"text": text}


# How bodies are commonly spaced.
_JSON: Mapping[str, tuple[str, str]] = {"json": (",", ":"), "spaced_json": (", ", ": ")}


def _text(chunk: Mapping[str, Any]) -> str:
    for name, separators in _JSON.items():
        if name in chunk:
            return json.dumps(chunk[name], ensure_ascii=False, separators=separators)
    if "base64" in chunk:
        return base64.b64decode(chunk["base64"]).decode("utf-8", "surrogateescape")
    return str(chunk["text"])


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Texts of several lines as such."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text_node(dumper: Any, text: str) -> Any:
    style = (
        "|"
        if "\n" in text and not any(line.endswith((" ", "\t", "\r")) for line in text.split("\n"))
        else None
    )
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text_node)

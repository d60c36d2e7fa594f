"""``judge.lock``: what a judged figure rests on. Another lock is another judge, whose figures need a fresh sample."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .parsing import PARSER
from .prompts import JUDGES

SCHEMA = "webretrieval.judge-lock/1"
DEFAULT_LOCK = Path("judge.lock")


class LockError(Exception):
    """A lock that is not there, cannot be read, or is of another judge; one line that says how to mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """``model`` and ``temperature`` as the API takes them; ``prompts`` are the hashes of each judge's words."""

    model: str
    temperature: float
    parser: int
    prompts: Mapping[str, str]

    def identity(self, judge: str) -> str:
        """64 hexadecimal digits of everything that it pins of one judge: another's new prompt makes it no other."""
        return hashlib.sha256(_text(replace(self, prompts={judge: self.prompts[judge]})).encode()).hexdigest()


def lock_for(model: str, temperature: float) -> Lock:
    """The lock of this package's judges with a model."""
    return Lock(
        model=model,
        temperature=temperature,
        parser=PARSER,
        prompts={
            name: f"v{judge.version} {hashlib.sha256(judge.system.encode()).hexdigest()}"
            for name, judge in sorted(JUDGES.items())
        },
    )


def read_lock(path: Path, judge: str) -> Lock:
    """Raises LockError where there is none, or where it pins another prompt of that judge or another parser than are
    here."""
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if data.get("schema") != SCHEMA:
            raise ValueError(f"its schema is not {SCHEMA}")
        lock = Lock(
            model=data["model"],
            temperature=float(data["temperature"]),
            parser=data["parser"],
            prompts=data["prompts"],
        )
    except FileNotFoundError as error:
        raise LockError(f"{path}: no lock; write one with --lock-model MODEL") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LockError(f"{path}: {error}; write it anew with --lock-model MODEL") from error
    here = lock_for(lock.model, lock.temperature)
    changed = [
        what
        for what, mine, its in (
            (f"prompt {judge}", here.prompts[judge], lock.prompts.get(judge)),
            ("parser", here.parser, lock.parser),
        )
        if mine != its
    ]
    if changed:
        raise LockError(
            f"{path}: it pins another {changed[0]} than this version has; write it anew with --lock-model "
            f"{lock.model}, and adjudicate a fresh sample"
        )
    return lock


def write_lock(path: Path, lock: Lock) -> None:
    path.write_text(_text(lock), encoding="utf-8", newline="\n")


def _text(lock: Lock) -> str:
    data = {
        "schema": SCHEMA,
        "model": lock.model,
        "temperature": lock.temperature,
        "parser": lock.parser,
        "prompts": dict(lock.prompts),
    }
    return json.dumps(data, indent=1) + "\n"

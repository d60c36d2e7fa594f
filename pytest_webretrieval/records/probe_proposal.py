"""What the harness saw where a live target is no longer what truth says: ``RUN/proposals/CASE.yaml``, for a person.

Truth stays as it is; the draft of a new version in it is one for ``webretrieval truth add`` once a person has finished
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml

from pytest_webretrieval.wire.secrets import scrubber

from .codec import from_json, to_json
from .folder import FolderError

SCHEMA = "webretrieval.probe/1"
FOLDER = "proposals"
_HEAD = """\
# A proposal, not a change: truth stays as it is until a person has decided.
# `webretrieval adjudicate --probes` shows it, and says how a new version of truth is added.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the harness' own fetch got; None where there was nothing to tell."""

    url: str
    status: int | None = None
    sha256: str | None = None
    title: str | None = None
    excerpt: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSeen:
    """A required fact, and whether the page still says it."""

    id: str
    value: str
    stands: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeProposal:
    """``target`` is the address that the case starts from, ``why`` one line on what is wrong with it. ``version``
    holds the keys of a new version of truth, None where there is none to propose."""

    case: str
    corpus: str
    target: str
    observed_at: datetime
    why: str
    seen: Seen
    truth: tuple[FactSeen, ...] = ()
    version: Mapping[str, Any] | None = None


def write_proposal(folder: Path, proposal: ProbeProposal) -> Path:
    """Write it into a run folder, scrubbed of secrets; the file. Raises FolderError."""
    path = folder / FOLDER / f"{proposal.case}.yaml"
    text = _HEAD + _dumped({"schema": SCHEMA, **to_json(proposal)})
    _write(path, text)
    return path


def write_draft(path: Path, proposal: ProbeProposal) -> Path:
    """Write the drafted version beside the proposal at ``path``, for a person to finish; the file. One that is there
    already may be half finished, and stays. Raises FolderError."""
    draft = path.with_name(f"{proposal.case}.version.yaml")
    if not draft.exists():
        _write(draft, _dumped(proposal.version or {}))
    return draft


def read_proposal(path: Path) -> ProbeProposal:
    """Raises FolderError where there is none, or it cannot be read."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FolderError(f"cannot read {path}: {error.strerror}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise FolderError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise FolderError(f"{path}: is no proposal about a probe; its `schema` would be {SCHEMA}")
    try:
        return from_json(ProbeProposal, data)
    except (TypeError, ValueError, AttributeError) as error:
        raise FolderError(f"{path}: a proposal lacks something, or says it otherwise: {error}") from error


def _dumped(data: Mapping[str, Any]) -> str:
    return yaml.safe_dump(dict(data), sort_keys=False, allow_unicode=True, width=110)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(scrubber()(text), encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise FolderError(f"cannot write {path}: {error.strerror}") from error

"""The public face of the product: what a system gets and gives. The JSON Schemas beside it say the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

TASK_SCHEMA = "webretrieval.task/2"
RESULT_SCHEMA = "webretrieval.result/2"
MAX_BYTES = 8 * 1024 * 1024


class ContractError(Exception):
    """What a system returned breaks the contract. ``pointer`` is a JSON pointer (RFC 6901) to the place."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(f"{pointer or '/'}: {message}")
        self.pointer = pointer
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """A way to be a user: ``kind`` is ``cookie``, ``bearer`` or ``basic``; ``url`` is where it is valid."""

    kind: str
    name: str
    url: str
    value: str | None = None
    value_env: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Whom the task is asked for."""

    name: str
    credentials: tuple[Credential, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One question to a system. ``prompt`` is all of it as one text, for systems that take a string."""

    task_id: str
    query: str
    prompt: str
    start_urls: tuple[str, ...] = ()
    channels: Mapping[str, Any] = field(default_factory=dict)
    user: User | None = None
    deadline_s: float = 30.0
    budget: Mapping[str, float | None] = field(default_factory=dict)
    policy: tuple[str, ...] = ()
    now: str = ""
    user_agent: str = ""
    schema: str = TASK_SCHEMA


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A URL beside a claim."""

    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A span of the answer (offsets in code points, end exclusive) with the citations beside it."""

    text: str
    start: int
    end: int
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A page that the system says it used."""

    url: str
    final_url: str | None = None
    retrieved_at: str | None = None
    channel: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a system declined, in its own account."""

    reason: str | None = None
    url: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalResult:
    """A system's answer. ``status`` is ``answered``, ``declined`` or ``failed``: testimony, never proof.

    ``notes`` are tags that reading the answer gave (``dangling-citation``, ``offset-invalid``, ...).
    """

    status: str
    answer: str = ""
    claims: tuple[Claim, ...] = ()
    sources: tuple[Source, ...] = ()
    refusal: Refusal | None = None
    attempts: tuple[Mapping[str, Any], ...] | None = None
    usage: Mapping[str, Any] | None = None
    raw: Any = None
    system: Mapping[str, Any] | None = None
    schema: str = RESULT_SCHEMA
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Testimony:
    """What came back from one step, as the slot saw it.

    ``ending`` is ``answered`` (``payload`` holds what the system returned, as JSON-able data), ``timeout``,
    ``raised`` (``error`` holds the exception), ``died`` (the process ended without an answer) or
    ``not-asked`` (an earlier step ended the system). ``error_type`` is low-cardinality: a class name,
    ``signal:9`` or ``exit:3``.
    """

    # Else pytest takes the name for a class of tests wherever a test module imports it.
    __test__: ClassVar[bool] = False

    ending: str
    duration_s: float
    payload: Any = None
    error: str | None = None
    error_type: str | None = None
    stdout: str = ""
    stderr: str = ""

"""One request under way, how it ended, and what else passes through a slot's doors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .message import Answer, Asked

if TYPE_CHECKING:
    from .front.crossing import Crossing


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One request under way; ``served_before`` says whether its connection had carried one already, ``usage`` what a
    model's turn took, as fields of an attempt.

    ``crossing`` is what lies between the server and a client that meets faults: what the server is done with is
    ``held`` there until the client is too. ``acted`` stays true of an answer that was lost.
    """

    number: int
    began: float
    asked: Asked
    step: int
    user: str | None
    late: bool
    role: str
    channel: str
    referrer: str | None
    redirected_from: str | None
    resend_by: str | None
    served_before: bool
    done: bool = False
    usage: dict[str, Any] = field(default_factory=dict)
    crossing: Crossing | None = None
    fault: str | None = None
    reached: bool = True
    held: bool = False
    acted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a request ended. ``answer`` is None when no answer of the world's went out (``status`` is what aiohttp gave
    then), ``sent`` counts the bytes of the body that did."""

    answer: Answer | None = None
    sent: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    error_type: str | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """A request that ended in a reset: when (monotonic seconds), and whether its connection had carried one before."""

    at: float
    served_before: bool


@dataclass(slots=True, kw_only=True, eq=False)
class Passage:
    """One connection to the real machine by a relay. ``received`` counts the bytes that came back since it was last
    noted; ``news`` says whether there is anything to note."""

    target: str
    began: float
    received: int = 0
    news: bool = True
    error_type: str | None = None

    def sent_on(self, _: int) -> None:
        """Bytes went there."""
        self.news = True

    def brought_back(self, size: int) -> None:
        """Bytes came from there."""
        self.news = True
        self.received += size

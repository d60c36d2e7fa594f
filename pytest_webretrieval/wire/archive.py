"""The bytes that URLs gave in a run, by SHA-256 of the decoded body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Representation:
    """What one URL gave once. ``channel`` is how it came: ``direct-fetch``, ``browser``, ``search-api`` or
    ``extract-api`` (content that an API delivered counts as a representation of the page's URL; a snippet does not).
    ``status`` is None where an API delivered the content and told no status of the page. ``attempt`` is the number of
    the attempt that carried it. ``redacted`` says that a secret was taken out of the body: the hash is that of what is
    kept.
    """

    url: str
    sha256: str
    media_type: str
    attempt: int
    step: int
    channel: str
    status: int | None = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    redacted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Representations in order of arrival, and the bodies they name."""

    representations: tuple[Representation, ...] = ()
    bodies: Mapping[str, bytes] = field(default_factory=dict)

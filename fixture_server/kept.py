"""What a run was given: each body under its hash, and which URL gave it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field

from pytest_webretrieval.wire.archive import Archive, Representation
from pytest_webretrieval.wire.coding import decoded

from .exchange import Ending, Exchange
from .message import Answer

# How much of a body is kept as it was sent, and of one that came packed once it is unpacked: a small one may hold any
# amount, and each MiB of text takes about a second to be searched for secrets and read.
ARCHIVED = 16 * 1024 * 1024
UNPACKED_KEPT = 8 * 1024 * 1024
# What one part of a run may hold; it is in memory until it is taken.
MOST_KEPT = 1024 * 1024 * 1024
# Roles whose bytes are what a URL gave; a model's or a search API's answer is none.
PAGE_ROLES = ("document", "api", "subresource", "favicon", "robots", "check")
API_CHANNELS = ("search-api", "extract-api", "model")


@dataclass(slots=True)
class Kept:
    """Bodies and representations since they were last taken."""

    representations: list[Representation] = field(default_factory=list)
    bodies: dict[str, bytes] = field(default_factory=dict)
    size: int = 0

    @property
    def is_full(self) -> bool:
        """Whether there was more than is kept."""
        return self.size > MOST_KEPT

    def keep(self, exchange: Exchange, answer: Answer, ending: Ending) -> str | None:
        """Keep what an answer gave, as far as it was sent; the hash of its body, where it has one."""
        asked, whole = exchange.asked, ending.error_type is None
        if asked.method == "HEAD" or answer.status in (204, 304):
            return None
        body = answer.body if whole else answer.body[: ending.sent]
        # Kept as a reader has it; what is not in the coding that it claims is kept as it was sent.
        unpacked = decoded(body, answer.header("content-encoding"), UNPACKED_KEPT)
        digest = self._store((body if unpacked is None else unpacked)[:ARCHIVED])
        if digest is None:
            return None
        if exchange.role in PAGE_ROLES and exchange.channel not in API_CHANNELS:
            self.representations.append(
                Representation(
                    url=asked.url,
                    sha256=digest,
                    media_type=_media_type(ending.headers.get("content-type", "")),
                    attempt=exchange.number,
                    step=exchange.step,
                    channel=exchange.channel,
                    status=answer.status,
                    headers=ending.headers,
                )
            )
        for given in answer.deliveries if whole else ():
            if (delivered := self._store(given.body)) is None:
                break
            self.representations.append(
                Representation(
                    url=given.url,
                    sha256=delivered,
                    media_type=_media_type(given.media_type),
                    attempt=exchange.number,
                    step=exchange.step,
                    channel=given.channel,
                    status=given.status,
                    headers=dict(given.headers),
                )
            )
        return digest

    def take(self, named: Collection[str | None]) -> Archive:
        """All of it, without bodies that neither a representation nor ``named`` names; nothing is left."""
        representations = tuple(sorted(self.representations, key=lambda given: given.attempt))
        wanted = {*named, *(given.sha256 for given in representations)}
        bodies = {sha: body for sha, body in self.bodies.items() if sha in wanted}
        self.representations.clear()
        self.bodies.clear()
        self.size = 0
        return Archive(representations=representations, bodies=bodies)

    def _store(self, body: bytes) -> str | None:
        """The hash of a body that is kept; None once there is no room."""
        digest = hashlib.sha256(body).hexdigest()
        if digest not in self.bodies:
            self.size += len(body)
            if self.is_full:
                return None
            self.bodies[digest] = body
        return digest


def _media_type(text: str) -> str:
    return text.partition(";")[0].strip().lower()

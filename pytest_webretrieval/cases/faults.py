"""Faults of the transport that a case names: what goes wrong, on whose connections, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# Toxiproxy's toxics with their attributes, whole numbers each: milliseconds, KB/s, bytes; of a slicer's delay,
# microseconds.
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "latency": ("latency", "jitter"),
    "bandwidth": ("rate",),
    "slow_close": ("delay",),
    "timeout": ("timeout",),
    "reset_peer": ("timeout",),
    "slicer": ("average_size", "size_variation", "delay"),
    "limit_data": ("bytes",),
}
# What is no toxic: nobody answers (Toxiproxy's `enabled: false`), and packets that are lost.
DOWN, LOSS = "down", "loss"
OWN_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {DOWN: (), LOSS: ("percent",)}
# In place of a host: whichever search API a system asks.
SEARCH_API = "search-api"
# Toxics that end a connection before its time.
ENDING = ("timeout", "reset_peer", "limit_data")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault. ``host`` is by role (``fixture://origin``), a name (``api.tavily.com``) or SEARCH_API.

    It meets the ``first`` so many connections, or documents, of the host; None: all of them. ``path``: documents of
    that path only. ``toxicity`` is the share of these that it meets, drawn by seed. ``end`` says how a connection that
    the toxic ends does so: ``close`` as the toxic has it, or ``reset``.
    """

    toxic: str
    host: str
    stream: str = "downstream"
    attributes: Mapping[str, int] = field(default_factory=dict)
    toxicity: float = 1.0
    first: int | None = None
    by: str = "connection"
    path: str | None = None
    end: str = "close"

    @property
    def label(self) -> str:
        """As a trace names it: ``reset_peer downstream``."""
        return self.toxic if self.toxic in OWN_ATTRIBUTES else f"{self.toxic} {self.stream}"

"""What became of recordings over a whole run: small, and each named once however many trials used it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True, kw_only=True)
class Recordings:
    """Names of recordings, in the order in which runs told of them; ``recorded`` counts those that were written."""

    recorded: int = 0
    unplayed: dict[str, None] = field(default_factory=dict)
    expired: dict[str, None] = field(default_factory=dict)
    unordered: dict[str, None] = field(default_factory=dict)

    def take(self, account: Mapping[str, Any]) -> None:
        """Add what one run told, as data (see ``wire.recording.Account``)."""
        self.recorded += account.get("recorded", 0)
        for name in ("unplayed", "expired", "unordered"):
            getattr(self, name).update(dict.fromkeys(account.get(name, ())))

"""What a run has spent on models and APIs, in a file that all its processes share."""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import dataclass
from pathlib import Path

from pytest_webretrieval.outward import Outward
from pytest_webretrieval.wire.attempt import Halt


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """Each amount is a line of ``path``. A cap holds for the whole run, over slots and xdist's workers; what was under
    way when it was reached is paid as well."""

    path: Path
    cap_usd: float

    def spend(self, usd: float, what: str) -> None:
        """Note an amount. Raises OSError."""
        line = json.dumps({"usd": usd, "for": what}) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            os.write(file, line.encode())
        finally:
            os.close(file)

    @property
    def spent_usd(self) -> float:
        """The sum so far; half a line, of a process that was killed, counts for nothing."""
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return 0.0
        return sum(float(json.loads(line)["usd"]) for line in lines if line.endswith("}"))

    @property
    def is_empty(self) -> bool:
        return self.spent_usd >= self.cap_usd

    @property
    def told(self) -> str:
        shown = f"{self.cap_usd:.2f}" if self.cap_usd == round(self.cap_usd, 2) else f"{self.cap_usd:g}"
        return f"cap of {shown} USD reached"

    @property
    def halt(self) -> Halt:
        """What a run is told where it is empty: by the name of the cap, whoever was to be paid."""
        return Halt(where="max_cost_usd", why=self.told)


def purse_of(outward: Outward) -> Purse | None:
    """What is left for this run; None where nothing was said of money."""
    if outward.max_cost_usd is None or not outward.purse:
        return None
    return Purse(path=Path(outward.purse), cap_usd=outward.max_cost_usd)

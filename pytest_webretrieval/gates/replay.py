"""The gate of replayed models: enough of the runs that asked the model were answered from their recordings."""

from __future__ import annotations

from .gate import Finding, RunView

# Below this share, what was replayed says too little of the system.
LEAST = 0.8
PREFIX = "replay-diverged: "


def replay(view: RunView) -> Finding:
    """At least 80 % of the runs were replayed to their end; those of no turn with a model do not count."""
    replayed = sum(row.turns > 0 for row in view.rows)
    judged = replayed + len(view.diverged)
    return Finding(
        figures=f"{replayed} of {judged} replayed, {LEAST:.0%} required",
        judged=judged,
        cases=tuple(node.rpartition("::")[2] for node in view.diverged),
        broken=judged > 0 and replayed < LEAST * judged,
    )

"""Pairs that are known to be right and wrong: a judge that does not tell them apart is not asked anything else."""

from __future__ import annotations

from collections.abc import Mapping

_SOURCE = (
    "The Lindmoor ferry has sailed since 1974. A single crossing takes 40 minutes and costs 12 euros. "
    "Dogs are not allowed on board."
)
PROBES: Mapping[str, tuple[tuple[Mapping[str, str], str], ...]] = {
    "support": (
        ({"claim": "A crossing on the Lindmoor ferry costs 12 euros.", "source": _SOURCE}, "full"),
        ({"claim": "Dogs may come along on the Lindmoor ferry.", "source": _SOURCE}, "contradicted"),
        ({"claim": "The mayor of Lindmoor is a chemist.", "source": _SOURCE}, "none"),
    ),
    "answer": (
        (
            {"question": "Since when?", "right_answer": "1974", "answer": "It has sailed since 1974."},
            "CORRECT",
        ),
        (
            {"question": "Since when?", "right_answer": "1974", "answer": "It has sailed since 1947."},
            "INCORRECT",
        ),
        (
            {"question": "Since when?", "right_answer": "1974", "answer": "I could not find out."},
            "NOT_ATTEMPTED",
        ),
    ),
    "relevance": (
        ({"query": "price of the Lindmoor ferry", "result": _SOURCE}, "4"),
        ({"query": "price of the Lindmoor ferry", "result": "How to prune an apple tree in winter."}, "0"),
    ),
}

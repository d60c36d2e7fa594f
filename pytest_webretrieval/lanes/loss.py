"""Cases in which packets are lost, and where that cannot be had."""

from __future__ import annotations

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.faults import LOSS
from pytest_webretrieval.slots.loss import loss_refused

from .carriers import PROXY


def no_loss(case: Case, carrier: str) -> str | None:
    """Why the packets that the case loses cannot be lost by this carrier; None where they can, or where it loses
    none."""
    if not any(fault.toxic == LOSS for fault in case.faults):
        return None
    why = "the proxy carrier has no network of its own" if carrier == PROXY else loss_refused()
    return why and f"it loses packets, which cannot be had here: {why}"

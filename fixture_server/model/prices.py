"""What models cost, by a dated list: ``prices.toml`` beside this file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .usage import Usage

_MILLION = 1_000_000
# A dated name is the model's of that day; the price is the model's.
_DATED = re.compile(r"(-\d{4}-\d\d-\d\d|[-@]20\d{6}|-latest)$")


@cache
def price_list() -> Mapping[str, Any]:
    """Host -> ``source``, ``as_of`` and ``models``, each with USD per million tokens."""
    hosts: Mapping[str, Any] = tomllib.loads(
        Path(__file__).with_name("prices.toml").read_text(encoding="utf-8")
    )
    return hosts


def price_of(host: str, model: str) -> Mapping[str, Any] | None:
    """The prices of a model at a host, None where the list has none."""
    models: Mapping[str, Any] = price_list().get(host, {}).get("models", {})
    name = model.removeprefix("models/")
    return models.get(name) or models.get(_DATED.sub("", name))


def cost_usd(host: str, asked_model: str, usage: Usage) -> float | None:
    """What a turn costs: as the response says, else by the list; None where neither tells."""
    if usage.cost_usd is not None:
        return usage.cost_usd
    if usage.input is None or usage.output is None:
        return None
    price = price_of(host, usage.model or asked_model) or price_of(host, asked_model)
    if price is None:
        return None
    above = price.get("above", {})
    if above and usage.input > above["tokens"]:
        price = above
    fresh = usage.input - usage.cached - usage.stored
    return (
        float(
            fresh * price["input"]
            + usage.cached * price.get("cached", price["input"])
            + usage.stored * price.get("stored", price["input"])
            + usage.output * price["output"]
        )
        / _MILLION
    )

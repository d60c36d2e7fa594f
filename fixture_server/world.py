"""The world as it is loaded: sites, and their editions by seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pytest_webretrieval.cases.load import load_truths
from pytest_webretrieval.cases.truth import Truth

from .sites import Sites, load_sites
from .stage import Edition, check_marks, make_editions, now
from .yaml_keys import SiteError


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Sites, and the function from seed and day to edition."""

    sites: Sites
    editions: Callable[[int, date], Edition]


def load(truths: Iterable[Path], sites: Iterable[Path]) -> World:
    """Read truth folders and sites, check every mark, and draw seed 0. Raises SiteError or CaseError."""
    known: dict[str, Truth] = {}
    for folder in truths:
        for case, truth in load_truths(folder).items():
            if case in known:
                there = known[case].where
                raise SiteError(
                    truth.where.path,
                    truth.where.line,
                    f"case {case} has truth in {there} too; marks name cases by id",
                )
            known[case] = truth
    loaded = load_sites(sites)
    check_marks(loaded, known)
    editions = make_editions(loaded, known)
    editions(0, now().date())
    return World(sites=loaded, editions=editions)

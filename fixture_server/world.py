"""The world as it is loaded: sites, and their editions by seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pytest_webretrieval.cases.load import load_truths
from pytest_webretrieval.cases.own import OwnScene, is_own_file, load_own
from pytest_webretrieval.cases.truth import Truth

from .declarations import Scene
from .route import fixed
from .sites import Sites, load_sites
from .stage import Edition, check_marks, make_editions, now
from .yaml_keys import SiteError


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Sites, and the function from seed and day to edition."""

    sites: Sites
    editions: Callable[[int, date], Edition]


def load(truths: Iterable[Path], sites: Iterable[Path]) -> World:
    """Read truth folders, files of own cases (their scenes, too) and sites, check every mark, and draw seed 0.

    Raises SiteError or CaseError.
    """
    known: dict[str, Truth] = {}
    scenes: list[Scene] = []
    for place in truths:
        own = load_own(place) if is_own_file(place) else None
        if own is not None:
            scenes += map(_scene, own.scenes)
        for case, truth in (load_truths(place) if own is None else own.truths).items():
            if case in known:
                there = known[case].where
                raise SiteError(
                    truth.where.path,
                    truth.where.line,
                    f"case {case} has truth in {there} too; marks name cases by id",
                )
            known[case] = truth
    loaded = load_sites(sites, scenes)
    _check_hosts(loaded)
    check_marks(loaded, known)
    editions = make_editions(loaded, known)
    editions(0, now().date())
    return World(sites=loaded, editions=editions)


def _check_hosts(sites: Sites) -> None:
    """Pages of a host that the world itself answers would never be served."""
    for page in sites.pages.values():
        host = page.address.removeprefix("fixture://").partition("/")[0]
        if host in fixed():
            message = f"{page.address}: {host} is a host that the world itself answers; take another host"
            raise SiteError(page.where.path, page.where.line, message)


def _scene(own: OwnScene) -> Scene:
    return Scene(
        name=own.name,
        where=own.where,
        start_urls=own.start_urls,
        cheapest=own.cheapest,
        states=(),
        pages=(),
    )

"""Faults that could meet nothing: at a host that nobody has, on a path where no page is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from urllib.parse import unquote

from fixture_server import models
from fixture_server.dialects import registry
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.faults import SEARCH_API, Fault

from .own_cases import own_sites
from .said import host_of, said_by

_ROLE = "fixture://"
# All hosts end alike.
_NEAR = 0.8


def misplaced(cases: Iterable[Case], sites: Sequence[Path], places: Sequence[Path]) -> Iterator[str]:
    """One line for each such fault. ``sites`` are those of the world, ``places`` those of truth: of the pages beside
    own cases the paths are known too. Raises CaseError for pages that cannot be read."""
    for case in cases:
        for number, fault in enumerate(case.faults):
            if wrong := _wrong(fault, sites, places):
                yield f"{case.where}: case {case.id}: faults[{number}]: {wrong}"


def _wrong(fault: Fault, sites: Sequence[Path], places: Sequence[Path]) -> str | None:
    if fault.host == SEARCH_API:
        return None
    host = fault.host.removeprefix(_ROLE)
    site = next((site for site in sites if _folder(site, host).is_dir()), None)
    if site is None:
        apis = _apis()
        if apis is None or (host in apis and not fault.host.startswith(_ROLE)):
            return None
        near = get_close_matches(host, [*_hosts(sites), *apis], 1, _NEAR)
        mend = (
            f"did you mean `{near[0]}`?" if near else "expected a folder below pages/https, or an API's name"
        )
        return f"nobody is {fault.host} here; {mend}"
    if fault.path is None or site not in own_sites(places):
        return None
    wanted = unquote(fault.path)
    paths = [_path(told.address) for told in said_by(site) if host_of(told.address) == host]
    if wanted in paths:
        return None
    near = get_close_matches(wanted, paths, 1)
    return f"{fault.host} has no page {fault.path}" + (f"; did you mean `{near[0]}`?" if near else "")


def _path(address: str) -> str:
    return unquote("/" + address.removeprefix(_ROLE).partition("/")[2])


def _folder(site: Path, host: str) -> Path:
    return site / "pages" / "https" / host


def _hosts(sites: Iterable[Path]) -> list[str]:
    return [place.name for site in sites for place in sorted((site / "pages" / "https").glob("*"))]


@cache
def _apis() -> Collection[str] | None:
    """The hosts of APIs and models; None where users bring dialects, which are imported in the world alone."""
    if entry_points(group=registry.GROUP):
        return None
    return frozenset((*models.HOSTS, *(host for module in registry.OWN for host in module.HOSTS)))

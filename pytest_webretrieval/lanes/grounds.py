"""What a world is made of: the built-in sites, those of one corpus alone, of scene packages, and beside own cases."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import yaml

from fixture_server.places import BUILT_IN, CORPORA
from pytest_webretrieval.cases.case import Case, CaseError
from pytest_webretrieval.cases.data import own_truths
from pytest_webretrieval.cases.own_files import SCENES, is_case_folder

from .own_cases import own_sites

GROUP = "webretrieval.scenes"


def sites_for(truths: Iterable[Path]) -> tuple[Path, ...]:
    """The folders of pages and scenes of a world with these truths. Raises ``CaseError`` for a scene package that
    cannot be used."""
    return _sites_for(tuple(truths))


@lru_cache(maxsize=16)
def _sites_for(truths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Looked up once a process: thousands of cases ask."""
    return tuple(dict.fromkeys((BUILT_IN, *_of_corpora(truths), *scene_packages(), *own_sites(truths))))


def _of_corpora(truths: Iterable[Path]) -> Iterable[Path]:
    """The sites that only one corpus of the package asks for: who runs another does not wait until they are read."""
    known = own_truths()
    folders = (CORPORA / place.name for place in truths if place in known)
    return (folder for folder in folders if folder.is_dir())


def scene_packages() -> tuple[Path, ...]:
    """The folders of the packages that entry points of the group ``webretrieval.scenes`` name."""
    return tuple(_folder(one) for one in sorted(entry_points(group=GROUP), key=lambda one: one.name))


def scene_names(sites: Sequence[Path]) -> frozenset[str]:
    """The scenes that files of the sites hold, as in ``known/static``."""
    return frozenset(
        path.relative_to(site / SCENES).with_suffix("").as_posix()
        for site in sites
        for path in (site / SCENES).rglob("*.yaml")
    )


def needs_browser(case: Case, sites: Sequence[Path]) -> bool:
    """Whether nothing cheaper than a browser shows what the case is about."""
    for site in sites:
        path = site / SCENES / f"{case.scene}.yaml"
        if path.is_file():
            declared: dict[str, str] = yaml.safe_load(path.read_text(encoding="utf-8"))
            return declared.get("cheapest") == "browser"
    return case.live_channel == "browser"


def _folder(one: EntryPoint) -> Path:
    """The folder of a scene package; the package is found and not run."""
    said = f"scene package `{one.name}` ({one.value})"
    try:
        spec = importlib.util.find_spec(one.value)
    except (ImportError, ValueError) as error:
        raise CaseError(f"{said}: cannot be found: {error}; mend or remove its entry point {GROUP}") from None
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise CaseError(f"{said}: is no package with a folder; the entry point {GROUP} names one")
    folder = Path(places[0])
    if not is_case_folder(folder) and not (folder / SCENES).is_dir():
        raise CaseError(f"{said}: {folder} has neither pages/https nor scenes")
    return folder

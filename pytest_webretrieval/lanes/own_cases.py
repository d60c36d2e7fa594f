"""Own cases in the world: whose pages they have, which of these carry a fact, what cannot be run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Protocol

from pytest_webretrieval.cases.case import Case, CaseError, Corpus
from pytest_webretrieval.cases.data import truth_folder
from pytest_webretrieval.cases.own import Own, is_own_file, load_own
from pytest_webretrieval.cases.own_files import case_files, site_of
from pytest_webretrieval.cases.store import TruthStore
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.cases.typed import did_you_mean
from pytest_webretrieval.cases.yaml_reader import shown

from .said import carriers, host_of, real, said_by

_DRAFT = "draft: say what is right in {where}, and take `draft: true` away"


class Truths(Protocol):
    """What is right for the cases of one corpus; ``place`` is where it stands."""

    place: Path

    def get(self, case_id: str) -> Truth: ...

    def missing(self, cases: Iterable[Case]) -> tuple[Case, ...]: ...


class OwnTruths:
    """What is right for the cases of one file; each allowed source that the file leaves out is found in the pages."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def get(self, case_id: str) -> Truth:
        """The truth of a case. Raises ``CaseError`` where there is none, or where no page carries its facts."""
        truth = self._own.truths.get(case_id)
        if truth is None:
            raise CaseError(
                f"{shown(self.place)}: no case {case_id}{did_you_mean(case_id, self._own.truths)}"
            )
        if truth.allowed_sources or not truth.facts:
            return truth
        sources = carriers(truth.facts, said_by(self._site))
        if not sources:
            raise CaseError(f"{_at(truth)}: {_no_carrier(truth, self._site)}")
        return replace(truth, allowed_sources=sources)

    def missing(self, cases: Iterable[Case]) -> tuple[Case, ...]:
        """The cases without truth: drafts apart, there are none."""
        return tuple(case for case in cases if not case.draft and case.id not in self._own.truths)

    def scenes(self) -> frozenset[str]:
        """The scenes of cases that name none."""
        return frozenset(scene.name for scene in self._own.scenes)

    def faults(self, cases: Iterable[Case]) -> Iterator[str]:
        """One line for each case that could not be run: no page carries its facts, or it begins where nothing is."""
        wanted = {case.id: case for case in cases if not case.draft}
        for case_id in wanted:
            try:
                self.get(case_id)
            except CaseError as error:
                yield from error.problems
        yield from self.lost({case.scene for case in wanted.values()})

    def lost(self, scenes: Collection[str] | None = None) -> Iterator[str]:
        """One line for each of ``scenes`` (None: all) that begins where no page is."""
        for scene in self._own.scenes:
            if scenes is None or scene.name in scenes:
                where = f"{shown(scene.where.path)}:{scene.where.line}: case {scene.name.rpartition('/')[2]}"
                yield from (f"{where}: {fault}" for fault in self._nowhere(scene.start_urls))

    def _nowhere(self, addresses: Sequence[str]) -> Iterator[str]:
        """Start URLs on hosts of the own site that have no such page; other hosts are the world's to know."""
        known = [told.address for told in said_by(self._site)]
        hosts = {host_of(address) for address in known}
        for address in addresses:
            plain = address.partition("?")[0]
            if plain not in known and host_of(plain) in hosts:
                near = get_close_matches(plain, known, 1)
                hint = f"; did you mean {real(near[0])}?" if near else ""
                yield f"start URL {real(address)}: no page has this address{hint}"

    @cached_property
    def _own(self) -> Own:
        return load_own(self.place)

    @property
    def _site(self) -> Path | None:
        return site_of(self.place)


def truths_of(corpus: Corpus, root: Path) -> Truths:
    """What is right for the cases of a corpus: in its own file, or in its truth folder. Raises ``CaseError``."""
    if corpus.own:
        return OwnTruths(corpus.path)
    return TruthStore(truth_folder(corpus.version, root, corpus.path))


def draft_reason(case: Case) -> str | None:
    """Why a draft is not run; None for what is no draft."""
    return _DRAFT.format(where=f"{shown(case.where.path)}:{case.where.line}") if case.draft else None


def own_sites(places: Iterable[Path]) -> tuple[Path, ...]:
    """The folders with the pages and scenes of the files of own cases among ``places``, each once."""
    found = (site_of(place) for place in places if is_own_file(place))
    return tuple(dict.fromkeys(site for site in found if site is not None))


def beside(places: Sequence[Path]) -> tuple[Path, ...]:
    """The other case files of the same sites, whose facts the pages may mark. One that cannot be used is left out:
    nobody asked for its cases."""
    others = {path: None for site in own_sites(places) for path in case_files(site) if path not in places}
    return tuple(path for path in others if _is_sound(path))


def _is_sound(path: Path) -> bool:
    try:
        return is_own_file(path) and not list(OwnTruths(path).lost())
    except CaseError:
        return False


def _no_carrier(truth: Truth, site: Path | None) -> str:
    values = ", ".join(f"`{fact.value}`" for fact in truth.facts)
    if site is None:
        return f"no pages lie beside the file to carry {values}; write pages/https/HOST/PATH, or `allowed_sources`"
    return f"no page below {shown(site / 'pages')} carries {values}; write it into one, or name `allowed_sources`"


def _at(truth: Truth) -> str:
    return f"{shown(truth.where.path)}:{truth.where.line}: case {truth.case_id}"

"""The corpora of a run and the truth that belongs to them: read once, held against their locks, asked by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from pytest_webretrieval.cases.case import Case, CaseError, Corpus
from pytest_webretrieval.cases.data import built_in_truths, corpus_paths
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.cases.lock import check_corpus_lock
from pytest_webretrieval.cases.typed import did_you_mean
from pytest_webretrieval.cases.yaml_reader import shown
from pytest_webretrieval.lanes.fault_places import misplaced
from pytest_webretrieval.lanes.grounds import scene_names, sites_for
from pytest_webretrieval.lanes.live_grounds import LiveGrounds
from pytest_webretrieval.lanes.own_cases import OwnTruths, Truths, truths_of
from pytest_webretrieval.settings import DEFAULT_CORPUS, Settings


class Corpora:
    """What ``settings`` name, and what tests of one's own add. ``files`` are the named ones, whether read or not;
    ``live`` is there in the live lane, which has truth of its own."""

    def __init__(self, settings: Settings, root: Path, live: LiveGrounds | None) -> None:
        self._wanted, self._root, self._live = settings.cases, root, live
        named = (path for name in settings.corpora for path in corpus_paths(name, root))
        self.files = tuple(dict.fromkeys(path.resolve() for path in named))
        self._read: dict[Path, Corpus] = {}
        self._truths: dict[str, Truths] = {}

    def read(self, path: Path) -> Corpus:
        """The corpus in ``path``, read once and held against its lock. Raises CaseError."""
        if path not in self._read:
            corpus = load_corpus(path)
            check_corpus_lock(corpus)
            self._refuse_twin(corpus)
            self._read[path] = corpus
        return self._read[path]

    def read_all(self) -> tuple[Corpus, ...]:
        """Those of ``files``. Raises CaseError."""
        return tuple(map(self.read, self.files))

    @property
    def known(self) -> tuple[Corpus, ...]:
        """All that were read so far."""
        return tuple(self._read.values())

    def named(self, version: str) -> Corpus:
        """One of those that were read."""
        return next(corpus for corpus in self.known if corpus.version == version)

    def truths(self, version: str) -> Truths:
        """The truth of a corpus that was read. Raises CaseError."""
        if version not in self._truths:
            corpus = self.named(version)
            self._truths[version] = (
                truths_of(corpus, self._root) if self._live is None else self._live.truths(corpus)
            )
        return self._truths[version]

    def wanted(self, case: Case) -> bool:
        """Whether ``--webretrieval-case`` leaves the case in."""
        return not self._wanted or any(name in self._wanted for name in self._names(case))

    def check_wanted(self) -> None:
        """Raises CaseError for a case of ``--webretrieval-case`` that no corpus has."""
        if not self._wanted:
            return
        names = [self._names(case) for corpus in self.read_all() for case in corpus.cases]
        for name in self._wanted:
            if not any(name in known for known in names):
                hint = did_you_mean(name, [known[0] for known in names])
                raise CaseError(f"--webretrieval-case: no case {name}{hint}")

    def unrunnable(self, cases: Iterable[Case]) -> Iterator[str]:
        """One line for each case that has no truth or no scene: nothing to run it against. Raises CaseError for own
        cases whose pages do not fit them, and for faults that could meet nothing. On the real web a case without either
        is skipped."""
        if self._live is not None:
            return
        sites = sites_for(self.places)
        scenes = scene_names(sites)
        for version, asked in groupby(cases, key=lambda case: case.corpus):
            truths, of_corpus = self.truths(version), tuple(asked)
            without = {case.id for case in truths.missing(of_corpus)}
            own_scenes: frozenset[str] = frozenset()
            if isinstance(truths, OwnTruths):
                own_scenes = truths.scenes()
                if faults := list(truths.faults(of_corpus)):
                    raise CaseError("\n".join(faults))
            if nowhere := list(misplaced(of_corpus, sites, self.places)):
                raise CaseError("\n".join(nowhere))
            for case in of_corpus:
                if case.scene not in scenes and case.scene not in own_scenes:
                    yield f"{case.where}: case {case.id}: the fixture world has no scene for {case.fixture}"
                elif case.id in without:
                    yield f"{case.where}: case {case.id}: no truth in {truths.place}"

    @property
    def own_files(self) -> list[Path]:
        """The files of own cases that were read so far."""
        return [corpus.path for corpus in self.known if corpus.own]

    @property
    def places(self) -> list[Path]:
        """What the world's pages mark facts of. The built-in ones mark those of the built-in truth, whatever corpus
        asks for them: another corpus may have cases of the same ids."""
        built_in = built_in_truths((DEFAULT_CORPUS, *(corpus.version for corpus in self.known)))
        return [*built_in, *self.own_files]

    def _names(self, case: Case) -> tuple[str, str]:
        """How a case can be named: by its corpus, or as its item is."""
        file = case.where.path
        near = file.relative_to(self._root).as_posix() if file.is_relative_to(self._root) else file.name
        return f"{case.corpus}::{case.id}", f"{near}::{case.id}"

    def _refuse_twin(self, corpus: Corpus) -> None:
        """Records know a corpus by its name, so one run has one of each."""
        for other in self.known:
            if other.version == corpus.version:
                raise CaseError(
                    f"{shown(corpus.path)}: {shown(other.path)} is named {corpus.version} too; rename one of them"
                )

"""What lives as long as a run in every process that runs items: settings, corpora, truth, the runner."""

from __future__ import annotations

import contextlib
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.case import Case, CaseError, Corpus
from pytest_webretrieval.cases.data import built_in_truths, corpus_paths
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.cases.lock import check_corpus_lock
from pytest_webretrieval.cases.typed import did_you_mean
from pytest_webretrieval.cases.yaml_reader import shown
from pytest_webretrieval.gates.baseline import Baseline
from pytest_webretrieval.lanes.camp import LaneFailure
from pytest_webretrieval.lanes.carriers import BEYOND_PROXY, PROXY, choose
from pytest_webretrieval.lanes.fault_places import misplaced
from pytest_webretrieval.lanes.fixture import open_lane
from pytest_webretrieval.lanes.grounds import needs_browser, scene_names, sites_for
from pytest_webretrieval.lanes.live import open_live
from pytest_webretrieval.lanes.live_grounds import LiveGrounds
from pytest_webretrieval.lanes.own_cases import OwnTruths, Truths, beside, draft_reason, truths_of
from pytest_webretrieval.records.folder import ATTEMPTS, SPENDING, read_rows, run_name
from pytest_webretrieval.records.record import Key
from pytest_webretrieval.runner import Batch, Enter, Open, Planned, Runner, Told, in_a_slot, on_the_web
from pytest_webretrieval.settings import DEFAULT_CORPUS, Settings
from pytest_webretrieval.slots.carrier import NoCarrier
from pytest_webretrieval.systems.ways import SystemUnusable
from pytest_webretrieval.trials import Trials, told_before


class RunSession:
    """One pytest process' part of a run. ``folder`` is the run folder, where evidence goes; ``repeated`` are the words
    of the command line that whoever runs a case again must say again; ``baseline`` is what was accepted before."""

    # What a user can mend: shown by its own message alone, without a traceback of ours.
    refusals = (CaseError, LaneFailure, NoCarrier, SystemUnusable)

    def __init__(
        self,
        settings: Settings,
        root: Path,
        folder: Path,
        repeated: Sequence[str] = (),
        baseline: Baseline | None = None,
    ) -> None:
        self.unfit: str | None = None
        self.trials = Trials(
            first=settings.trials,
            further=settings.confirming,
            baseline=baseline,
            today=date.today().isoformat(),
        )
        self.settings, self.root, self.folder, self.repeated = settings, root, folder, tuple(repeated)
        named = (path for name in settings.corpora for path in corpus_paths(name, root))
        self.corpus_files = tuple(dict.fromkeys(path.resolve() for path in named))
        self._corpora: dict[Path, Corpus] = {}
        self._truths: dict[str, Truths] = {}
        self._trials: Counter[tuple[str, str]] = Counter()
        self._finished: dict[tuple[Any, ...], Told] = {}
        self._runner: Runner | None = None
        self._live = None if settings.live is None else LiveGrounds(settings.live, root)

    def corpus(self, path: Path) -> Corpus:
        """The corpus in ``path``, read once and held against its lock. Raises CaseError."""
        if path not in self._corpora:
            corpus = load_corpus(path)
            check_corpus_lock(corpus)
            self._refuse_twin(corpus)
            self._corpora[path] = corpus
        return self._corpora[path]

    def settle_carrier(self) -> str | None:
        """Put into the settings what ``auto`` comes to on this machine; why it is not namespaces, where it is not."""
        choice = choose(self.settings.carrier)
        self.settings = replace(self.settings, carrier=choice.name)
        return choice.notice

    @property
    def corpora(self) -> tuple[Corpus, ...]:
        """All that were read so far."""
        return tuple(self._corpora.values())

    def wanted(self, case: Case) -> bool:
        """Whether ``--webretrieval-case`` leaves the case in."""
        return not self.settings.cases or any(name in self.settings.cases for name in self._names(case))

    def check_cases(self) -> None:
        """Raises CaseError for a case of ``--webretrieval-case`` that no corpus has."""
        if not self.settings.cases:
            return
        corpora = [self.corpus(path) for path in self.corpus_files]
        names = [self._names(case) for corpus in corpora for case in corpus.cases]
        for name in self.settings.cases:
            if not any(name in known for known in names):
                hint = did_you_mean(name, [known[0] for known in names])
                raise CaseError(f"--webretrieval-case: no case {name}{hint}")

    def not_applicable(self, case: Case) -> str | None:
        """Why the case is not run: a draft, beyond the carrier, or in need of what the system did not declare."""
        if reason := draft_reason(case):
            return reason
        if self._live is not None and (reason := self._live.planned(self._corpus_of(case.corpus), case).why):
            return reason
        if self.settings.carrier == PROXY and (reason := self.beyond_a_proxy(case)):
            return reason
        if self._runner is not None and (reason := self._runner.beyond(case)):
            return reason
        itself = self._runner.capabilities if self._runner is not None else None
        declared = [one for one in (self.settings.capabilities, itself) if one is not None]
        missing = [need for need in needs(case) if any(need not in one for one in declared)]
        return f"the system declares no {', '.join(missing)}" if missing else None

    def unasked(self, asked: Iterable[Case]) -> Iterator[Case]:
        """What else could meet the real web of the corpora that ``asked`` are of: where that is left out, a night is
        not one of the whole corpus. Raises CaseError."""
        if self._live is None:
            return
        names = {(case.corpus, case.id) for case in asked}
        for corpus in self.corpora:
            if corpus.version in {version for version, _ in names}:
                left = (case for case in corpus.cases if (corpus.version, case.id) not in names)
                yield from (case for case in left if self.not_applicable(case) is None)

    def beyond_a_proxy(self, case: Case) -> str | None:
        """Why a case cannot be run where there is a proxy only."""
        sites = () if self._live is not None else sites_for(self._places)
        return BEYOND_PROXY if needs_browser(case, sites) else None

    def unrunnable(self, cases: Iterable[Case]) -> Iterator[str]:
        """One line for each case that has no truth or no scene: nothing to run it against. Raises CaseError for own
        cases whose pages do not fit them, and for faults that could meet nothing. On the real web a case without either
        is skipped."""
        if self._live is not None:
            return
        sites = sites_for(self._places)
        scenes = scene_names(sites)
        for version, asked in groupby(cases, key=lambda case: case.corpus):
            truths, of_corpus = self._truth(version), tuple(asked)
            without = {case.id for case in truths.missing(of_corpus)}
            own_scenes: frozenset[str] = frozenset()
            if isinstance(truths, OwnTruths):
                own_scenes = truths.scenes()
                if faults := list(truths.faults(of_corpus)):
                    raise CaseError("\n".join(faults))
            if nowhere := list(misplaced(of_corpus, sites, self._places)):
                raise CaseError("\n".join(nowhere))
            for case in of_corpus:
                if case.scene not in scenes and case.scene not in own_scenes:
                    yield f"{case.where}: case {case.id}: the fixture world has no scene for {case.fixture}"
                elif case.id in without:
                    yield f"{case.where}: case {case.id}: no truth in {truths.place}"

    def too_dear(self, cases: Iterable[Case]) -> str | None:
        """Why a live run of these cases may not begin without its cost being approved; None where it may. Raises
        CaseError."""
        if self._live is None or self.settings.approve_cost:
            return None
        asked = groupby(cases, key=lambda case: case.corpus)
        corpora = [(self._corpus_of(version), tuple(own)) for version, own in asked]
        return self._live.too_dear(corpora, self.trials.most)

    def resume(self) -> None:
        """Take the finished runs of the folder as they are: their items replay them."""
        attempts: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for attempt in read_rows(self.folder, ATTEMPTS):
            run = tuple(attempt.get(f"webretrieval.{name}") for name in ("case", "seed", "trial", "test"))
            attempts.setdefault(run, []).append(attempt)
        for row in read_rows(self.folder):
            key = Key(**row["key"])
            seen = attempts.get((key.case, key.seed, key.trial, key.test), [])
            self._finished[_identity(key)] = Told(row, seen, replayed=True)

    def start(self, items: Iterable[tuple[Case, str]]) -> None:
        """Open the lane unless it is open, and begin to run what will be asked for. Raises one of ``refusals``."""
        batches = [(case, self._batch(case, test, 0)) for case, test in items]
        waiting = [(case, batch) for case, batch in batches if told_before(batch) is None]
        if waiting:
            runner = self.running()
            runner.start([batch for case, batch in waiting if self.not_applicable(case) is None])

    def ahead(self, items: Iterable[tuple[Case, str]]) -> None:
        """The same for the few items that an xdist worker knows to be its own and has not begun. A lane that cannot
        be opened is told by the items' own results."""
        with contextlib.suppress(*self.refusals):
            self.start(item for item in items if not self._trials[item[0].id, item[1]])

    def results(self, case: Case, test: str) -> tuple[Told, ...]:
        """The finished trials of a case, and those that were run to confirm them; asked again (a rerun), fresh ones."""
        first = self._trials[case.id, test]
        self._trials[case.id, test] += self.trials.most
        batch = self._batch(case, test, first)
        return told_before(batch) or self.running().results(batch)

    def fit_baseline(self) -> str | None:
        """Let go of a baseline that says nothing about this run; why, where that is so."""
        if (baseline := self.trials.baseline) is None:
            return None
        identities = {corpus.version: corpus.identity for corpus in map(self.corpus, self.corpus_files)}
        self.unfit = baseline.unfit(self.settings.lane, identities, self.settings.fingerprint())
        if self.unfit is not None:
            self.trials = replace(self.trials, baseline=None)
        return self.unfit

    def next_run(self, case: Case, test: str, settings: Settings) -> Planned:
        """The next trial of a case by one test, with the key that it has under ``settings``."""
        trial = self._trials[case.id, test]
        self._trials[case.id, test] += 1
        planned = self._planned(case, test, trial)
        key = replace(planned.key, system=settings.fingerprint())
        return replace(planned, key=key, told=self._finished.get(_identity(key)))

    def new_runner(self, settings: Settings, open_it: Open) -> Runner:
        """A runner that is not open yet; whoever takes it opens and closes it."""
        settings = replace(settings, purse=self.folder / SPENDING)
        truths = [] if self._live is not None else [*self._places, *beside(self._own_files)]
        return Runner(settings, self.folder, self.root, truths, open_it)

    def commands(self, record: Mapping[str, Any], node: str | None = None) -> dict[str, str]:
        """The lines that a failing case ends with; ``node`` is the test's where it is one's own."""
        case = ("--webretrieval-case", f"{record['corpus']}::{record['case']}")
        again = (
            *("pytest", f"--lane={record['lane']}", *(case if node is None else (node,))),
            *("--webretrieval-fixture-seed", str(record["key"]["seed"]), *self.repeated),
        )
        trial = record["key"]["trial"]
        story = (
            *("webretrieval", "explain", self.run_name, record["case"]),
            *(("--trial", str(trial)) if trial else ()),
        )
        wrong = ("webretrieval", "dispute", *story[2:])
        return {"again": shlex.join(again), "story": shlex.join(story), "wrong?": shlex.join(wrong)}

    @property
    def run_name(self) -> str:
        """What finds the run from here."""
        return run_name(self.folder, Path.cwd())

    def close(self) -> None:
        """End every process of the run."""
        if self._runner is not None:
            self._runner.close()

    def running(self) -> Runner:
        """The runner of the settings' own system, opened at first use. Raises one of ``refusals``."""
        if self._runner is None:
            self._runner = self.new_runner(self.settings, open_lane if self._live is None else open_live)
            self._runner.open()
        return self._runner

    @property
    def _own_files(self) -> list[Path]:
        """The files of own cases that were read so far."""
        return [corpus.path for corpus in self.corpora if corpus.own]

    @property
    def _places(self) -> list[Path]:
        """What the world's pages mark facts of. The built-in ones mark those of the built-in truth, whatever corpus
        asks for them: another corpus may have cases of the same ids."""
        built_in = built_in_truths((DEFAULT_CORPUS, *(corpus.version for corpus in self.corpora)))
        return [*built_in, *self._own_files]

    def _names(self, case: Case) -> tuple[str, str]:
        """How a case can be named: by its corpus, or as its item is."""
        file = case.where.path
        near = file.relative_to(self.root).as_posix() if file.is_relative_to(self.root) else file.name
        return f"{case.corpus}::{case.id}", f"{near}::{case.id}"

    def _refuse_twin(self, corpus: Corpus) -> None:
        """Records know a corpus by its name, so one run has one of each."""
        for other in self.corpora:
            if other.version == corpus.version:
                raise CaseError(
                    f"{shown(corpus.path)}: {shown(other.path)} is named {corpus.version} too; rename one of them"
                )

    def _truth(self, version: str) -> Truths:
        if version not in self._truths:
            corpus = self._corpus_of(version)
            live = self._live
            self._truths[version] = truths_of(corpus, self.root) if live is None else live.truths(corpus)
        return self._truths[version]

    def _corpus_of(self, version: str) -> Corpus:
        return next(corpus for corpus in self.corpora if corpus.version == version)

    def _planned(self, case: Case, test: str, trial: int) -> Planned:
        key = Key(
            corpus_identity=self._corpus_of(case.corpus).identity,
            case=case.id,
            system=self.settings.fingerprint(),
            engine=None,
            seed=self.settings.fixture_seed,
            trial=trial,
            test=test,
        )
        truth = partial(self._truth(case.corpus).get, case.id)
        return Planned(case, key, truth, self._way_in(case), told=self._finished.get(_identity(key)))

    def _way_in(self, case: Case) -> Enter:
        """How a run of the case gets its stage."""
        if self._live is None:
            return in_a_slot
        return on_the_web(self._live.planned(self._corpus_of(case.corpus), case).target)

    def _batch(self, case: Case, test: str, first: int) -> Batch:
        """The trials of an item from number ``first`` on."""
        return self.trials.batch(case, partial(self._planned, case, test), first)


def needs(case: Case) -> tuple[str, ...]:
    """The capabilities that a case asks of a system: its channel, and ``auth`` for the signed-in web."""
    channel = {"search-api": "search", "direct-fetch": "fetch"}.get(case.live_channel, case.live_channel)
    return (channel, "auth") if case.stratum == "auth" else (channel,)


def _identity(key: Key) -> tuple[Any, ...]:
    return (key.corpus_identity, key.case, key.system, key.engine, key.seed, key.trial, key.test)

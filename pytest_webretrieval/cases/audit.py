"""Everything that can be said about a corpus and its truth without running anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .case import Case, CaseError, Corpus
from .draw import draw_truth
from .lock import check_corpus_lock, stamp
from .store import TruthStore
from .truth import Truth
from .typed import did_you_mean
from .yaml_reader import shown

_SEEDS_TRIED = range(1, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """``faults`` and ``notices`` are lines for people; ``summary`` is one line."""

    faults: tuple[str, ...]
    notices: tuple[str, ...]
    summary: str


def audit_truth(store: TruthStore, corpus: Corpus | None, only: Sequence[str] = ()) -> Audit:
    """Check every truth file of ``store`` (or the cases in ``only``), its lock, and that it fits
    ``corpus``."""
    faults: list[str] = []
    notices: list[str] = []
    read: dict[str, tuple[Truth, ...]] = {}
    for case_id in only or store.case_ids():
        try:
            read[case_id] = store.versions(case_id)
        except CaseError as error:
            faults += error.problems
    faults += _lock_faults(store, read, only)
    for case_id, versions in read.items():
        faults += _draw_faults(case_id, versions[-1])
    faults += _different_policies([versions[-1] for versions in read.values()])
    locked = "truth unlocked" if store.lock is None else "truth locked"
    count = sum(map(len, read.values()))
    words = [f"{len(read)} with truth in {count} version{'s' if count != 1 else ''}", locked]
    name = store.place.stem
    if corpus is not None:
        name = corpus.version
        faults += _unfit(corpus, read)
        missing = () if only else store.missing(corpus.cases)
        if missing:
            notices.append(f"{shown(corpus.path)}: no truth yet: {', '.join(case.id for case in missing)}")
        words = [f"{len(corpus.cases)} cases", *words, _corpus_lock(corpus, faults)]
    return Audit(faults=tuple(faults), notices=tuple(notices), summary=f"{name}: {', '.join(words)}")


def _lock_faults(store: TruthStore, read: dict[str, tuple[Truth, ...]], only: Sequence[str]) -> Iterator[str]:
    try:
        lock = store.lock
    except CaseError as error:
        yield from error.problems
        return
    if lock is None:
        return
    held = only or lock.lines
    for case_id in dict.fromkeys([*read, *held]):
        if case_id in read or case_id not in store.case_ids():
            yield from lock.faults(case_id, read.get(case_id, ()))
    for case_id, versions in read.items():
        for version in lock.unlocked(versions):
            where = f"{shown(version.where.path)}:{version.where.line}"
            yield (
                f"{where}: case {case_id}: the version recorded at {stamp(version)} is not locked; "
                f"run `webretrieval truth lock {shown(store.place)}`"
            )


def _draw_faults(case_id: str, truth: Truth) -> Iterator[str]:
    for seed in _SEEDS_TRIED:
        try:
            draw_truth(truth, seed)
        except ValueError as error:
            text = str(error).removeprefix(f"case {case_id}: ")
            yield f"{shown(truth.where.path)}:{truth.where.line}: case {case_id}: {text}"
            return


def _different_policies(truths: Sequence[Truth]) -> Iterator[str]:
    """All cases forbid the same, so that a task does not tell its scene by what it forbids."""
    for truth in truths[1:]:
        if truth.forbidden_actions != truths[0].forbidden_actions:
            where = f"{shown(truth.where.path)}:{truth.where.line}"
            yield (
                f"{where}: case {truth.case_id}: `forbidden_actions` is not the list of {truths[0].case_id}; "
                "every case of a corpus forbids the same"
            )


def _unfit(corpus: Corpus, read: dict[str, tuple[Truth, ...]]) -> Iterator[str]:
    known = {case.id: case for case in corpus.cases}
    for case_id, versions in read.items():
        case, truth = known.get(case_id), versions[-1]
        where = f"{shown(truth.where.path)}:{truth.where.line}"
        if case is None:
            hint = did_you_mean(case_id, known) if len(known) < 100 else ""
            yield f"{where}: case {case_id}: no such case in {shown(corpus.path)}{hint}"
        elif fault := _expectation_fault(case, truth):
            yield f"{where}: case {case_id}: {fault}"


def _expectation_fault(case: Case, truth: Truth) -> str | None:
    if case.expect == "correct_refusal" and not truth.refusal_reasons:
        return "the corpus expects correct_refusal, but there are no `refusal_reasons`"
    if case.expect == "success" and not truth.facts and not any(step.when for step in truth.steps):
        return "the corpus expects success, but there are no `expected_facts`"
    return None


def _corpus_lock(corpus: Corpus, faults: list[str]) -> str:
    try:
        return f"corpus {check_corpus_lock(corpus)}"
    except CaseError as error:
        faults += error.problems
        return "corpus changed"


def truth_place(path: Path) -> tuple[Path, tuple[str, ...]]:
    """The truth folder or file that ``path`` belongs to, and the cases meant: none named means all."""
    from .truth_file import load_truth_file

    if path.is_dir():
        return path, ()
    found = load_truth_file(path)
    alone = len(found) == 1 and path.stem in found
    return (path.parent, tuple(found)) if alone else (path, ())

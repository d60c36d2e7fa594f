"""``webretrieval truth``: check, lock and extend what is right."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.append import add_version
from pytest_webretrieval.cases.audit import audit_truth, truth_place
from pytest_webretrieval.cases.case import CaseError, Corpus
from pytest_webretrieval.cases.data import (
    LIVE,
    comes_with_the_package,
    corpus_path,
    corpus_paths,
    live_truth,
    refuse_the_package_s,
    truth_folder,
)
from pytest_webretrieval.cases.live import is_live, live_corpus, live_faults
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.lock import lock_truth, truth_lock_path
from pytest_webretrieval.cases.own import is_own_file
from pytest_webretrieval.cases.own_files import is_case_folder
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.cases.yaml_reader import Mapping, read_yaml, shown
from pytest_webretrieval.lanes.own_cases import OwnTruths
from pytest_webretrieval.settings import DEFAULT_CORPUS

from .gradable import grading_faults

_COPY = "copy a corpus to corpus/ and its truth to truth/, each with its lock, and work on those"
_WHAT = "a corpus by name or file, a truth folder (truth/live/CORPUS too) or a truth file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The truth that a call means, the cases of it (none: all), and the corpus where there is one."""

    store: TruthStore
    only: Sequence[str]
    corpus: Corpus | None


def add(subparsers: Any) -> None:
    """Add the verbs."""
    group = subparsers.add_parser("truth", help="check, lock and extend what is right")
    verbs = group.add_subparsers(title="verbs", metavar="VERB", required=True)

    parser = verbs.add_parser("check", help="verify truth files, their locks, and that they fit the corpus")
    parser.add_argument("target", nargs="?", default=DEFAULT_CORPUS, help=f"{_WHAT} ({DEFAULT_CORPUS})")
    parser.add_argument("--complete", action="store_true", help="a case without truth is an error")
    parser.set_defaults(verb=check)

    parser = verbs.add_parser("lock", help="lock the versions that are not locked yet")
    parser.add_argument("target", nargs="?", default=DEFAULT_CORPUS, help=f"{_WHAT} ({DEFAULT_CORPUS})")
    parser.set_defaults(verb=lock)

    parser = verbs.add_parser("add", help="append a version to a case's truth and lock it")
    parser.add_argument("case", help="a case id, as in S06")
    draft = "YAML with the keys of the new version"
    parser.add_argument("--from", dest="draft", type=Path, required=True, help=draft)
    parser.add_argument(
        "--corpus", default=DEFAULT_CORPUS, help=f"a corpus by name or file ({DEFAULT_CORPUS})"
    )
    parser.add_argument(
        "--lane",
        choices=("fixture", "live"),
        default="fixture",
        help="whose truth: the fixture's, or truth/live",
    )
    parser.set_defaults(verb=add_truth)


def check(arguments: argparse.Namespace) -> int:
    """Print a line for each fault, or one line that sums up; 1 where there is a fault."""
    if own := own_corpora(arguments.target):
        return check_own(own)
    target = find_target(arguments.target)
    audit = audit_truth(target.store, target.corpus, target.only)
    faults = [*audit.faults, *(audit.notices if arguments.complete else ())]
    if not audit.faults and is_live(target.store.place):
        faults += [fault for truth in _newest(target) for fault in live_faults(truth)]
    if not audit.faults:
        faults += [fault for truth in _newest(target) for fault in grading_faults(truth)]
    for line in faults:
        print(line, file=sys.stderr)
    if faults:
        return 1
    for line in audit.notices:
        print(line)
    print(audit.summary)
    return 0


def own_corpora(given: str) -> tuple[Corpus, ...]:
    """The files of own cases that ``given`` means: a file, or a folder of them; none for anything else."""
    path = Path(given)
    if not (is_own_file(path) if path.is_file() else path.is_dir() and is_case_folder(path)):
        return ()
    return tuple(corpus for corpus in map(load_corpus, corpus_paths(given, Path.cwd())) if corpus.own)


def check_own(corpora: Sequence[Corpus]) -> int:
    """The same for own cases: each can be run, and graded."""
    faults: list[str] = []
    for corpus in corpora:
        truths = OwnTruths(corpus.path)
        unfit = list(truths.faults(corpus.cases))
        faults += unfit
        if not unfit:
            ready = [case for case in corpus.cases if not case.draft]
            faults += [fault for case in ready for fault in grading_faults(truths.get(case.id))]
    for line in faults:
        print(line, file=sys.stderr)
    if faults:
        return 1
    for corpus in corpora:
        drafts = sum(case.draft for case in corpus.cases)
        print(f"{shown(corpus.path)}: {len(corpus.cases) - drafts} cases with what is right, {drafts} drafts")
    return 0


def _newest(target: Target) -> Iterator[Truth]:
    for case_id in target.only or target.store.case_ids():
        yield target.store.versions(case_id)[-1]


def lock(arguments: argparse.Namespace) -> int:
    """Lock what is new. What was locked must be as it was."""
    store = find_target(arguments.target).store
    refuse_the_package_s(store.place, Path.cwd(), _COPY)
    versions = [version for case_id in store.case_ids() for version in store.versions(case_id)]
    if store.lock is not None:
        names = dict.fromkeys([*store.case_ids(), *store.lock.lines])
        here = {name: [version for version in versions if version.case_id == name] for name in names}
        faults = [line for name, its in here.items() for line in store.lock.faults(name, its)]
        if faults:
            raise CaseError("\n".join(faults))
    count = lock_truth(store.place, versions)
    print(f"{shown(truth_lock_path(store.place))}: {count} added, {len(versions)} versions locked")
    return 0


def add_truth(arguments: argparse.Namespace) -> int:
    """Append the version in the draft, recorded now."""
    corpus = load_corpus(corpus_path(arguments.corpus, Path.cwd()))
    if arguments.case not in {case.id for case in corpus.cases}:
        raise CaseError(f"{shown(corpus.path)}: no case {arguments.case}")
    if arguments.lane == "live":
        with _in_project(live_truth(corpus.version, Path.cwd())) as place:
            added = add_version(place, arguments.case, arguments.draft)
    else:
        place = truth_folder(corpus.version, Path.cwd(), corpus.path)
        refuse_the_package_s(place, Path.cwd(), f"its pages say what is right; {_COPY}")
        added = add_version(place, arguments.case, arguments.draft)
    recorded = added.truth.recorded_at.isoformat().replace("+00:00", "Z")
    where = f"{shown(added.path)}:{added.truth.where.line}"
    print(f"{where}: case {arguments.case}: version recorded at {recorded}, locked")
    return 0


@contextlib.contextmanager
def _in_project(place: Path) -> Iterator[Path]:
    """Live truth that can be written: where it comes with the package a copy in the project, which is found before it
    from then on. Where nothing could be added to it, there is none."""
    if not comes_with_the_package(place, Path.cwd()):
        yield place
        return
    copy = Path.cwd() / "truth" / LIVE / place.name
    lock, its = truth_lock_path(place), copy.parent / truth_lock_path(place).name
    shutil.copytree(place, copy)
    if lock.exists():
        shutil.copy(lock, its)
    try:
        yield copy
    except CaseError:
        shutil.rmtree(copy)
        its.unlink(missing_ok=True)
        raise
    print(f"{shown(copy)}/: copied from the package, and used in its place from now on")


def find_target(given: str) -> Target:
    """What ``given`` means. Raises ``CaseError`` where it means nothing."""
    path = Path(given)
    if path.is_dir() or (path.is_file() and not _is_corpus(path)):
        place, only = truth_place(path)
        store = TruthStore(place)
        corpus = live_corpus(place, store.case_ids()) if is_live(place) else _corpus_of(place)
        return Target(store=store, only=only, corpus=corpus)
    corpus = load_corpus(corpus_path(given, Path.cwd()))
    place = truth_folder(corpus.version, Path.cwd(), corpus.path)
    return Target(store=TruthStore(place), only=(), corpus=corpus)


def _is_corpus(path: Path) -> bool:
    root = read_yaml(path)
    return isinstance(root, Mapping) and "cases" in root.entries


def _corpus_of(place: Path) -> Corpus | None:
    """The corpus whose truth ``place`` is, if it lies in ``corpus/`` beside ``truth/``."""
    name = place.name if place.is_dir() else place.stem
    path = place.absolute().parent.parent / "corpus" / f"{name}.yaml"
    return load_corpus(path) if path.is_file() else None

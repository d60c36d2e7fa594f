"""What is right on the real web, and what of a truth can hold there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from .canonical import sha256_of
from .case import CaseError, Corpus
from .data import LIVE, corpus_path
from .load import load_corpus
from .targets import Target, load_targets
from .truth import Truth
from .yaml_reader import shown


def is_live(place: Path) -> bool:
    """Whether a truth folder or file is one of the real web: it lies in ``truth/live``."""
    return place.absolute().parent.name == LIVE


def live_corpus(place: Path, with_truth: tuple[str, ...]) -> Corpus | None:
    """The corpus that a live truth folder or file belongs to, with only those of its cases that have a target beside it
    or truth in it; None where there is no such corpus. Raises ``CaseError`` for targets that cannot be used."""
    name = place.name if place.is_dir() else place.stem
    home = place.absolute().parents[2]
    try:
        corpus = load_corpus(corpus_path(name, home))
    except CaseError:
        return None
    targets = home / "corpus" / LIVE / f"{name}.toml"
    named = {*with_truth, *(load_targets(targets, corpus) if targets.is_file() else ())}
    return replace(corpus, cases=tuple(case for case in corpus.cases if case.id in named))


def terms_of(target: Target, truth: Truth) -> str:
    """Twelve hexadecimal digits over where a case goes, how the harness looks at it and what is right there: runs on
    other terms are not compared. Why a program may go there changes nothing about what comes back."""
    place = {
        "start_urls": target.start_urls,
        "account": target.account,
        "splice": target.splice,
        "probe": asdict(target.probe),
        "truth": truth.sha256,
    }
    return sha256_of(place)[:12]


def live_faults(truth: Truth) -> Iterator[str]:
    """A line for each thing that only a world of our own could do: nothing of the real web is drawn, nor in a state
    that we choose."""
    where = f"{shown(truth.where.path)}:{truth.where.line}: case {truth.case_id}"
    for pattern in (*truth.allowed_sources, *truth.known_copies, *truth.lures):
        if pattern.startswith("fixture://"):
            yield f"{where}: `{pattern}` is not on the real web; write its https:// address"
    for step in truth.steps:
        for fact in (*step.expected_facts, *step.wrong_values):
            if fact.draw != "fixed":
                yield f"{where}: fact {fact.id}: `draw: {fact.draw}`: the real web draws nothing; write `draw: fixed`"
        if step.states or step.when:
            yield f"{where}: `states` and `when` are of scenes, and the real web has none; leave them out"

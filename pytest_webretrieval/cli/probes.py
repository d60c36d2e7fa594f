"""``webretrieval adjudicate --probes``: a person decides about probes under suspicion. Truth is never touched."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pytest_webretrieval.records.folder import FolderError
from pytest_webretrieval.records.probe_proposal import FOLDER, ProbeProposal, read_proposal, write_draft
from pytest_webretrieval.records.quarantine import Quarantine, keep, release, undecided
from pytest_webretrieval.report.quarantine import printable, said

from .history import configured, decider, history_folder

DEFAULT_DAYS = 7
MOST_DAYS = 365
_ANSWERS = {"k": "keep", "r": "release", "n": "next", "q": "quit"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A probe that waits for a decision. ``proposal`` is what was seen last, at ``path``; ``lost`` is why there is
    none."""

    quarantine: Quarantine
    path: Path | None = None
    proposal: ProbeProposal | None = None
    lost: str | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add those of the probes."""
    group = parser.add_argument_group("probes of the live lane")
    group.add_argument("--probes", action="store_true", help="decide about probes that are under suspicion")
    group.add_argument(
        "--history", type=Path, metavar="DIR", help="the folder of the history (as configured)"
    )
    group.add_argument(
        "--days", type=_whole_days, metavar="N", help="how long a probe is kept in quarantine (as configured)"
    )
    group.add_argument("--by", metavar="NAME", help="who decides (whoever is logged in)")


def adjudicate_probes(arguments: argparse.Namespace) -> int:
    """0 where all were shown, with nobody to ask too; 1 where something cannot be read or written."""
    try:
        folder = history_folder(arguments.history)
        days = _days() if arguments.days is None else arguments.days
        now = datetime.now(UTC)
        probes = [_probe(one, arguments.output) for one in undecided(folder)]
        if not probes:
            print(f"{folder}: no probe is under suspicion")
        for probe in probes:
            for line in _lines(probe, now):
                print(line)
            if sys.stdin.isatty() and not _decide(probe, folder, decider(arguments.by), days):
                break
    except FolderError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    return 0


def _whole_days(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_DAYS:
        raise argparse.ArgumentTypeError(
            f"`{text}` is no number of days from 1 to {MOST_DAYS}; to end a quarantine, answer [r]elease"
        )
    return int(text)


def _days() -> int:
    configuration = configured()
    return DEFAULT_DAYS if configuration is None else configuration.quarantine_days


def _probe(one: Quarantine, output: Path) -> Probe:
    """With the newest proposal about its case: that of the quarantine, or of a run since then."""
    paths = [Path(one.proposal)] if one.proposal else []
    found: list[tuple[datetime, Path, ProbeProposal]] = []
    lost = None
    for path in dict.fromkeys([*paths, *sorted(output.glob(f"*/{FOLDER}/{one.case}.yaml"))]):
        try:
            proposal = read_proposal(path)
        except FolderError as error:
            lost = str(error)
            continue
        if (proposal.corpus, proposal.case) == (one.corpus, one.case):
            found.append((proposal.observed_at, path, proposal))
    if not found:
        return Probe(quarantine=one, lost=lost)
    _, path, proposal = max(found, key=lambda entry: entry[0])
    return Probe(quarantine=one, path=path, proposal=proposal)


def _lines(probe: Probe, now: datetime) -> Iterator[str]:
    yield f"{probe.quarantine.corpus}  {said(probe.quarantine, now)}"
    proposal = probe.proposal
    if proposal is None:
        yield f"  seen     nothing is kept: {probe.lost or 'the run wrote no proposal'}"
        return
    seen = proposal.seen
    yield f"  target   {printable(proposal.target)}"
    when = f"{proposal.observed_at:%Y-%m-%d %H:%M} UTC"
    yield f"  seen     {seen.status or 'no answer'} {printable(f'{seen.url} at {when}: {proposal.why}')}"
    for name, text in (("title", seen.title), ("sha256", seen.sha256), ("says", seen.excerpt)):
        if text:
            yield f"  {name:<8} {printable(text)}"
    for fact in proposal.truth:
        yield f"  {'truth':<8} {fact.id} {fact.value!r} {'stands there' if fact.stands else 'does not stand there'}"
    yield f"  file     {probe.path}{', with a draft of a new version of truth' if proposal.version else ''}"


def _decide(probe: Probe, folder: Path, by: str, days: int) -> bool:
    """Ask, and write down what is said; False where the person quits."""
    one = probe.quarantine
    answer = _ask(f"  {one.case}: [k]eep {days} days more, [r]elease, [n]ext, [q]uit? ", tuple(_ANSWERS))
    if answer in ("n", "q"):
        return answer == "n"
    because = _reason()
    if because is None:
        return False
    if answer == "k":
        kept = keep(folder, one.corpus, one.case, by, because, days)
        print(f"  kept until {kept.until:%Y-%m-%d %H:%M} UTC")
    else:
        release(folder, one.corpus, one.case, by, because)
        print("  released: the case counts again from the next run on")
    if probe.path is not None and probe.proposal is not None and probe.proposal.version:
        draft = write_draft(probe.path, probe.proposal)
        command = (
            "webretrieval",
            "truth",
            "add",
            one.case,
            "--from",
            str(draft),
            "--corpus",
            one.corpus,
            "--lane",
            "live",
        )
        print(
            f"  truth stays as it is; mend {draft} (facts, `reason`, `adjudicated_by`) where it should change, then:"
        )
        print(f"    {shlex.join(command)}")
    return True


def _ask(question: str, answers: Sequence[str]) -> str:
    while True:
        try:
            said = input(question).strip().lower()[:1]
        except EOFError:
            return "q"
        if said in answers:
            return said


def _reason() -> str | None:
    while True:
        try:
            if words := " ".join(input("  because: ").split()):
                return words
        except EOFError:
            return None

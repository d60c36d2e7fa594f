"""``webretrieval baseline``: accept what a run came to, so that later runs are held to it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.gates.accepting import (
    accepted_cases,
    failed_cases,
    same_failure,
    to_yaml,
    unacceptable,
)
from pytest_webretrieval.gates.baseline import Accepted, Baseline, Tolerated, read_baseline
from pytest_webretrieval.records.codec import from_json
from pytest_webretrieval.records.folder import MANIFEST, FolderError, find_folder, read_json, read_rows
from pytest_webretrieval.settings import DEFAULT_BASELINE, DEFAULT_OUTPUT, Settings

DEFAULT_DAYS = 90


class Refused(Exception):
    """What cannot be accepted; the message says why and how to go on."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: its folder, its manifest and settings, and the records of the corpus' own items but for reruns,
    which were run because others failed."""

    folder: Path
    manifest: Mapping[str, Any]
    settings: Settings
    records: Sequence[Mapping[str, Any]]

    @property
    def expects(self) -> dict[str, str]:
        return {f"{record['corpus']}::{record['case']}": record["expect"] for record in self.records}


def add(subparsers: Any) -> None:
    """Add the verbs."""
    group = subparsers.add_parser("baseline", help="accept what a run came to")
    verbs = group.add_subparsers(title="verbs", metavar="VERB", required=True)
    parser = verbs.add_parser("accept", help="write what a run came to into the baseline")
    parser.add_argument("run", help="a run folder, the end of its name, or latest")
    parser.add_argument(
        "--case", action="append", default=[], metavar="CORPUS::ID", help="only this case (repeatable)"
    )
    parser.add_argument("--reason", help="why the cases that fail may fail, for now")
    parser.add_argument("--owner", help="who will mend them")
    parser.add_argument(
        "--expires",
        default=str(DEFAULT_DAYS),
        metavar="DATE|DAYS",
        help=f"the last day on which they may, as 2027-02-26, or in how many days (default: {DEFAULT_DAYS})",
    )
    parser.add_argument("--baseline", type=Path, default=DEFAULT_BASELINE, help="the file to write")
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="where run folders are")
    parser.set_defaults(verb=accept)


def accept(arguments: argparse.Namespace) -> int:
    """Write the baseline and print what changed; 1 where something cannot be accepted."""
    try:
        run = _finished(find_folder(arguments.output, arguments.run), arguments.case)
        before = read_baseline(arguments.baseline) if arguments.baseline.exists() else None
        after = _merged(run, before, arguments)
        arguments.baseline.write_text(to_yaml(after), encoding="utf-8", newline="\n")
    except (FolderError, CaseError, Refused) as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"webretrieval: cannot write {arguments.baseline}: {error.strerror}", file=sys.stderr)
        return 1
    for line in _changes(run, before, after):
        print(line)
    known = sum(case.tolerated is not None for case in after.cases.values())
    print(f"{arguments.baseline}: {len(after.cases)} cases accepted, {known} known to fail; commit it")
    return 0


def _finished(folder: Path, wanted: Sequence[str]) -> Run:
    manifest = read_json(folder / MANIFEST)
    settings = from_json(Settings, manifest["configuration"])
    most = settings.trials + settings.confirming
    records = [
        record
        for record in read_rows(folder)
        if record["evidence"].startswith("cases/") and record["key"]["trial"] < most
    ]
    known = dict.fromkeys(f"{record['corpus']}::{record['case']}" for record in records)
    for name in wanted:
        if name not in known:
            raise Refused(f"{folder}: no record of {name}; there: {', '.join(known) or 'none'}")
    if wanted:
        records = [record for record in records if f"{record['corpus']}::{record['case']}" in wanted]
    if not records:
        raise Refused(f"{folder}: no case of a corpus was run; there is nothing to accept")
    if never := unacceptable(records):
        raise Refused(
            f"never accepted, in any trial: {'; '.join(never)}; mend them, or accept others with --case"
        )
    return Run(folder, manifest, settings, records)


def _merged(run: Run, before: Baseline | None, arguments: argparse.Namespace) -> Baseline:
    """What was accepted before, with the run's cases in their places. Raises Refused."""
    manifest, today = run.manifest, date.today()
    if before is not None and (
        why := before.unfit(manifest["lane"], manifest["corpora"], manifest["fingerprint"])
    ):
        if arguments.case:
            raise Refused(f"{arguments.baseline}: {why}; accept a whole run, without --case")
        kept: Mapping[str, Accepted] = {}
    else:
        kept = before.cases if before is not None else {}
    now = accepted_cases(run.records, run.folder.name, today.isoformat())
    new = _tolerated(arguments, today)
    failed = failed_cases(run.records, run.settings.trials)
    cases, without = dict(kept), []
    for name, accepted in now.items():
        if name in failed:
            earlier = before.cases.get(name) if before is not None else None
            given = same_failure(earlier, accepted, run.expects[name])
            if given is not None and given.expired(today.isoformat()):
                given = None
            # Whoever names cases means a new reason for them; else one that was given still holds.
            tolerated = (new or given) if arguments.case else (given or new)
            if tolerated is None:
                without.append(f"{name} ({', '.join((accepted.label, *accepted.over))})")
            accepted = replace(accepted, tolerated=tolerated)
        cases[name] = accepted
    identities = (before.corpora if before is not None else {}) | manifest["corpora"]
    if without:
        raise Refused(
            f"{len(without)} cases would be known to fail: {', '.join(without)}; say why and who mends them: "
            "--reason TEXT --owner NAME (and --expires DATE|DAYS)"
        )
    return Baseline(
        path=arguments.baseline,
        lane=manifest["lane"],
        corpora={name: identities[name] for name in sorted({case.rpartition("::")[0] for case in cases})},
        system=run.settings.system,
        fingerprint=manifest["fingerprint"],
        cases=cases,
    )


def _tolerated(arguments: argparse.Namespace, today: date) -> Tolerated | None:
    """What the call gives as a reason; None where it gives none. Raises Refused for half of one."""
    reason, owner = (" ".join((words or "").split()) for words in (arguments.reason, arguments.owner))
    if not reason and not owner:
        return None
    if not (reason and owner):
        raise Refused("a reason needs an owner, and an owner a reason: --reason TEXT --owner NAME")
    expires = _day(arguments.expires, today)
    return Tolerated(reason=reason, owner=owner, since=today.isoformat(), expires=expires.isoformat())


def _day(said: str, today: date) -> date:
    try:
        day = today + timedelta(days=int(said)) if said.isdecimal() else date.fromisoformat(said)
    except (ValueError, OverflowError):
        raise Refused(f"--expires: {said!r} is neither a day, as 2027-02-26, nor a number of days") from None
    if day < today:
        raise Refused(f"--expires: {day} is over")
    return day


def _changes(run: Run, before: Baseline | None, after: Baseline) -> Iterator[str]:
    """One line for each case of the run that may fail now, or may not any more."""
    for name in run.expects:
        earlier = before.cases.get(name) if before is not None else None
        accepted = after.cases[name]
        if accepted.tolerated is not None:
            word = "still known to fail" if earlier is not None and earlier.tolerated else "known to fail"
            labels = ", ".join(f"{label} {count}" for label, count in accepted.labels.items())
            over = f", over {', '.join(accepted.over)}" if accepted.over else ""
            yield f"{name}: {word}: {labels}{over}; until {accepted.tolerated.expires}"
        elif earlier is not None and earlier.tolerated is not None:
            yield f"{name}: no longer known to fail"

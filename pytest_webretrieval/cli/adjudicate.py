"""``webretrieval adjudicate``: a blind sample for people, and the rates of a run as their labels correct them."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_webretrieval.configuration import ConfigurationError
from pytest_webretrieval.gates.adjudication import Figures, figures
from pytest_webretrieval.judges import evidence
from pytest_webretrieval.judges.items import items, judge_of
from pytest_webretrieval.judges.sampling import SHEETS, Labelled, SheetError, draw, read_sheet, sheet
from pytest_webretrieval.records.codec import to_json
from pytest_webretrieval.records.folder import FolderError, Writer, find_folder, read_json
from pytest_webretrieval.records.people import Sample, keep_sample
from pytest_webretrieval.settings import DEFAULT_OUTPUT

from .history import history_folder
from .probes import add_options, adjudicate_probes


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "adjudicate", help="let people judge a blind sample, and correct rates by it"
    )
    parser.add_argument("run", nargs="?", help="a run folder, the end of its name, or latest")
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="where run folders are")
    parser.add_argument(
        "--what", choices=tuple(SHEETS), default="support", help="claims, answers or results of searches"
    )
    parser.add_argument("--sample", type=int, default=60, metavar="N", help="about so many of them")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--to", type=Path, default=Path("adjudicate.yaml"), help="the sheet to fill in")
    parser.add_argument("--labels", type=Path, metavar="FILE", help="a sheet that was filled in")
    add_options(parser)
    parser.set_defaults(verb=adjudicate)


def adjudicate(arguments: argparse.Namespace) -> int:
    """0 where the sheet was written or the rates printed, 1 where something is not finished, 2 where no run is."""
    if arguments.probes:
        return adjudicate_probes(arguments)
    if arguments.run is None:
        print("webretrieval: adjudicate needs a RUN, or --probes", file=sys.stderr)
        return 2
    try:
        folder = find_folder(arguments.output, arguments.run)
        return _correct(folder, arguments) if arguments.labels else _write_sheet(folder, arguments)
    except FolderError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 2
    except (SheetError, ConfigurationError, OSError) as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1


def _write_sheet(folder: Path, arguments: argparse.Namespace) -> int:
    what = arguments.what
    judge = judge_of(folder, what)
    if judge is None:
        raise SheetError(f"nothing of this kind was judged: webretrieval judge {folder.name} --what {what}")
    every = list(items(folder, what))
    drawn = draw(every, arguments.sample, arguments.seed)
    if not drawn:
        raise SheetError("nothing of this run has a verdict that people could check")
    if arguments.to.exists():
        raise SheetError(f"{arguments.to} is there already; name another with --to")
    key = {
        "schema": "webretrieval.adjudication-key/1",
        "lock": judge,
        "sizes": dict(Counter(item.verdict for item in every if not item.is_open)),
        "open": sum(item.is_open for item in every),
        "verdicts": {item.id: item.verdict for item in drawn},
    }
    writer = Writer(folder)
    writer.write(evidence.key(what), key)
    writer.close()
    arguments.to.write_text(sheet(drawn, what), encoding="utf-8", newline="\n")
    command = f"{evidence.sample_command(arguments.run, what)} --labels {arguments.to}"
    print(f"{arguments.to}: {len(drawn)} items without their verdicts; when it is filled in: {command}")
    return 0


def _correct(folder: Path, arguments: argparse.Namespace) -> int:
    what = arguments.what
    if not (folder / evidence.key(what)).is_file():
        raise SheetError("no such sample was drawn from this run; call adjudicate without --labels")
    key, labelled = read_json(folder / evidence.key(what)), list(read_sheet(arguments.labels, what))
    strange = [item.id for item in labelled if item.id not in key["verdicts"]]
    if strange:
        raise SheetError(f"row {strange[0]} is not of this run's last sample")
    right = SHEETS[what].right
    try:
        found = figures(
            key["sizes"], [(key["verdicts"][row.id], row.label in right) for row in labelled], right
        )
    except ValueError as error:
        raise SheetError(f"{error}; label the whole sheet") from error
    sample = _sample(what, folder.name, key["lock"], found)
    _write_down(folder, sample, labelled)
    kept = keep_sample(history_folder(arguments.history), sample)
    for line in _lines(SHEETS[what].rate, key, found):
        print(line)
    print(f"kept in {kept}; commit it")
    return 0


def _sample(what: str, run: str, lock: str, found: Figures) -> Sample:
    return Sample(
        what=what,
        run=run,
        lock=lock,
        n=found.rate.n,
        rate=found.rate.rate,
        low=found.rate.low,
        high=found.rate.high,
        sensitivity=found.sensitivity,
        positives=found.positives,
        specificity=found.specificity,
        negatives=found.negatives,
        kappa=found.kappa,
    )


def _write_down(folder: Path, sample: Sample, labelled: list[Labelled]) -> None:
    labels = [{"id": item.id, "label": item.label, "reason": item.reason} for item in labelled]
    data = {"schema": "webretrieval.adjudication/1", **to_json(sample), "labels": labels}
    writer = Writer(folder)
    writer.write(evidence.adjudicated(sample.what), data)
    writer.close()


def _lines(name: str, key: Mapping[str, Any], found: Figures) -> Iterator[str]:
    (low, high), rate, other = found.kappa_interval, found.rate, found.rogan_gladen
    yield (
        f"{name:<15}{found.as_judged:.2f} as judged; {rate.rate:.2f} [{rate.low:.2f}, {rate.high:.2f}] "
        f"as people correct it (n = {rate.n} of {sum(key['sizes'].values())})"
    )
    yield (
        f"{'agreement':<15}sensitivity {found.sensitivity:.2f}, specificity {found.specificity:.2f}, "
        f"base rate {rate.rate:.2f}, kappa of the sample {found.kappa:.2f} [{low:.2f}, {high:.2f}]"
    )
    if other is not None:
        yield f"{'Rogan-Gladen':<15}{other.rate:.2f} [{other.low:.2f}, {other.high:.2f}]"
    if key["open"]:
        yield f"{'ungraded':<15}{key['open']} more, of which no verdict says anything"

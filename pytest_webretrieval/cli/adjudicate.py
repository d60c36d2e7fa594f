"""``webretrieval adjudicate``: a blind sample for people, and the rates of a run as their labels correct them."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webretrieval.gates.agreement import agreement
from pytest_webretrieval.gates.correction import Corrected, Stratum, prediction_powered, rogan_gladen
from pytest_webretrieval.judges.evidence import ADJUDICATED, JUDGED, KEY, items, judged_by, page_texts
from pytest_webretrieval.judges.sampling import Labelled, SheetError, draw, read_sheet, sheet
from pytest_webretrieval.records.folder import RESULTS, FolderError, Writer, find_folder, read_json, read_rows
from pytest_webretrieval.settings import DEFAULT_OUTPUT

PROOF_ALONE = "no judge"


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "adjudicate", help="let people judge a blind sample, and correct rates by it"
    )
    parser.add_argument("run", help="a run folder, the end of its name, or latest")
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="where run folders are")
    parser.add_argument("--sample", type=int, default=60, metavar="N", help="about so many claims")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--to", type=Path, default=Path("adjudicate.yaml"), help="the sheet to fill in")
    parser.add_argument("--labels", type=Path, metavar="FILE", help="a sheet that was filled in")
    parser.set_defaults(verb=adjudicate)


def adjudicate(arguments: argparse.Namespace) -> int:
    """0 where the sheet was written or the rates printed, 1 where something is not finished, 2 where no run is."""
    try:
        folder = find_folder(arguments.output, arguments.run)
        return _correct(folder, arguments) if arguments.labels else _write_sheet(folder, arguments)
    except FolderError as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 2
    except (SheetError, OSError) as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 1


def _write_sheet(folder: Path, arguments: argparse.Namespace) -> int:
    judge = judged_by(folder)
    every = list(items(read_rows(folder, JUDGED if judge else RESULTS), page_texts(folder)))
    drawn = draw(every, arguments.sample, arguments.seed)
    if not drawn:
        print("webretrieval: no claim of this run has a verdict that people could check", file=sys.stderr)
        return 1
    if arguments.to.exists():
        print(f"webretrieval: {arguments.to} is there already; name another with --to", file=sys.stderr)
        return 1
    key = {
        "schema": "webretrieval.adjudication-key/1",
        "lock": judge or PROOF_ALONE,
        "sizes": dict(Counter(item.verdict for item in {item.id: item for item in every}.values())),
        "verdicts": {item.id: item.verdict for item in drawn},
    }
    writer = Writer(folder)
    writer.write(KEY, key)
    writer.close()
    arguments.to.write_text(sheet(drawn), encoding="utf-8", newline="\n")
    print(f"{arguments.to}: {len(drawn)} claims without their verdicts; then --labels {arguments.to}")
    return 0


def _correct(folder: Path, arguments: argparse.Namespace) -> int:
    if not (folder / KEY).is_file():
        print(
            "webretrieval: no sample was drawn from this run; call adjudicate without --labels",
            file=sys.stderr,
        )
        return 1
    key, labelled = read_json(folder / KEY), list(read_sheet(arguments.labels))
    strange = [item.id for item in labelled if item.id not in key["verdicts"]]
    if strange:
        print(f"webretrieval: row {strange[0]} is not of this run's last sample", file=sys.stderr)
        return 1
    figures = _figures(key, labelled)
    rate = figures.rate
    confirmed = {
        "lock": key["lock"],
        "n": len(labelled),
        "rate": rate.rate,
        "low": rate.low,
        "high": rate.high,
    }
    writer = Writer(folder)
    labels = [{"id": item.id, "label": item.label, "reason": item.reason} for item in labelled]
    writer.write(ADJUDICATED, {"schema": "webretrieval.adjudication/1", **confirmed, "labels": labels})
    writer.close()
    for line in _lines(key, figures):
        print(line)
    return 0


@dataclass(frozen=True, slots=True)
class Figures:
    """What a labelled sample says of a run: the rate as people correct it, in two ways, and how the verdicts agree."""

    kappa: float
    kappa_interval: tuple[float, float]
    sensitivity: float
    specificity: float
    rate: Corrected
    rogan_gladen: Corrected | None


def _figures(key: dict[str, Any], labelled: list[Labelled]) -> Figures:
    pairs = [(key["verdicts"][item.id], item.label == "full") for item in labelled]
    strata = {
        verdict: Stratum(
            size=size,
            judged=sum(said == verdict for said, _ in pairs),
            right=sum(said == verdict and right for said, right in pairs),
        )
        for verdict, size in key["sizes"].items()
    }
    try:
        rate = prediction_powered(strata)
    except ValueError as error:
        raise SheetError(f"{error}; label the whole sheet") from error
    table = agreement((said == "full", right) for said, right in pairs)
    positives = table.true_accepts + table.false_rejects
    sensitivity, specificity = _by_weight(strata)
    other = rogan_gladen(
        strata["full"].size / sum(stratum.size for stratum in strata.values()) if "full" in strata else 0.0,
        sum(stratum.size for stratum in strata.values()),
        (sensitivity, positives),
        (specificity, table.n - positives),
    )
    return Figures(table.kappa, table.kappa_interval, sensitivity, specificity, rate, other)


def _by_weight(strata: dict[str, Stratum]) -> tuple[float, float]:
    """Sensitivity and specificity in the whole run: each verdict counts by how often it was given, not by how many
    of it people saw. 0 where there is nothing to measure it on."""
    right = {
        name: stratum.size * stratum.right / stratum.judged
        for name, stratum in strata.items()
        if stratum.size
    }
    wrong = {name: strata[name].size - count for name, count in right.items()}
    positives, negatives = sum(right.values()), sum(wrong.values())
    return (
        right.get("full", 0.0) / positives if positives else 0.0,
        1 - wrong.get("full", 0.0) / negatives if negatives else 0.0,
    )


def _lines(key: dict[str, Any], figures: Figures) -> list[str]:
    total, said = sum(key["sizes"].values()), key["sizes"].get("full", 0)
    (low, high), rate, other = figures.kappa_interval, figures.rate, figures.rogan_gladen
    found = [
        f"borne out    {said / total:.2f} as judged; {rate.rate:.2f} [{rate.low:.2f}, {rate.high:.2f}] "
        f"as people correct it (n = {rate.n} of {total})",
        f"agreement    sensitivity {figures.sensitivity:.2f}, specificity {figures.specificity:.2f}, "
        f"base rate {rate.rate:.2f}, kappa of the sample {figures.kappa:.2f} [{low:.2f}, {high:.2f}]",
    ]
    if other is not None:
        found.append(f"Rogan-Gladen {other.rate:.2f} [{other.low:.2f}, {other.high:.2f}]")
    return found

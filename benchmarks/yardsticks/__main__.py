"""Print one line a figure: value, n, interval, bar.

    python -m benchmarks.yardsticks [WORD...]                     # only those whose name has one of the words
    python -m benchmarks.yardsticks support --entailment DIR      # with a local model's curve beside

The data is not part of the project. WEBRETRIEVAL_DATA names its folder; without it, ``shared/data`` beside the project
is tried. A yardstick whose data is absent is skipped with the reason. The status is 1 when a figure is below its bar.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from pytest_webretrieval.judges.asking import JudgeError
from pytest_webretrieval.judges.entailment import load

from . import answers, fields, freshness, pages, publication, ranking, robots, statistics, support
from .measured import Measured

YARDSTICKS: dict[str, Callable[[Path], Iterator[Measured]]] = {
    "freshness": freshness.measure,
    "fields": fields.measure,
    "robots": robots.measure,
    "answers": answers.measure,
    "support": support.measure,
    "publication dates": publication.measure,
    "pages": pages.measure,
    "ranking": ranking.measure,
    "statistics": statistics.measure,
}


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.yardsticks")
    parser.add_argument("wanted", nargs="*", metavar="WORD")
    parser.add_argument("--entailment", type=Path, metavar="DIR")
    arguments = parser.parse_args(words)
    wanted = arguments.wanted
    yardsticks = dict(YARDSTICKS)
    if arguments.entailment:
        try:
            yardsticks["support"] = partial(support.measure, entails=load(arguments.entailment))
        except JudgeError as error:
            parser.error(str(error))
    data = Path(os.environ.get("WEBRETRIEVAL_DATA") or Path(__file__).parents[3] / "shared" / "data")
    below = 0
    for subject, measure in yardsticks.items():
        if wanted and not any(word in subject for word in wanted):
            continue
        try:
            for measured in measure(data):
                print(_line(measured), flush=True)
                below += not measured.holds
        except FileNotFoundError as error:
            name = Path(error.filename or subject).name
            print(f"{subject:<44} skipped: {name} is not here; WEBRETRIEVAL_DATA names its folder")
        except ImportError as error:
            print(f"{subject:<44} skipped: {error.name} is not installed")
    return 1 if below else 0


def _line(measured: Measured) -> str:
    bar = "no bar   " if measured.bar is None else f"bar {measured.bar:<5g}"
    figures = f"{measured.value:.3f}  n {measured.n:<6} [{measured.low:.3f}, {measured.high:.3f}]"
    return f"{measured.name:<44} {figures}  {bar}  {measured.verdict:<9}  {measured.note}".rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

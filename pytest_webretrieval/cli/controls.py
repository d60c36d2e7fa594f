"""``webretrieval controls``: what a corpus gives away, and what its own pages give."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.case import STRATA, CaseError, Corpus
from pytest_webretrieval.cases.data import corpus_path
from pytest_webretrieval.cases.draw import address
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.lanes.own_cases import truths_of
from pytest_webretrieval.records.folder import find_folder, read_rows
from pytest_webretrieval.settings import DEFAULT_CORPUS
from pytest_webretrieval.systems.controls import PAGES

# In the order of the table; a case that one of BLIND passes is out.
CONTROLS = {"query only": "QueryOnly", "no web": "NoWeb", "oracle page": "OraclePage"}
BLIND = ("query only", "no web")
# States of a fact that an answer says, whether a page of the run bears it out or not.
_SAID = ("matched", "not-fetched")


@dataclass(frozen=True, slots=True)
class Seen:
    """What one control came to on one case: ``said`` when its answer holds every fact that is required."""

    case: str
    stratum: str
    as_expected: bool
    said: bool


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "controls", help="run a corpus on systems that see no web, and on one that is given the right page"
    )
    parser.add_argument(
        "corpus", nargs="?", default=DEFAULT_CORPUS, help=f"by name or file ({DEFAULT_CORPUS})"
    )
    parser.add_argument("--seed", type=int, default=0, help="fixture seed (default: 0)")
    parser.set_defaults(verb=controls)


def controls(arguments: argparse.Namespace) -> int:
    """Print a table by stratum, and the cases that need no web: 1 where there are any."""
    corpus = load_corpus(corpus_path(arguments.corpus, Path.cwd()))
    seen = {name: run(name, corpus, arguments.seed) for name in CONTROLS}
    print("\n".join(table(seen)))
    out = leaks(seen)
    print(f"\n{corpus.version}: {_outcome(out)}")
    return 1 if out else 0


def run(control: str, corpus: Corpus, seed: int) -> list[Seen]:
    """One control on every case, in slots. Raises CaseError where the run did not come to its end."""
    with tempfile.TemporaryDirectory(prefix="webretrieval-controls-") as scratch:
        pages = Path(scratch, "pages.json")
        pages.write_text(json.dumps(pages_of(corpus, seed)), encoding="utf-8")
        command = (
            *(sys.executable, "-m", "pytest", "--lane=fixture", "-q", "-p", "no:cacheprovider"),
            *("--webretrieval-corpus", str(corpus.path), "--webretrieval-fixture-seed", str(seed)),
            *("--webretrieval-system", f"pytest_webretrieval.systems.controls:{CONTROLS[control]}"),
            *("--webretrieval-output", scratch),
        )
        ended = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, PAGES: str(pages)}
        )
        if ended.returncode not in (0, 1):
            said = (ended.stderr.strip() or ended.stdout.strip()).splitlines()
            raise CaseError(f"control `{control}`: the run ended with {ended.returncode}: {said[-1:]}")
        return [seen(row) for row in read_rows(find_folder(Path(scratch), "latest"))]


def pages_of(corpus: Corpus, seed: int) -> Mapping[str, Sequence[str]]:
    """The addresses of the pages that answer each question: as many as truth asks for."""
    truths = truths_of(corpus, Path.cwd())
    found = {}
    for case in corpus.cases:
        truth = truths.get(case.id)
        pages = [source for source in truth.allowed_sources if "*" not in source]
        found[case.query] = [address(seed, source) for source in pages[: max(1, truth.min_sources)]]
    return found


def seen(row: Mapping[str, Any]) -> Seen:
    """What a record says of a control."""
    facts = [fact for verdict in row["verdicts"] for fact in verdict["content"]["facts"]]
    return Seen(
        case=row["case"],
        stratum=row["stratum"],
        as_expected=row["label"] == row["expect"],
        said=bool(facts) and all(fact["state"] in _SAID for fact in facts),
    )


def leaks(seen: Mapping[str, Iterable[Seen]]) -> dict[str, list[str]]:
    """By case, the controls without a web that pass it, or that say all of its facts."""
    found: dict[str, list[str]] = {}
    for name in BLIND:
        for one in seen[name]:
            if one.as_expected or one.said:
                found.setdefault(one.case, []).append(name)
    return found


def table(seen: Mapping[str, Sequence[Seen]]) -> Iterator[str]:
    """Lines in Markdown: cases as expected by stratum and control, and whose answers hold all facts in brackets."""
    yield f"| stratum | cases | {' | '.join(seen)} |"
    yield f"| --- | --- | {' | '.join('---' for _ in seen)} |"
    every = [one for some in seen.values() for one in some]
    for stratum in (*STRATA, ""):
        chosen = [[one for one in some if stratum in ("", one.stratum)] for some in seen.values()]
        if any(chosen):
            cells = " | ".join(
                f"{sum(one.as_expected for one in some)} ({sum(one.said for one in some)})" for some in chosen
            )
            count = len({one.case for one in every if stratum in ("", one.stratum)})
            yield f"| {stratum or 'all'} | {count} | {cells} |"


def _outcome(out: Mapping[str, Sequence[str]]) -> str:
    if not out:
        return "no case can be passed without the web"
    named = ", ".join(f"{case} ({', '.join(names)})" for case, names in out.items())
    return f"{len(out)} can be passed without the web and have to go: {named}"

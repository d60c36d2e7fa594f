"""``webretrieval regrade``: judge stored evidence again, without running anything."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.case import Case, CaseError, Corpus
from pytest_webretrieval.cases.data import corpus_path, corpus_paths
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.lanes.live_grounds import LiveGrounds
from pytest_webretrieval.lanes.own_cases import Truths, truths_of
from pytest_webretrieval.records.codec import from_json, to_json
from pytest_webretrieval.records.evidence import load, restored
from pytest_webretrieval.records.folder import (
    FolderError,
    Writer,
    body_reader,
    find_folder,
    read_json,
    read_rows,
)
from pytest_webretrieval.records.record import Key, Record
from pytest_webretrieval.run import judge
from pytest_webretrieval.settings import DEFAULT_OUTPUT, Settings

REGRADED = "regraded.jsonl"


@dataclass(frozen=True, slots=True)
class Questions:
    """A corpus and its truth as they are today."""

    corpus: Corpus
    truths: Truths

    def case(self, name: str) -> Case:
        """The case of that id. Raises CaseError where the corpus has none."""
        for case in self.corpus.cases:
            if case.id == name:
                return case
        raise CaseError(f"{self.corpus.path}: no case {name}; the run was made with another corpus")


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "regrade", help="judge a run's stored evidence again with today's truth and graders"
    )
    parser.add_argument("run", help="a run folder, the end of its name, or latest")
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="where run folders are")
    parser.set_defaults(verb=regrade)


def regrade(arguments: argparse.Namespace) -> int:
    """Print each run whose label or tags differ now; write all to ``regraded.jsonl``.

    0 where nothing differs, 1 where something does."""
    try:
        folder = find_folder(arguments.output, arguments.run)
        before = list(read_rows(folder))
        after = list(_judged_again(folder, before))
    except (FolderError, CaseError) as error:
        print(f"webretrieval: {error}", file=sys.stderr)
        return 2
    writer = Writer(folder)
    writer.write_text(REGRADED, "")
    writer.append(REGRADED, (to_json(record) for record in after))
    writer.close()
    differing = [pair for pair in zip(before, after, strict=True) if _differs(*pair)]
    for old, new in differing:
        print(f"{new.case}  {_told(old['label'], old['tags'])} -> {_told(new.label, new.tags)}  {new.reason}")
    print(f"{len(before) - len(differing)} of {len(before)} as before; all in {folder / REGRADED}")
    return 1 if differing else 0


def _truths(settings: Settings, corpus: Corpus, root: Path) -> Truths:
    """What is right for the corpus in the lane of the run."""
    if settings.live is None:
        return truths_of(corpus, root)
    return LiveGrounds(settings.live, root).truths(corpus)


def _told(label: str, tags: Sequence[str]) -> str:
    return f"{label} [{', '.join(tags)}]"


def _differs(old: dict[str, Any], new: Record) -> bool:
    return bool(old["label"] != new.label or sorted(old["tags"]) != sorted(new.tags))


def _judged_again(folder: Path, rows: list[dict[str, Any]]) -> Iterator[Record]:
    manifest = read_json(folder / "manifest.json")
    settings = from_json(Settings, manifest["configuration"])
    body, root, asked = body_reader(folder), Path.cwd(), dict[str, Questions]()
    named = {path.stem: path for name in settings.corpora for path in corpus_paths(name, root)}
    for row in rows:
        name = row["corpus"]
        if name not in asked:
            corpus = load_corpus(named.get(name) or corpus_path(name, root))
            asked[name] = Questions(corpus, _truths(settings, corpus, root))
        key = from_json(Key, row["key"])
        truth = draw_truth(asked[name].truths.get(row["case"]), key.seed)
        run = load(read_json(folder / row["evidence"] / "evidence.json"))
        steps = list(restored(run, truth, body))
        yield judge(asked[name].case(row["case"]), truth, steps, run, key, settings, row["observed_at"])

"""``webretrieval corpus``: check and lock what is asked."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.data import corpus_path, refuse_the_package_s
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.cases.lock import check_corpus_lock, write_corpus_lock
from pytest_webretrieval.cases.yaml_reader import shown
from pytest_webretrieval.settings import DEFAULT_CORPUS


def add(subparsers: Any) -> None:
    """Add the verbs."""
    group = subparsers.add_parser("corpus", help="check and lock what is asked")
    verbs = group.add_subparsers(title="verbs", metavar="VERB", required=True)

    parser = verbs.add_parser("check", help="verify a corpus and that it is the one that was locked")
    parser.add_argument(
        "corpus", nargs="?", default=DEFAULT_CORPUS, help=f"by name or file ({DEFAULT_CORPUS})"
    )
    parser.set_defaults(verb=check)

    parser = verbs.add_parser("lock", help="lock a corpus: from then on its version means these cases")
    parser.add_argument("corpus", help="by name or file")
    parser.set_defaults(verb=lock)


def check(arguments: argparse.Namespace) -> int:
    """Print one line: how many cases in which strata, the identity, whether it is locked."""
    corpus = load_corpus(corpus_path(arguments.corpus, Path.cwd()))
    state = check_corpus_lock(corpus)
    strata = Counter(case.stratum for case in corpus.cases)
    counts = ", ".join(f"{name} {count}" for name, count in strata.items())
    print(f"{corpus.version}: {len(corpus.cases)} cases ({counts}), identity {corpus.identity[:12]}, {state}")
    return 0


def lock(arguments: argparse.Namespace) -> int:
    """Lock a corpus under its version; a version that is locked to other cases stays as it is."""
    corpus = load_corpus(corpus_path(arguments.corpus, Path.cwd()))
    refuse_the_package_s(corpus.path, Path.cwd(), "copy it to corpus/ under a version of your own")
    path = write_corpus_lock(corpus)
    print(f"{shown(path)}: {corpus.version} is locked to {len(corpus.cases)} cases, {corpus.identity[:12]}")
    return 0

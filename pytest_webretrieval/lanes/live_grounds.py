"""What a live run stands on: for each corpus its targets on the real web, and what is right there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pytest_webretrieval.cases.case import Case, Corpus
from pytest_webretrieval.cases.data import live_truth, targets_path
from pytest_webretrieval.cases.store import TruthStore
from pytest_webretrieval.cases.targets import Target, load_targets
from pytest_webretrieval.configuration import LiveConfiguration
from pytest_webretrieval.keyshapes import SHORTEST_SECRET

from .cost import estimate, refusal, together
from .own_cases import Truths
from .planned import Planned, plan


class LiveGrounds:
    """Read at first use, and once. Every method raises CaseError for files that cannot be used."""

    def __init__(self, configuration: LiveConfiguration, root: Path) -> None:
        self.configuration = configuration
        self._root = root
        self._truths: dict[str, Truths] = {}
        self._targets: dict[str, Mapping[str, Target]] = {}
        self._plans: dict[str, Mapping[str, Planned]] = {}

    def truths(self, corpus: Corpus) -> Truths:
        """What is right on the real web."""
        if corpus.version not in self._truths:
            self._truths[corpus.version] = TruthStore(live_truth(corpus.version, self._root))
        return self._truths[corpus.version]

    def targets(self, corpus: Corpus) -> Mapping[str, Target]:
        """Where the cases of a corpus go, by case id."""
        if corpus.version not in self._targets:
            path = targets_path(corpus.version, self.configuration.targets, self._root)
            self._targets[corpus.version] = load_targets(path, corpus)
        return self._targets[corpus.version]

    def planned(self, corpus: Corpus, case: Case) -> Planned:
        """Where a case goes, or why it does not."""
        if corpus.version not in self._plans:
            all_of_it = plan(corpus.cases, self.truths(corpus), self.targets(corpus), self.configuration)
            self._plans[corpus.version] = {one.case.id: one for one in all_of_it}
        return self._plans[corpus.version][case.id]

    def too_dear(self, asked: Sequence[tuple[Corpus, Sequence[Case]]], trials: int) -> str | None:
        """Why these cases may not be run so often without the cost being approved; None where they may."""
        return refusal(
            together(
                [
                    estimate(cases, self.truths(corpus), self.targets(corpus), self.configuration, trials)
                    for corpus, cases in asked
                ]
            ),
            self.configuration,
        )


def unready(configuration: LiveConfiguration, environ: Mapping[str, str]) -> tuple[str, ...]:
    """What keeps a live run from beginning, a line each: channels and variables that are missing, and secrets that
    could not be kept out of what is written. No value is told."""
    return (*configuration.missing(environ), *_unsafe(configuration, environ))


def _unsafe(configuration: LiveConfiguration, environ: Mapping[str, str]) -> Iterator[str]:
    file = configuration.path
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    for name in dict.fromkeys(configuration.variables()):
        value = environ.get(name, "")
        if 0 < len(value) < SHORTEST_SECRET:
            yield (
                f"{name} holds fewer than {SHORTEST_SECRET} characters ({file.name}): so short a secret cannot be told "
                "from ordinary text, nor be kept out of what is written; use a longer one"
            )
        elif found := next((number for number, line in enumerate(lines, 1) if value and value in line), None):
            yield f"{file.name}:{found}: what {name} holds stands here (not shown); take it out of the file"

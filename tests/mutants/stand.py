"""Where the matrix runs: one world, a carrier for each system, a slot for its cases.

Beside the corpus there are cases of the matrix's own (``world/``), for what no case of the corpus meets.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fixture_server.client import World
from fixture_server.sites import BUILT_IN
from pytest_webretrieval.cases.case import Corpus
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.lanes.stage import Stage
from pytest_webretrieval.records.record import Key, Record
from pytest_webretrieval.run import run_case
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.browser import Browser, find_browser
from pytest_webretrieval.slots.carrier import open_carrier
from pytest_webretrieval.slots.slot import Slot

ROOT = Path(__file__).parents[2]
CORPUS = "web-retrieval-v1"
OWN = Path(__file__).parent / "world"
CORPORA = {ROOT / "corpus" / f"{CORPUS}.yaml": ROOT / "truth" / CORPUS, OWN / "corpus.yaml": OWN / "truth"}
AT_ONCE = 3
SEED = 0

Change = Callable[[Truth], Truth]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One case for one system; ``change`` is what is done to its truth before it is drawn."""

    case: str
    change: Change | None = None


class Stand:
    """Made by ``opened``. Systems wait for their turn: at most AT_ONCE are up."""

    def __init__(self, world: World, corpora: Mapping[Corpus, TruthStore], browser: Browser | None) -> None:
        self._world, self._browser = world, browser
        self._cases = {case.id: (case, corpus) for corpus in corpora for case in corpus.cases}
        self._truths = corpora
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._count = 0

    async def records(self, system: str, asks: Sequence[Ask]) -> list[Record]:
        """What each case came to, in order."""
        settings = Settings(lane="fixture", system=system, fixture_seed=SEED, slots=1)
        async with self._turn:
            self._count += 1
            async with self._slot(system, f"row-{self._count}") as slot:
                return [await self._record(slot, ask, settings) for ask in asks]

    @contextlib.asynccontextmanager
    async def _slot(self, system: str, name: str) -> AsyncIterator[Slot]:
        """A slot for one system, which is imported where the world answers it."""
        async with contextlib.AsyncExitStack() as ends:
            carrier = await open_carrier(
                system, ca_pem=self._world.ca_pem, isolation="run", folder=ROOT, browser=self._browser
            )
            ends.push_async_callback(carrier.close)
            await self._world.open_slot(f"{name}-import", carrier.import_doors)
            ends.push_async_callback(self._world.close_slot, f"{name}-import")
            await carrier.imported()
            slot = await carrier.open_slot(name)
            await self._world.open_slot(name, slot.doors)
            ends.push_async_callback(self._world.close_slot, name)
            yield slot

    async def _record(self, slot: Slot, ask: Ask, settings: Settings) -> Record:
        case, corpus = self._cases[ask.case]
        truth = self._truths[corpus].get(case.id)
        drawn = draw_truth(ask.change(truth) if ask.change else truth, SEED)
        stage = Stage(slot, self._world, case, drawn, SEED, self._browser)
        key = Key(
            corpus_identity=corpus.identity,
            case=case.id,
            system=settings.fingerprint(),
            engine=None,
            seed=SEED,
            trial=0,
            test="matrix",
        )
        return (await run_case(case, drawn, stage, key, settings)).record


@contextlib.asynccontextmanager
async def opened() -> AsyncIterator[Stand]:
    """A stand with its own world, and the browser of this machine if there is one."""
    corpora = {load_corpus(path): TruthStore(truth) for path, truth in CORPORA.items()}
    browser = find_browser(None)
    with tempfile.TemporaryDirectory(prefix="webretrieval-matrix-") as scratch:
        world = await World.start(Path(scratch), truths=list(CORPORA.values()), sites=[BUILT_IN, OWN])
        try:
            await world.ready()
            yield Stand(world, corpora, browser)
        finally:
            await world.close()


def with_deadline(truth: Truth, seconds: float) -> Truth:
    """The truth with another deadline for every step."""
    return replace(truth, steps=tuple(replace(step, deadline_s=seconds) for step in truth.steps))

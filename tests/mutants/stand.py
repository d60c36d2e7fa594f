"""Where the matrix runs: one world, a carrier for each system, a slot for its cases."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fixture_server.client import World
from pytest_webretrieval.cases.case import Case, Corpus
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.lanes.stage import Stage
from pytest_webretrieval.records.record import Key, Record
from pytest_webretrieval.run import run_case
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.carrier import open_carrier
from pytest_webretrieval.slots.slot import Slot

ROOT = Path(__file__).parents[2]
CORPUS = "web-retrieval-v1"
AT_ONCE = 2
SEED = 0

Change = Callable[[Truth], Truth]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One case for one system; ``change`` is what is done to its truth before it is drawn."""

    case: str
    change: Change | None = None


class Stand:
    """Made by ``opened``. Systems wait for their turn: at most AT_ONCE are up."""

    def __init__(self, world: World, corpus: Corpus) -> None:
        self._world = world
        self._cases = {case.id: case for case in corpus.cases}
        self._identity = corpus.identity
        self._truths = TruthStore(ROOT / "truth" / CORPUS)
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
            carrier = await open_carrier(system, ca_pem=self._world.ca_pem, isolation="run", folder=ROOT)
            ends.push_async_callback(carrier.close)
            await self._world.open_slot(f"{name}-import", carrier.import_doors)
            ends.push_async_callback(self._world.close_slot, f"{name}-import")
            await carrier.imported()
            slot = await carrier.open_slot(name)
            await self._world.open_slot(name, slot.doors)
            ends.push_async_callback(self._world.close_slot, name)
            yield slot

    async def _record(self, slot: Slot, ask: Ask, settings: Settings) -> Record:
        case: Case = self._cases[ask.case]
        truth = self._truths.get(case.id)
        drawn = draw_truth(ask.change(truth) if ask.change else truth, SEED)
        stage = Stage(slot, self._world, case, drawn, SEED)
        key = Key(
            corpus_identity=self._identity,
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
    """A stand with its own world."""
    corpus = load_corpus(ROOT / "corpus" / f"{CORPUS}.yaml")
    with tempfile.TemporaryDirectory(prefix="webretrieval-matrix-") as scratch:
        world = await World.start(Path(scratch), truths=[ROOT / "truth" / CORPUS])
        try:
            await world.ready()
            yield Stand(world, corpus)
        finally:
            await world.close()


def with_deadline(truth: Truth, seconds: float) -> Truth:
    """The truth with another deadline for every step."""
    return replace(truth, steps=tuple(replace(step, deadline_s=seconds) for step in truth.steps))

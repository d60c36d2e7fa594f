"""Where the matrix runs: one world, a slot for each row, and few carriers.

Beside the corpora there are cases of the matrix's own (``world/``), for what no case of theirs meets.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fixture_server.client import World
from pytest_webretrieval.cases.case import Corpus
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.lanes.grounds import sites_for
from pytest_webretrieval.lanes.stage import Stage
from pytest_webretrieval.records.record import Key, Record
from pytest_webretrieval.run import run_case
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.browser import Browser, find_browser
from pytest_webretrieval.slots.carrier import Carrier, open_carrier
from pytest_webretrieval.slots.environment import offline
from pytest_webretrieval.slots.slot import Slot

from .troupe import PART, SPEC

ROOT = Path(__file__).parents[2]
NAMES = ("web-retrieval-v1", "web-retrieval-faults-v1", "web-hostile-v1")
OWN = Path(__file__).parent / "world"
CORPORA = {
    **{ROOT / "corpus" / f"{name}.yaml": ROOT / "truth" / name for name in NAMES},
    OWN / "corpus.yaml": OWN / "truth",
}
AT_ONCE = 4
SEED = 0

Change = Callable[[Truth], Truth]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One case for one system; ``change`` is what is done to its truth before it is drawn."""

    case: str
    change: Change | None = None


class Stand:
    """Made by ``opened``. Systems wait for their turn: at most AT_ONCE are up."""

    def __init__(
        self,
        world: World,
        corpora: Sequence[tuple[Corpus, TruthStore]],
        browser: Browser | None,
        scratch: Path,
    ) -> None:
        self._world, self._browser, self._scratch = world, browser, scratch
        self._cases = {case.id: (case, corpus, truths) for corpus, truths in corpora for case in corpus.cases}
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._free: list[tuple[Carrier, Path]] = []
        self._ends = contextlib.AsyncExitStack()
        self._count = 0

    async def records(self, system: str, asks: Sequence[Ask]) -> list[Record]:
        """What each case came to, in order."""
        settings = Settings(lane="fixture", system=system, fixture_seed=SEED, slots=1)
        async with self._turn, self._slot(system) as slot:
            return [await self._record(slot, ask, settings) for ask in asks]

    @contextlib.asynccontextmanager
    async def _slot(self, system: str) -> AsyncIterator[Slot]:
        """A slot for one system. Those that are classes share a carrier, one after another; every other has its own."""
        async with contextlib.AsyncExitStack() as ends:
            if is_class(system):
                carrier, part = self._free.pop() if self._free else await self._new_troupe()
                ends.callback(self._free.append, (carrier, part))
                part.write_text(system, encoding="utf-8")
            else:
                carrier = await self._carrier(system)
                ends.push_async_callback(carrier.close)
            name = self._next("row")
            slot = await carrier.open_slot(name)
            ends.push_async_callback(slot.close)
            await self._world.open_slot(name, slot.doors)
            ends.push_async_callback(self._world.close_slot, name)
            yield slot

    async def _new_troupe(self) -> tuple[Carrier, Path]:
        part = self._scratch / self._next("part")
        carrier = await self._carrier(SPEC, {PART: str(part)})
        self._ends.push_async_callback(carrier.close)
        return carrier, part

    async def _carrier(self, system: str, more: Mapping[str, str] | None = None) -> Carrier:
        """A carrier whose system is imported where the world answers it."""
        carrier = await open_carrier(
            system,
            ca_pem=self._world.ca_pem,
            isolation="run",
            folder=ROOT,
            environment={**offline(os.environ), **(more or {})},
            browser=self._browser,
        )
        name = self._next("import")
        await self._world.open_slot(name, carrier.import_doors)
        await carrier.imported()
        await self._world.close_slot(name)
        return carrier

    def _next(self, what: str) -> str:
        self._count += 1
        return f"{what}-{self._count}"

    async def close(self) -> None:
        """End the carriers that are shared."""
        await self._ends.aclose()

    async def _record(self, slot: Slot, ask: Ask, settings: Settings) -> Record:
        case, corpus, truths = self._cases[ask.case]
        truth = truths.get(case.id)
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
    corpora = [(load_corpus(path), TruthStore(truth)) for path, truth in CORPORA.items()]
    browser = find_browser(None)
    with tempfile.TemporaryDirectory(prefix="webretrieval-matrix-") as scratch:
        sites = [*sites_for(CORPORA.values()), OWN]
        world = await World.start(Path(scratch), truths=list(CORPORA.values()), sites=sites)
        try:
            await world.ready()
            stand = Stand(world, corpora, browser, Path(scratch))
            try:
                yield stand
            finally:
                await stand.close()
        finally:
            await world.close()


def is_class(system: str) -> bool:
    """Whether a way in names a class of these tests."""
    module, _, name = system.partition(":")
    return module.startswith("tests.") and name[:1].isupper()


def with_deadline(truth: Truth, seconds: float) -> Truth:
    """The truth with another deadline for every step."""
    return replace(truth, steps=tuple(replace(step, deadline_s=seconds) for step in truth.steps))

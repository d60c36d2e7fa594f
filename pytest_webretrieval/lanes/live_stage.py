"""The stage on the real web: a target in the place of a scene, and what the harness sees there for itself."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from fixture_server.client import World
from fixture_server.replies import SceneView
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.live import terms_of
from pytest_webretrieval.cases.targets import Target
from pytest_webretrieval.cases.truth import Step, Truth
from pytest_webretrieval.configuration import Account as TestAccount
from pytest_webretrieval.configuration import LiveConfiguration
from pytest_webretrieval.grade.evidence import METADATA, WIRE
from pytest_webretrieval.grade.probing import (
    Suspicion,
    failed_providers,
    suspect_provider,
    suspect_target,
    was_provoked,
)
from pytest_webretrieval.slots.browser import Browser
from pytest_webretrieval.slots.slot import RunEnd
from pytest_webretrieval.systems.contract import Credential, Task, Testimony, User
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Attempt, Trace
from pytest_webretrieval.wire.cleaning import EVERYWHERE, Cleaner
from pytest_webretrieval.wire.recording import Account

from .onlooker import Onlooker
from .planned import hosts_of
from .stage import Beside, Doubt, Runs, late
from .task import task_for

MOST_PAGES = 32


class LiveStage:
    """A slot whose doors lead to the real web, as one case meets it. ``witness`` says what the evidence is: the
    wire's, REPORTED where the system runs elsewhere, METADATA where its connections are passed on unopened."""

    def __init__(
        self,
        slot: Runs,
        world: World,
        case: Case,
        truth: Truth,
        target: Target,
        configuration: LiveConfiguration,
        browser: Browser | None = None,
        *,
        trial: int = 0,
        witness: str = WIRE,
    ) -> None:
        self.case, self.truth = case, truth
        self.witness = METADATA if witness == WIRE and target.splice else witness
        self._slot, self._world, self._target, self._configuration = slot, world, target, configuration
        self._browser, self._trial = browser, trial
        self._attempts: list[Attempt] = []
        self._onlooker = Onlooker(world, slot.name, configuration.user_agent)
        self._disallowed: tuple[str, ...] = ()
        self.scene = SceneView(start_urls=target.start_urls, cheapest="browser", states=())
        self.began_at = 0.0
        # Nothing here is the world's own, so whatever looks like a secret is taken out.
        self.cleaner = Cleaner(EVERYWHERE)

    async def open(self) -> None:
        """Counters, archive and times begin anew, at ``began_at`` (Unix time)."""
        self.began_at = time.time()
        account = self._account()
        users = {} if account is None else {account.name: [_held(account)]}
        self.scene = await self._world.begin(
            self._slot.name,
            seed=0,
            scene=f"live/{self.case.id}",
            case=f"{self.case.corpus}::{self.case.id}",
            trial=self._trial,
            target={
                "start_urls": list(self._target.start_urls),
                "users": users,
                "splice": list(hosts_of(self._target)) if self._target.splice else [],
            },
        )

    async def forbidden(self) -> Suspicion | None:
        """Why the system may not be sent to its target; None where it may."""
        for url in dict.fromkeys((*self._target.start_urls, self._target.probe.url)):
            if (refused := await self._onlooker.refused(url)) is not None:
                return suspect_target(refused, self._target.probe, ())
        return None

    async def ask(self, number: int, step: Step) -> Testimony:
        """Put one step's task to the system."""
        account = self._account()
        await self._world.step(self._slot.name, number + 1, "initial", account.name if account else None)
        task: Task = task_for(
            self.case,
            self.truth,
            step,
            self._target.start_urls,
            None if account is None else _user(account),
            self._browser,
            self._dialects(),
            self._world.model,
            user_agent=self._configuration.user_agent,
        )
        return await self._slot.ask(task, step.deadline_s)

    async def evidence(self) -> tuple[Trace, Archive]:
        """What the wire saw and carried since it was last asked, without secrets."""
        trace, archive = self.cleaner.cleaned(*await self._world.drain(self._slot.name))
        self._attempts += trace.attempts
        return trace, archive

    async def end(self) -> tuple[RunEnd, Trace]:
        """End the run: whatever it started is gone afterwards. What came after the last answer is ``late``."""
        ended = await self._slot.end()
        trace, _ = await self.evidence()
        return ended, late(trace)

    async def keep(self, cited: Sequence[str]) -> tuple[Account, Trace, Archive]:
        """Fetch each ``cited`` page again, and the rules of the sites that the system read."""
        for url in list(dict.fromkeys(cited))[:MOST_PAGES]:
            await self._onlooker.look(url)
        self._disallowed = await self._onlooker.disallowed(self._attempts)
        return Account(), *await self._seen()

    async def doubt(self) -> Doubt | None:
        """Why a run that failed says nothing of the system, with what showed it; None where it says what it says."""
        suspicion = await self._suspicion()
        trace, archive = await self._seen()
        if suspicion is None and not trace.attempts:
            return None
        return Doubt(suspicion=suspicion, trace=trace, archive=archive)

    def beside(self) -> Beside:
        """What the record says of where the run took place."""
        return Beside(
            region=self._configuration.region,
            target=self._target.start_urls[0] if self._target.start_urls else self._target.probe.url,
            terms=terms_of(self._target, self.truth),
            disallowed=self._disallowed,
        )

    async def _suspicion(self) -> Suspicion | None:
        for host in failed_providers(self._attempts):
            if found := suspect_provider(host, await self._onlooker.sample(host)):
                return found
        probe = self._target.probe
        seen = await self._onlooker.patiently(probe.url)
        if was_provoked(seen, self._attempts):
            return None
        return suspect_target(seen, probe, self.truth.facts)

    async def _seen(self) -> tuple[Trace, Archive]:
        return self.cleaner.cleaned(*await self._world.drain(self._slot.name))

    def _account(self) -> TestAccount | None:
        name = self._target.account
        return None if name is None else self._configuration.account(name)

    def _dialects(self) -> dict[str, dict[str, dict[str, str]]]:
        """The providers that are configured, each with the variable that holds its key."""
        found: dict[str, dict[str, dict[str, str]]] = {}
        for channel in self._configuration.channels:
            facts = self._world.dialects().get(channel.id, {}).get(channel.provider or "")
            if facts is not None and channel.provider is not None:
                key = {"api_key_env": channel.key_env} if channel.key_env else {}
                found[channel.id] = {channel.provider: {**facts, **key}}
        return found


def _held(account: TestAccount) -> dict[str, str | None]:
    """An account's credential as the world takes it, by which it tells whose a request is."""
    return {
        "kind": account.kind,
        "name": account.credential_name,
        "url": account.url,
        "value": os.environ.get(account.value_env, ""),
    }


def _user(account: TestAccount) -> User:
    held = Credential(
        kind=account.kind, name=account.credential_name, url=account.url, value_env=account.value_env
    )
    return User(name=account.name, credentials=(held,))

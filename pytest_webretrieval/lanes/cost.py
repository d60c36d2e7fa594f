"""What a live run may cost, by the prices of the configuration and the budgets of truth, before anything is paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.targets import Target
from pytest_webretrieval.cases.yaml_reader import shown
from pytest_webretrieval.configuration import Channel, LiveConfiguration

from .own_cases import Truths
from .planned import plan

# Nobody is paid for these where no price stands beside them: they go out from this machine.
_FREE = ("direct-fetch", "browser")
# How often it is asked no budget says, so that a price of a request bounds nothing.
_MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """``usd`` is what the cases may cost at most if each keeps its budget; None where a price or a budget is unknown.
    ``known_usd`` is what the known ones come to. ``lines`` say how, a line a part of the sum."""

    usd: float | None
    known_usd: float
    lines: tuple[str, ...]


def estimate(
    cases: Iterable[Case],
    truths: Truths,
    targets: Mapping[str, Target],
    configuration: LiveConfiguration,
    trials: int = 1,
) -> Estimate:
    """Of the cases that would run: all the requests that they may send at the dearest price that one may have, for any
    case may search; and each channel's price a case. All that as often as a case is tried."""
    running = [one.case for one in plan(cases, truths, targets, configuration) if one.why is None]
    parts = tuple(_parts(running, truths, configuration, trials)) if running else ()
    known = sum(usd for usd, _ in parts if usd is not None)
    return Estimate(
        usd=None if any(usd is None for usd, _ in parts) else known,
        known_usd=known,
        lines=tuple(line for _, line in parts),
    )


def together(estimates: Sequence[Estimate]) -> Estimate:
    """What several corpora may cost in one run."""
    known = [one.usd for one in estimates if one.usd is not None]
    return Estimate(
        usd=sum(known) if len(known) == len(estimates) else None,
        known_usd=sum(one.known_usd for one in estimates),
        lines=tuple(line for one in estimates for line in one.lines),
    )


def refusal(estimated: Estimate, configuration: LiveConfiguration) -> str | None:
    """Why nothing may start unless the cost is approved; None where it stays within ``max_cost_usd``."""
    most = configuration.max_cost_usd
    limit = f"max_cost_usd is {most:g} ({shown(configuration.path)})"
    if estimated.known_usd > most:
        least = "at least " if estimated.usd is None else ""
        return f"the run may cost {least}{estimated.known_usd:.2f} USD, and {limit}"
    if estimated.usd is None:
        return f"nobody can tell what the run may cost, for a price or a budget is not known, and {limit}"
    return None


def _parts(
    cases: Sequence[Case], truths: Truths, configuration: LiveConfiguration, trials: int
) -> Iterator[tuple[float | None, str]]:
    """USD and what they are for; None where they are not known."""
    tried = "" if trials == 1 else f" x {trials} trials"
    count = f"{len(cases)} case{'' if len(cases) == 1 else 's'}{tried}"
    yield from _requests(cases, truths, configuration, trials, count)
    for channel in configuration.channels:
        if channel.usd_per_case is not None:
            usd = channel.usd_per_case * len(cases) * trials
            yield usd, f"{channel.id}: {usd:.2f} USD ({channel.usd_per_case:g} a case x {count})"
        elif channel.id == _MODEL:
            yield None, f"{_MODEL}: n/a ({count}, and no price of a case is known: write usd_per_case)"
        elif channel.usd_per_request is None and channel.id not in _FREE:
            wanted = "write usd_per_request or usd_per_case, 0 where it is free"
            yield None, f"{channel.id}: n/a ({count}, and no price is known: {wanted})"


def _requests(
    cases: Sequence[Case], truths: Truths, configuration: LiveConfiguration, trials: int, count: str
) -> Iterator[tuple[float | None, str]]:
    """What all requests may cost together; nothing where none has a price."""
    priced = [
        channel for channel in configuration.channels if channel.id != _MODEL and channel.usd_per_request
    ]
    if not priced:
        return
    dearest = max(priced, key=_price)
    caps = {case.id: _cap(truths.get(case.id).max_budget.requests, configuration) for case in cases}
    endless = [case_id for case_id, cap in caps.items() if cap is None]
    if endless:
        yield None, f"requests: n/a (no budget of requests, nor max_requests: {', '.join(endless)})"
        return
    most = sum(cap for cap in caps.values() if cap is not None)
    usd = _price(dearest) * most * trials
    how = f"{_price(dearest):g}, the price of {dearest.id}, x {most} requests of {count}"
    yield usd, f"requests: {usd:.2f} USD ({how})"


def _cap(budget: int | None, configuration: LiveConfiguration) -> int | None:
    """The most requests of one run of a case."""
    return min((most for most in (budget, configuration.max_requests) if most is not None), default=None)


def _price(channel: Channel) -> float:
    return channel.usd_per_request or 0.0

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """``usd`` is what one pass over the cases may cost if each spends its budget; None where a price or a budget is
    unknown. ``known_usd`` is what the known ones come to. ``lines`` say how, a line a channel."""

    usd: float | None
    known_usd: float
    lines: tuple[str, ...]


def estimate(
    cases: Iterable[Case], truths: Truths, targets: Mapping[str, Target], configuration: LiveConfiguration
) -> Estimate:
    """For each paid channel: its price a request x the requests that the cases of the channel may send, and its price a
    case x the cases; a model's over all cases. Only cases that would run count."""
    running = [one.case for one in plan(cases, truths, targets, configuration) if one.why is None]
    parts = tuple(_parts(running, truths, configuration))
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
    cases: Sequence[Case], truths: Truths, configuration: LiveConfiguration
) -> Iterator[tuple[float | None, str]]:
    for channel in configuration.channels:
        its = [case for case in cases if channel.id in (case.live_channel, "model")]
        if not its:
            continue
        usd, how = _cost(channel, its, truths)
        said = "n/a" if usd is None else f"{usd:.2f} USD"
        yield usd, f"{channel.id}: {said} ({how})"


def _cost(channel: Channel, cases: Sequence[Case], truths: Truths) -> tuple[float | None, str]:
    """USD and how they come about; None where a price or a budget is unknown."""
    count = f"{len(cases)} case{'' if len(cases) == 1 else 's'}"
    if channel.usd_per_request is None and channel.usd_per_case is None:
        if channel.id in _FREE:
            return 0.0, f"{count}, no price: this machine's own"
        return (
            None,
            f"{count}, and no price is known: write usd_per_request or usd_per_case, 0 where it is free",
        )
    usd, how = 0.0, []
    if channel.usd_per_case is not None:
        usd += channel.usd_per_case * len(cases)
        how.append(f"{channel.usd_per_case:g} x {count}")
    if channel.usd_per_request is not None:
        budgets = {case.id: truths.get(case.id).max_budget.requests for case in cases}
        endless = [case_id for case_id, requests in budgets.items() if requests is None]
        if endless:
            return None, f"no budget of requests: {', '.join(endless)}"
        requests = sum(requests for requests in budgets.values() if requests is not None)
        usd += channel.usd_per_request * requests
        how.append(f"{channel.usd_per_request:g} x {requests} requests of {count}")
    return usd, " + ".join(how)

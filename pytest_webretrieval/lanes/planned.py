"""Which cases meet the real web, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.paraphrases import first_of
from pytest_webretrieval.cases.targets import Target
from pytest_webretrieval.cases.yaml_reader import shown
from pytest_webretrieval.configuration import LiveConfiguration
from pytest_webretrieval.outward import Web

from .own_cases import Truths, draft_reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A case and where it goes; ``why`` says why it is skipped (None: it runs, and there is a target)."""

    case: Case
    target: Target | None
    why: str | None


def plan(
    cases: Iterable[Case], truths: Truths, targets: Mapping[str, Target], configuration: LiveConfiguration
) -> tuple[Planned, ...]:
    """All cases in their order."""
    cases = tuple(cases)
    without = {case.id for case in truths.missing(cases)}
    found = ((case, targets.get(first_of(case.id))) for case in cases)
    return tuple(
        Planned(case=case, target=target, why=_why(case, target, case.id in without, configuration))
        for case, target in found
    )


def hosts_of(target: Target) -> tuple[str, ...]:
    """The hosts that a target names, each once: where the system begins, and where the harness looks."""
    urls = (*target.start_urls, target.probe.url)
    return tuple(dict.fromkeys(urlsplit(url).hostname or "" for url in urls))


def _why(
    case: Case, target: Target | None, lacks_truth: bool, configuration: LiveConfiguration
) -> str | None:
    if target is None:
        return draft_reason(case) or "no live target"
    where = f"{shown(target.where.path)}:{target.where.line}"
    if lacks_truth:
        return f"no live truth for its target ({where})"
    if configuration.channel(case.live_channel) is None:
        return f"channel {case.live_channel} is not configured in {shown(configuration.path)}"
    if target.account is not None and configuration.account(target.account) is None:
        return f"account {target.account} of its target ({where}) is not configured in {shown(configuration.path)}"
    web = Web(allow=configuration.allow, deny=configuration.deny)
    for host in hosts_of(target):
        if not web.admits(host):
            return f"{shown(configuration.path)} does not let {host} through ([live.hosts])"
    return draft_reason(case)

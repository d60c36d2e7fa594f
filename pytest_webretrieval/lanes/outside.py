"""What the world is told of all that lies outside it: the model, the gateway, and in the live lane the real web."""

from __future__ import annotations

from pathlib import Path

from pytest_webretrieval.cases.providers import API_CHANNELS, MODEL_HOSTS
from pytest_webretrieval.configured import Channel, LiveConfiguration
from pytest_webretrieval.outward import Outward, Web
from pytest_webretrieval.settings import Settings


def outward_of(settings: Settings, root: Path) -> Outward:
    """What the world gets of ``settings``; ``root`` is where relative folders begin."""
    return Outward(
        model=settings.model,
        skill=settings.model_skill,
        gateway=settings.gateway,
        record=settings.record,
        cassettes=str(root / settings.cassettes),
        max_cost_usd=settings.max_cost_usd,
        purse="" if settings.purse is None else str(settings.purse),
        toxiproxy=settings.toxiproxy,
        web=None if settings.live is None else _web_of(settings.live),
    )


def _web_of(live: LiveConfiguration) -> Web:
    """What the world is told of the real web."""
    prices = {
        _priced_as(channel): channel.usd_per_request
        for channel in live.channels
        if channel.usd_per_request is not None
    }
    return Web(
        allow=live.allow,
        deny=live.deny,
        user_agent=live.user_agent,
        models=_model_hosts(live.channel("model")),
        prices=prices,
        max_requests=live.max_requests,
    )


def _priced_as(channel: Channel) -> str:
    """A channel as prices name it: who is asked tells an API, for the rest nobody in particular is."""
    return f"{channel.id}:{channel.provider}" if channel.id in API_CHANNELS else channel.id


def _model_hosts(channel: Channel | None) -> tuple[str, ...]:
    """Where the configured model answers: its provider's hosts, and without a provider everybody's."""
    if channel is None:
        return ()
    if channel.provider is not None:
        return MODEL_HOSTS[channel.provider]
    return tuple(host for hosts in MODEL_HOSTS.values() for host in hosts)

"""Which carrier makes the slots: namespaces where they can be made, else the proxy."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.available import namespaces_refused
from pytest_webretrieval.slots.browser import Browser
from pytest_webretrieval.slots.carrier import Carrier, open_carrier
from pytest_webretrieval.slots.environment import offline, online
from pytest_webretrieval.slots.model_keys import keys_for
from pytest_webretrieval.slots.proxy import ProxyCarrier, ProxySlot, open_proxy_carrier
from pytest_webretrieval.slots.slot import Slot
from pytest_webretrieval.systems.ways import ServeWay, parse

AUTO, NAMESPACE, PROXY = "auto", "namespace", "proxy"
BEYOND_PROXY = "the proxy carrier cannot give a browser, and nothing cheaper shows what the case asks for"
AnyCarrier = Carrier | ProxyCarrier
AnySlot = Slot | ProxySlot


@dataclass(frozen=True, slots=True)
class Choice:
    """``name`` is NAMESPACE or PROXY; ``notice`` says why it is not the one that ``auto`` prefers."""

    name: str
    notice: str | None = None


def choose(asked: str) -> Choice:
    """What ``--webretrieval-carrier`` comes to on this machine."""
    if asked != AUTO:
        return Choice(asked)
    refused = namespaces_refused()
    return Choice(NAMESPACE) if refused is None else Choice(PROXY, refused)


def room(settings: Settings) -> int:
    """How many slots there can be: where they share the machine's loopback, one for a server with a port of its own
    choice. Raises SystemUnusable."""
    if settings.carrier != PROXY:
        return settings.slots
    way = parse(settings.system)
    return 1 if isinstance(way, ServeWay) and not way.has_own_port else settings.slots


async def open_any(settings: Settings, ca_pem: bytes, root: Path, browser: Browser | None) -> AnyCarrier:
    """The carrier that the settings ask for; ``root`` is where the user's modules are looked for, ``browser`` what
    clients in a namespace shall find (by a proxy none does). Raises NoCarrier."""
    system, isolation, allow = settings.system, settings.isolation, settings.allow
    environment = online(os.environ) if settings.live else offline(os.environ, real_keys(settings))
    if settings.carrier == PROXY:
        return await open_proxy_carrier(
            system, ca_pem=ca_pem, isolation=isolation, folder=root, allow=allow, environment=environment
        )
    return await open_carrier(
        system,
        ca_pem=ca_pem,
        isolation=isolation,
        folder=root,
        allow=allow,
        browser=browser,
        environment=environment,
    )


def real_keys(settings: Settings) -> frozenset[str]:
    """The variables that hold a system's real keys: those for the models that it may ask outside."""
    listed = (entry.partition("=")[0] for entry in settings.gateway)
    return keys_for(listed) if settings.model == "live" else frozenset()

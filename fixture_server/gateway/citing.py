"""Pages that an answer cites, kept though the system did not fetch them: what they said can be looked up later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from fixture_server.message import Asked
from fixture_server.roles import absolute

from .hosts import Gateway
from .looking import look, plain_get
from .run import GatewayRun

if TYPE_CHECKING:
    from fixture_server.log import Log

MOST_PAGES, MOST_REDIRECTS = 32, 5


async def archive_cited(cited: Sequence[str], log: Log, run: GatewayRun, gateway: Gateway) -> None:
    """Take each cited page of a listed host that the system did not fetch out of the cassette, or, where the run
    records, from its server. In the log these requests are ``check``: they are nobody's but ours."""
    for url in list(dict.fromkeys(urldefrag(url).url for url in cited))[:MOST_PAGES]:
        for _ in range(MOST_REDIRECTS):
            asked = plain_get(url)
            if asked is None or not gateway.takes(asked) or asked.url in run.fetched:
                break
            run.fetched.add(asked.url)
            location = await _archive(asked, log, run, gateway)
            if location is None:
                break
            url = absolute(asked.url, location)


async def _archive(asked: Asked, log: Log, run: GatewayRun, gateway: Gateway) -> str | None:
    """One page; where it leads to, if it is a redirect."""
    recorded = run.recording.page(asked.url)
    if recorded is None and not (run.recording.goes_out and run.recording.writes):
        return None
    found = await look(asked, log, run, gateway, recorded)
    return found.location

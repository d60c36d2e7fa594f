"""Whose fault it is that a page was not had as it was there: signed in, in due time, by its link, in a browser, from
its own server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import unquote

from pytest_webretrieval.wire.attempt import Attempt

from .conduct import Conduct
from .depth import links
from .fault import CODE, MODEL, UNKNOWN, Fault, Home
from .refusal import documents, is_login_wall
from .urls import canonical

_BROWSES = frozenset({"browser", "browse", "navigate", "goto", "render", "playwright", "puppeteer", "chrome"})
_TOUCHES = frozenset({"click", "press", "scroll", "tap", "dismiss", "act", "select", "evaluate"})


def signed_out(fault: Fault) -> Home | None:
    """A page that asks to sign in was all there was, and nobody had signed in."""
    conduct = fault.conduct
    if conduct.evidence.step.user is None:
        return None
    walls = [document for document in documents(conduct.view) if is_login_wall(document)]
    if not walls or any(wall.had_credentials for wall in walls):
        return None
    wall = walls[0]
    return Home(
        where=CODE,
        why=f"the page asks to sign in, and no request for it carried a session of {conduct.evidence.step.user}",
        evidence=(f"{wall.asked_for} shows {wall.url}", "no cookie and no authorization was sent to it"),
    )


def hasty(fault: Fault) -> Home | None:
    """The server asked to wait, and was asked again too early or not at all."""
    conduct = fault.conduct
    waits = [
        one
        for one in _documents(conduct)
        if one.status in (429, 503) and conduct.is_allowed(canonical(one.url))
    ]
    if not waits or any(one.status == 200 for one in _documents(conduct) if one.url == waits[-1].url):
        return None
    first = waits[0]
    asked = first.response_headers.get("retry-after")
    answered = f"#{first.number} {first.url} answered {first.status}"
    if asked is None:
        return None
    if len(waits) == 1:
        why = f"the server asked to come back (Retry-After: {asked}), and it was not asked again"
        told = any("retry-after" in text.lower() for _, _, text in conduct.inputs())
        where = UNKNOWN if told or not conduct.turns else CODE
        return Home(
            where=where, why=why, evidence=(answered, f"the model was{'' if told else ' not'} told of it")
        )
    gaps = ", ".join(
        f"{two.started_s - one.started_s - one.duration_s:.2f} s" for one, two in pairwise(waits)
    )
    why = f"the server asked to wait (Retry-After: {asked}), and was asked again after {gaps}"
    return Home(where=CODE, why=why, evidence=(answered, f"#{waits[1].number} asks again"))


def unlinked(fault: Fault) -> Home | None:
    """A page that was fetched links to an allowed source, and the model was never given its address."""
    conduct = fault.conduct
    if not conduct.turns or conduct.model_elsewhere:
        return None
    for seen in conduct.view.pages:
        if seen.role != "document":
            continue
        for url in links(seen, conduct.view):
            known = url in conduct.named_to_model or conduct.reached(url)
            if conduct.is_allowed(url) and not known:
                why = "the page that was fetched links to an allowed source, and the model was not given the link"
                return Home(where=CODE, why=why, evidence=(f"#{seen.attempt} {seen.url} links to {url}",))
    return None


def unrendered(fault: Fault) -> Home | None:
    """A page that shows it in a browser only was opened without one, or where nothing was pressed or scrolled."""
    conduct = fault.conduct
    opened = bool(_documents(conduct)) or any(_extracts(conduct))
    if conduct.evidence.cheapest != "browser" or not opened:
        return None
    offered = tuple(dict.fromkeys(name for turn in conduct.turns for name in turn.tools))
    tools = (f"the model was offered {', '.join(offered[:6])}",) if offered else ()
    in_a_browser = [one for one in _documents(conduct) if one.channel == "browser"]
    if not in_a_browser:
        has_one = any(_words(name) & _BROWSES for name in offered)
        why = "the page shows it in a browser only, and none opened it"
        return Home(where=MODEL if has_one else CODE, why=why, evidence=tools)
    if offered and not any(_words(name) & _TOUCHES for name in offered):
        why = "a browser opened the page and it was not there yet; no tool of the model's presses or scrolls"
        shown = f"#{in_a_browser[0].number} {in_a_browser[0].url} was opened in a browser"
        return Home(where=CODE, why=why, evidence=(shown, *tools))
    return None


def unread(fault: Fault) -> Home | None:
    """An API was asked to read a page, gave nothing of it, and nobody asked the page's own server."""
    conduct = fault.conduct
    for start in conduct.evidence.start_urls:
        url = canonical(start)
        own = any(canonical(one.url) == url for one in _documents(conduct))
        if own or conduct.view.named_by(url) or any(seen.url == url for seen in conduct.view.refused):
            continue
        asked = [one for one in _extracts(conduct) if start in _sent(one)]
        if asked:
            why = "an API that was asked to read the page gave nothing of it, and its own server was not asked why"
            return Home(
                where=CODE, why=why, evidence=(f"#{asked[0].number} asks {asked[0].url} for {start}",)
            )
    return None


def _documents(conduct: Conduct) -> list[Attempt]:
    return [one for one in conduct.view.attempts if one.role == "document" and not one.late]


def _extracts(conduct: Conduct) -> Iterator[Attempt]:
    return (one for one in conduct.fetches if one.channel == "extract-api")


def _sent(attempt: Attempt) -> str:
    body = attempt.request_body.decode("utf-8", "replace").replace("\\/", "/")
    return f"{unquote(attempt.url)}\n{body}"


def _words(name: str) -> frozenset[str]:
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return frozenset(re.findall(r"[a-z0-9]+", parted.lower()))

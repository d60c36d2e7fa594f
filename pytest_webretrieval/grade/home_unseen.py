"""Whose fault it is that no page was fetched that says a required fact."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from urllib.parse import unquote_plus

from pytest_webretrieval.wire.attempt import Attempt

from .conduct import Conduct
from .fault import CODE, MODEL, UNKNOWN, Fault, Home, start_of
from .urls import canonical


def never_seen(fault: Fault) -> Home | None:
    """No page that says it was fetched."""
    conduct = fault.conduct
    if not conduct.turns or conduct.model_elsewhere:
        return None
    return (
        _other_address(conduct)
        or _without_tools(conduct)
        or _not_passed_on(conduct)
        or _not_asked_for(conduct)
        or _search_without(conduct)
        or _failed(conduct)
    )


def _other_address(conduct: Conduct) -> Home | None:
    """The model asked for a page, and none of the requests went there."""
    looked_up = {lookup.name for lookup in conduct.evidence.trace.lookups if not lookup.known}
    for turn, call in conduct.calls:
        for text in call.strings:
            if not text.startswith(("http://", "https://")):
                continue
            url = canonical(text)
            known = url in conduct.view.offered or conduct.is_allowed(url)
            if not known or conduct.reached(url) or any(name in url for name in looked_up):
                continue
            after = [one for one in conduct.fetches if one.started_s >= turn.started_s]
            went = (
                f"it shows {after[0].method} {after[0].url} (#{after[0].number})"
                if after
                else "it shows no request"
            )
            return Home(
                where=CODE,
                why="the model asked for a page, and the wire shows no request for it",
                evidence=(f"#{turn.attempt} calls {call.name} for {text}", f"after that {went}"),
            )
    return None


def _without_tools(conduct: Conduct) -> Home | None:
    first = conduct.turns[0]
    if any(turn.tools for turn in conduct.turns) or conduct.fetches:
        return None
    return Home(
        where=CODE,
        why="the model was offered no tool, and nothing was fetched for it",
        evidence=(f"#{first.attempt} offers none",),
    )


def _not_passed_on(conduct: Conduct) -> Home | None:
    """A search named an allowed source, and the model was never told of it."""
    for search, url in conduct.shown_by_search():
        later = any(turn.started_s >= search.started_s for turn in conduct.turns)
        if (
            later
            and conduct.is_allowed(url)
            and url not in conduct.named_to_model
            and not conduct.reached(url)
        ):
            return Home(
                where=CODE,
                why="a search found an allowed source, and its address was not given to the model",
                evidence=(f"#{search.number} names {url}", "no message to the model has it"),
            )
    return None


def _not_asked_for(conduct: Conduct) -> Home | None:
    """The model was told of an allowed source and never asked for it."""
    if not any(turn.tools for turn in conduct.turns):
        return None
    for turn, what, text in conduct.inputs():
        for url in sorted(conduct.names(text)):
            if conduct.is_allowed(url) and not conduct.reached(url):
                tools = ", ".join(turn.tools[:4])
                return Home(
                    where=MODEL,
                    why="the model was given the address of an allowed source and did not ask for it",
                    evidence=(f"#{turn.attempt} was given ({what}) {url}", f"it was offered {tools}"),
                )
    if not any(turn.calls for turn in conduct.turns) and not conduct.fetches:
        turn = conduct.turns[0]
        return Home(
            where=MODEL,
            why="the model answered without asking for anything",
            evidence=(f"#{turn.attempt} was offered {', '.join(turn.tools[:4])} and calls none",),
        )
    return None


def _search_without(conduct: Conduct) -> Home | None:
    """No search named an allowed source: who worded it?"""
    searches = [one for one in conduct.fetches if one.channel == "search-api"]
    if not searches or any(conduct.is_allowed(url) for _, url in conduct.shown_by_search()):
        return None
    search = searches[0]
    sent = _words(_sent(search))
    asked = [
        (turn, call) for turn, call in conduct.calls if turn.started_s <= search.started_s and call.strings
    ]
    if asked and not any(_words(text) and _words(text) in sent for _, call in asked for text in call.strings):
        turn, call = asked[-1]
        return Home(
            where=CODE,
            why="the search that was sent has not the words of the model",
            evidence=(
                f"#{turn.attempt} calls {call.name}({start_of(call.arguments)})",
                f"#{search.number} asks {start_of(_sent(search))}",
            ),
        )
    return Home(
        where=UNKNOWN,
        why="no search found an allowed source: it may be its words, or the world",
        evidence=tuple(f"#{one.number} asks {start_of(_sent(one))}" for one in searches[:2]),
    )


def _sent(attempt: Attempt) -> str:
    """What a search carries, in its address or its body."""
    body = attempt.request_body.decode("utf-8", "replace")
    with suppress(ValueError):
        body = json.dumps(json.loads(body), ensure_ascii=False)
    return " ".join(f"{unquote_plus(attempt.url.partition('?')[2])} {body}".split())


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _failed(conduct: Conduct) -> Home | None:
    """The allowed source was asked for, and did not answer."""
    tried = [one for one in conduct.fetches if conduct.is_allowed(canonical(one.url))]
    if tried and all(one.error_type is not None for one in tried):
        again = f"was asked {len(tried)} times and did not answer"
        once = "did not answer, and neither code nor model asked again"
        return Home(
            where=UNKNOWN,
            why=f"the allowed source {once if len(tried) == 1 else again}",
            evidence=tuple(f"#{one.number} {one.url} {one.error_type}" for one in tried[:3]),
        )
    return None

"""A page as a response: status, headers, validators, ranges, redirects."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from email.utils import format_datetime, parsedate_to_datetime
from functools import partial
from pathlib import Path

from .access import answer_to
from .declarations import Serve
from .marks import Template
from .message import Answer, Asked
from .packing import PACKINGS
from .recorded import takes
from .sheets import SUFFIX as SHEET
from .sheets import drawn_up
from .sites import Page, import_function
from .stage import Stage
from .users import who_asks
from .yaml_keys import SiteError

_TAG = re.compile(r'(?:W/)?("[^"]*")')
ACROSS = "access-control-"
_ALLOW = ("allow", "GET, HEAD, OPTIONS")
_RANGE = re.compile(r"bytes=(\d*)-(\d*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """What a maker is told of its page: its address by role, the text of its body file (marks replaced; empty
    when it has none)."""

    address: str
    text: str


def respond(asked: Asked, page: Page, stage: Stage) -> Answer:
    """The page's answer to one request of a run; counts the visit."""
    whole = stage.serve(page)
    if asked.method == "OPTIONS" and not whole.behave:
        return options(whole, stage) if not whole.asked else allowed_across(asked, whole, stage)
    chosen = whole if whole.behave else answer_to(asked, who_asks(asked, stage.users), whole)
    if chosen is None:
        return not_found(asked) if takes(asked.method, whole.asked) else unserved()
    serve = stage.visit(page, chosen)
    if serve.behave:
        answer = import_function(serve.behave, serve.where)(asked, stage)
        if not isinstance(answer, Answer):
            raise TypeError(f"{serve.where}: {serve.behave} gave {type(answer).__name__}, not an Answer")
        return answer
    if serve.live:
        return live_answer(asked, page, serve, stage)
    answer = plain_answer(page, serve, stage)
    if serve.flow and asked.method == "GET":
        return replace(answer, flow=_flow(page, serve, stage))
    return _conditional(asked, answer)


def _flow(page: Page, serve: Serve, stage: Stage) -> Callable[[], Iterator[bytes]]:
    """What makes the page's body while it is sent."""
    assert serve.flow is not None
    function = import_function(serve.flow, serve.where)
    making = Making(address=page.address, text=render(page, serve, stage).decode("utf-8"))
    return partial(function, stage.edition.seed, stage.edition.values, making)


def live_answer(asked: Asked, page: Page, serve: Serve, stage: Stage) -> Answer:
    """The lines of the page's body, for a WebSocket; who asks for none is told to."""
    if asked.wants_websocket:
        lines = render(page, serve, stage).decode("utf-8").splitlines()
        return Answer(status=101, messages=tuple(filter(None, lines)), delay_s=serve.delay_s)
    headers = (("upgrade", "websocket"), ("content-type", "text/plain; charset=utf-8"))
    return Answer(status=426, headers=headers, body=b"Upgrade required\n")


def options(serve: Serve, stage: Stage) -> Answer:
    """What may be asked of a page; who asks from another origin is told what the page tells other origins."""
    shared = [(name, stage.text(value)) for name, value in serve.headers if name.startswith(ACROSS)]
    return Answer(status=204, headers=(_ALLOW, *shared))


def allowed_across(asked: Asked, serve: Serve, stage: Stage) -> Answer:
    """The same for recorded requests: recordings seldom hold what a browser asks ahead, so it may do what it did."""
    told = {
        name: stage.text(value)
        for _, one in serve.asked
        for name, value in one.headers
        if name.startswith(ACROSS)
    }
    wanted = {"access-control-request-method": "methods", "access-control-request-headers": "headers"}
    if told:
        told |= {f"{ACROSS}allow-{to}": asked.headers[of] for of, to in wanted.items() if of in asked.headers}
    return Answer(status=204, headers=(_ALLOW, *told.items()))


def unserved() -> Answer:
    """The answer to a method that a page does not take."""
    headers = (_ALLOW, ("content-type", "text/plain; charset=utf-8"))
    return Answer(status=405, headers=headers, body=b"Method not allowed\n")


def plain_answer(page: Page, serve: Serve, stage: Stage) -> Answer:
    """The page's full answer, whatever validators a client holds."""
    body = render(page, serve, stage)
    headers = [(name, stage.text(value)) for name, value in serve.headers]
    named = {name for name, _ in headers}
    if body and "content-type" not in named:
        headers.append(("content-type", page.media_type(serve)))
    if serve.location is not None:
        headers.append(("location", stage.text(serve.location)))
    if serve.etag is not None:
        tag = hashlib.sha256(body).hexdigest()[:20] if serve.etag == "content" else serve.etag
        headers.append(("etag", tag if tag.startswith(('"', 'W/"')) else f'"{tag}"'))
    if serve.last_modified is not None:
        moment = stage.moment(serve.last_modified)
        headers.append(("last-modified", format_datetime(moment, usegmt=True)))
    if serve.packed is not None:
        packing = PACKINGS[serve.packed]
        body = packing.pack(body)
        headers += [("content-encoding", packing.coding)] if packing.coding else []
    return Answer(
        status=serve.status,
        headers=tuple(headers),
        body=body,
        delay_s=serve.delay_s,
        fault=serve.fault,
        act=serve.act,
    )


def render(page: Page, serve: Serve, stage: Stage) -> bytes:
    """The bytes that the page gives in this run; made once where no time is in them."""
    # A redirect that names no body has none: the page's own is not for whoever is sent away.
    source = None if serve.location is not None and not serve.body else page.bodies.get(serve.body or "")
    dated = isinstance(source, Template) and source.depends_on_now
    key = (page.address, serve.where, serve.body, serve.make)
    if not dated and key in stage.edition.rendered:
        return stage.edition.rendered[key]
    if serve.make:
        text = stage.text(source) if isinstance(source, Template) else ""
        making = Making(address=page.address, text=text)
        body = import_function(serve.make, serve.where)(stage.edition.seed, stage.edition.values, making)
    elif isinstance(source, Template):
        body = _text(page, serve, source, stage).encode("utf-8")
    else:
        body = source or _reason(serve)
    if not dated:
        stage.edition.rendered[key] = body
    return bytes(body)


def _text(page: Page, serve: Serve, source: Template, stage: Stage) -> str:
    file, text = page.files[serve.body or ""], stage.text(source)
    if file.suffix != SHEET:
        return text
    try:
        return drawn_up(text, stage.edition.seed)
    except ValueError as error:
        raise SiteError(file, 1, str(error)) from error


def not_found(asked: Asked) -> Answer:
    """A host's plain page for a path that it does not have."""
    body = (
        '<!doctype html><html lang="en"><head><title>404 Not Found</title></head>'
        "<body><h1>Not Found</h1><p>The requested page was not found on this server.</p></body></html>\n"
    )
    if Path(asked.path).suffix in (".txt", ".json", ".ico", ".js", ".css", ".png"):
        return Answer(
            status=404, headers=(("content-type", "text/plain; charset=utf-8"),), body=b"Not Found\n"
        )
    return Answer(status=404, headers=(("content-type", "text/html; charset=utf-8"),), body=body.encode())


def _reason(serve: Serve) -> bytes:
    from http import HTTPStatus

    if serve.status in (204, 304) or serve.location is not None:
        return b""
    try:
        phrase = HTTPStatus(serve.status).phrase
    except ValueError:
        phrase = "Error"
    return f"<!doctype html><title>{serve.status} {phrase}</title><h1>{phrase}</h1>\n".encode()


def _conditional(asked: Asked, answer: Answer) -> Answer:
    if answer.status != 200:
        return answer
    if not_modified(asked.headers, answer):
        kept = (
            "etag",
            "last-modified",
            "cache-control",
            "expires",
            "vary",
            "content-location",
            "age",
            "date",
        )
        headers = tuple((name, value) for name, value in answer.headers if name in kept)
        return replace(answer, status=304, headers=headers, body=b"")
    return _ranged(asked, answer)


def not_modified(headers: Mapping[str, str], answer: Answer) -> bool:
    """Whether the client's validators still hold (RFC 9110, 13.1.2, 13.1.3: If-None-Match by weak comparison,
    over If-Modified-Since)."""
    if (wanted := headers.get("if-none-match")) is not None:
        if wanted.strip() == "*":
            return True
        tag = answer.header("etag")
        return tag is not None and tag.removeprefix("W/") in _TAG.findall(wanted)
    since, modified = headers.get("if-modified-since"), answer.header("last-modified")
    if since is None or modified is None:
        return False
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since).replace(tzinfo=UTC)
    except ValueError:
        return False


def _ranged(asked: Asked, answer: Answer) -> Answer:
    """One range of bytes (RFC 9110, 14); what is not one range is answered in full, If-Range by strong
    comparison."""
    found = _RANGE.match(asked.headers.get("range", "").replace(" ", ""))
    condition = asked.headers.get("if-range")
    if not found or asked.method != "GET" or not any(found.groups()):
        return answer
    if condition is not None and condition not in (answer.header("etag"), answer.header("last-modified")):
        return answer
    first, last = found.groups()
    size = len(answer.body)
    start = int(first) if first else max(0, size - int(last))
    end = min(size, int(last) + 1) if first and last else size
    if start >= size or end <= start:
        headers = (("content-range", f"bytes */{size}"), ("content-type", "text/plain; charset=utf-8"))
        return Answer(status=416, headers=headers, body=b"Range not satisfiable\n")
    given = (*answer.headers, ("content-range", f"bytes {start}-{end - 1}/{size}"))
    return replace(answer, status=206, headers=given, body=answer.body[start:end])

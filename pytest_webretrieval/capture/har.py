"""HAR 1.2 into exchanges: what browsers and Playwright save, with what they cannot have saved said."""

from __future__ import annotations

import base64
import binascii
import gzip
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urlencode, urlsplit

from .exchange import CaptureError, Exchange, Headers, first, secrets_in

_CHARSET = re.compile(r"charset=[\"']?([\w-]+)", re.IGNORECASE)
# Statuses whose answers have no body, so none can be missing.
_BODILESS = (204, 205, 301, 302, 303, 304, 307, 308)
_AS_SENT = "it was saved as compressed bytes that cannot be read here; save it again with content decoded"
Attached = Callable[[str], bytes]


class _LeftOut(Exception):
    """Why an entry cannot be a part of a site."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What was recorded, in order of the requests. ``left_out`` are lines for people; ``secrets`` value to name of the
    credentials that were seen."""

    exchanges: tuple[Exchange, ...]
    left_out: tuple[str, ...] = ()
    secrets: Mapping[str, str]


def read_har(path: Path) -> Recording:
    """A ``.har`` file, or Playwright's ``.zip`` of one with its bodies beside it. Raises CaptureError."""
    text, attached = _opened(path)
    try:
        entries = json.loads(text)["log"]["entries"]
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise TypeError
    except (ValueError, KeyError, TypeError):
        raise CaptureError(
            f"{path}: is no HAR file: expected JSON with log.entries; save one in the browser's network panel"
        ) from None
    exchanges: list[Exchange] = []
    left_out: list[str] = []
    secrets: dict[str, str] = {}
    for entry in sorted(entries, key=lambda entry: str(entry.get("startedDateTime", ""))):
        try:
            request, response = entry["request"], entry["response"]
            name = f"{request['method']} {request['url']}"
            secrets |= secrets_in(_headers(request), _headers(response))
            exchanges.append(_exchange(entry, attached))
        except _LeftOut as why:
            left_out.append(f"{_short(name)}: {why}")
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise CaptureError(
                f"{path}: entry {len(exchanges) + len(left_out) + 1} is not HAR 1.2: {error!r}"
            ) from None
    if not exchanges:
        raise CaptureError(
            f"{path}: holds no answer that can be served" + "".join(f"\n{line}" for line in left_out)
        )
    return Recording(exchanges=tuple(exchanges), left_out=tuple(dict.fromkeys(left_out)), secrets=secrets)


def _opened(path: Path) -> tuple[str, Attached]:
    """The HAR's text, and what gives a body that lies beside it."""
    try:
        if not zipfile.is_zipfile(path):
            return path.read_text(encoding="utf-8-sig"), lambda name: (
                path.parent / Path(name).name
            ).read_bytes()
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile) as error:
        raise CaptureError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    har = next((name for name in members if name.endswith(".har")), None)
    if har is None:
        raise CaptureError(f"{path}: holds no .har file")
    return members[har].decode("utf-8-sig"), members.__getitem__


def _exchange(entry: dict[str, Any], attached: Attached) -> Exchange:
    request, response = entry["request"], entry["response"]
    method, url = str(request["method"]).upper(), urldefrag(str(request["url"])).url
    scheme = urlsplit(url).scheme
    if scheme in ("ws", "wss"):
        raise _LeftOut("WebSockets are not captured; a page with `live: true` can play one (docs/sites.md)")
    if scheme not in ("http", "https"):
        raise _LeftOut(f"{scheme}: is nothing that a server answers")
    status = int(response["status"])
    if status < 200:
        raise _LeftOut(
            f"no answer was recorded ({response.get('_error') or response.get('statusText') or 'aborted'})"
        )
    if _by_service_worker(entry):
        raise _LeftOut("a service worker answered, not the server; record with service workers blocked")
    if status == 304:
        raise _LeftOut("304 says only that a copy was still good; record with the cache off")
    headers = _headers(response)
    if status == 206:
        raise _LeftOut("206 is a part of the body; record with the cache off, or fetch the whole file")
    body, media_type = _body(response, headers, status, method, attached)
    kept = tuple(pair for pair in headers if pair[0] != "content-type")
    sent, sent_type = _sent(request, method, attached)
    return Exchange(
        method=method,
        url=url,
        status=status,
        headers=(*kept, *((("content-type", media_type),) if media_type else ())),
        body=body,
        sent=sent,
        sent_type=sent_type,
        time_s=_seconds(entry),
    )


def _headers(message: dict[str, Any]) -> Headers:
    return tuple((str(one["name"]).lower(), str(one["value"])) for one in message.get("headers") or ())


def _by_service_worker(entry: dict[str, Any]) -> bool:
    places = (entry, entry["response"])
    return any(
        place.get(name) for place in places for name in ("_fetchedViaServiceWorker", "_fromServiceWorker")
    )


def _seconds(entry: dict[str, Any]) -> float | None:
    taken = entry.get("time")
    return taken / 1000 if isinstance(taken, int | float) and taken > 0 else None


def _body(
    response: dict[str, Any], headers: Headers, status: int, method: str, attached: Attached
) -> tuple[bytes, str]:
    """The answer's body without codings, and its media type: a text that was saved as text is UTF-8 from now on."""
    content = response.get("content") or {}
    media_type = first(headers, "content-type") or str(content.get("mimeType") or "")
    if content.get("_file"):
        return _decoded(attached(str(content["_file"])), headers), media_type
    text = content.get("text")
    if text is None:
        size = content.get("size") or 0
        if size <= 0 or status in _BODILESS or method == "HEAD":
            return b"", media_type
        raise _LeftOut("its body was not saved; save the HAR with content")
    if content.get("encoding") == "base64":
        try:
            return _decoded(base64.b64decode(text, validate=True), headers), media_type
        except (binascii.Error, ValueError):
            raise _LeftOut("its body is not base64 as the entry says") from None
    if content.get("encoding"):
        raise _LeftOut(f"its body has the encoding {content['encoding']!r}; HAR knows base64 alone")
    body = str(text).encode("utf-8", "surrogatepass")
    if not body or not _is_text(media_type):
        return body, media_type
    if _CHARSET.search(media_type):
        return body, _CHARSET.sub("charset=utf-8", media_type)
    return body, f"{media_type}; charset=utf-8"


def _is_text(media_type: str) -> bool:
    return media_type.startswith("text/")


def _decoded(body: bytes, headers: Headers) -> bytes:
    """The bytes without their coding. Most recorders take it off, whatever the header still says."""
    coding = first(headers, "content-encoding").strip().lower()
    try:
        if coding in ("gzip", "x-gzip") and body[:2] == b"\x1f\x8b":
            return gzip.decompress(body)
        if coding == "deflate" and body[:1] == b"\x78":
            return zlib.decompress(body)
    except (OSError, EOFError, zlib.error):
        raise _LeftOut(_AS_SENT) from None
    if coding in ("br", "zstd") and _is_text(first(headers, "content-type")):
        try:
            body.decode("utf-8")
        except UnicodeDecodeError:
            raise _LeftOut(_AS_SENT) from None
    return body


def _sent(request: dict[str, Any], method: str, attached: Attached) -> tuple[bytes, str]:
    """The request's body and its media type. One that was sent and not saved makes the entry useless: all requests of
    its address would be the same."""
    if method in ("GET", "HEAD", "OPTIONS"):
        return b"", ""
    posted = request.get("postData") or {}
    media_type = str(posted.get("mimeType") or first(_headers(request), "content-type"))
    if posted.get("_file"):
        return attached(str(posted["_file"])), media_type
    if posted.get("text") is not None:
        text = str(posted["text"])
        if posted.get("encoding") == "base64":
            return base64.b64decode(text), media_type
        return text.encode("utf-8", "surrogatepass"), media_type
    if posted.get("params"):
        pairs = [(str(one["name"]), str(one.get("value", ""))) for one in posted["params"]]
        return urlencode(pairs).encode(), media_type
    if _says_that_it_sent(request):
        raise _LeftOut(
            "what it sent was not saved, so its answers cannot be told apart; record it with postData"
        )
    return b"", media_type


def _says_that_it_sent(request: dict[str, Any]) -> bool:
    length = first(_headers(request), "content-length")
    return (
        int(length) > 0
        if length.isdecimal()
        else int(request.get("bodySize") or 0) > 0 or _has_body_type(request)
    )


def _has_body_type(request: dict[str, Any]) -> bool:
    """A type of what is sent, and no length: a recorder that left the body out."""
    return (
        bool(first(_headers(request), "content-type")) and "bodySize" in request and request["bodySize"] == -1
    )


def _short(name: str) -> str:
    return name if len(name) <= 120 else f"{name[:119]}…"

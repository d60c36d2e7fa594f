"""GET and POST over HTTP as one user: redirects, waiting, retries, and an honest list of what was sent."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from pytest_webretrieval.systems.contract import Credential, User

from .bounds import LARGEST_FILE, Gauge, largest, leads_inside
from .challenge import is_challenge
from .coding import ACCEPTED, Undecodable, unpacked
from .read import Unreadable, read
from .retry import PASSING_STATUSES, RETRIES, own_wait, stated_wait

REDIRECTS = 5
SLOWEST_TRY_S = 15.0
_FOLLOWED = frozenset({301, 302, 303, 307, 308})
_LOGIN_PATH = re.compile(r"/(?:log|sign)[-_]?(?:in|on)\b|/(?:anmelden|connexion|sso|auth)\b", re.I)
_PORTS = {"http": 80, "https": 443}


class OutOfBudget(Exception):
    """The task's deadline or number of requests is used up."""


@dataclass(slots=True, kw_only=True)
class Errand:
    """What one task may still spend and what it has sent: ``ends`` is on the monotonic clock, ``requests``
    counts documents and API calls; ``allowed`` is how many there may be with those of a browser, which may be
    used ``escalations`` times. ``named`` are the origins that the task itself names: none but these may be inside a
    network. ``cache_control`` goes with every GET: ``no-cache`` where only what the server says now will do.
    ``attempts`` is the account that the result gives."""

    ends: float
    requests: int
    retries: int
    user_agent: str
    user: User | None = None
    cache_control: str | None = None
    escalations: int = 0
    named: frozenset[tuple[str, str, int]] = frozenset()
    allowed: int = 0
    attempts: list[dict[str, Any]] = field(default_factory=list)

    def left_s(self) -> float:
        """Seconds until the deadline."""
        return self.ends - time.monotonic()

    def is_signed_in(self, url: str) -> bool:
        """Whether a request to ``url`` carries the user's credentials."""
        return self.user is not None and any(origin(own.url) == origin(url) for own in self.user.credentials)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What a URL gave. ``status`` is None when no complete response came; ``error`` then says why, in one
    of ``connection``, ``timeout``, ``incomplete``, ``too-large``, ``redirect-loop``, ``wait-too-long``,
    ``scheme``, ``inside``, ``login-loop``, ``refresh-loop``. ``channel`` is ``direct-fetch`` or ``browser``."""

    url: str
    final_url: str
    status: int | None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    hops: tuple[int, ...] = ()
    retrieved_at: str = ""
    error: str | None = None
    channel: str = "direct-fetch"

    @property
    def ok(self) -> bool:
        return self.status is not None and 200 <= self.status < 300 and self.error is None


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port: to whom a request goes (RFC 6454)."""
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    return scheme, (parts.hostname or "").lower(), parts.port or _PORTS.get(scheme, 0)


async def get(client: httpx.AsyncClient, url: str, errand: Errand) -> Fetched:
    """What ``url`` gives after redirects and allowed retries.

    Raises OutOfBudget before a request that the task cannot afford.
    """
    asked, seen, paths = url, {url}, {url.partition("?")[0]}
    hops: list[int] = []
    while True:
        if urlsplit(url).scheme.lower() not in _PORTS:
            return Fetched(url=asked, final_url=url, status=None, hops=tuple(hops), error="scheme")
        if leads_inside(url) and origin(url) not in errand.named:
            return Fetched(url=asked, final_url=url, status=None, hops=tuple(hops), error="inside")
        answer = await _get_with_retries(client, url, errand)
        target = answer.headers.get("location")
        if answer.status not in _FOLLOWED or not target:
            return replace(answer, url=asked, hops=tuple(hops))
        url, _, _ = urljoin(url, target).partition("#")
        hops.append(answer.status)
        if url in seen or len(hops) > REDIRECTS:
            error = "login-loop" if any(map(_LOGIN_PATH.search, seen)) else "redirect-loop"
            return Fetched(url=asked, final_url=url, status=None, hops=tuple(hops), error=error)
        seen.add(url)
        path = url.partition("?")[0]
        if path in paths and _LOGIN_PATH.search(path):
            return Fetched(url=asked, final_url=url, status=None, hops=tuple(hops), error="login-loop")
        paths.add(path)


async def _get_with_retries(client: httpx.AsyncClient, url: str, errand: Errand) -> Fetched:
    tries = 0
    headers = _own_headers(errand, url)
    while True:
        tries += 1
        answer = await _send(client, "GET", url, errand, headers, None)
        passing = answer.status in PASSING_STATUSES or answer.error in ("connection", "incomplete", "timeout")
        passing = passing and not _asks_for_a_person(answer)
        if not passing or tries > RETRIES or errand.retries <= 0:
            return answer
        stated = stated_wait(answer.headers.get("retry-after"), time.time())
        wait = own_wait(tries) if stated is None else stated
        if wait >= errand.left_s() - 1.0:
            # Waiting less than was asked would only be refused again, so the attempt ends here.
            return answer if answer.error else replace(answer, error="wait-too-long")
        # Taken first: others of the same errand may be about to wait as well.
        errand.retries -= 1
        await asyncio.sleep(wait)
        # What came broken may have been stored as if it were whole.
        headers["cache-control"] = "no-cache"


def _asks_for_a_person(answer: Fetched) -> bool:
    """Whether a passing status carries a challenge: that is a refusal, and asking again is no cure."""
    if answer.status is None:
        return False
    try:
        document = read(answer.body, answer.headers.get("content-type", ""), answer.final_url)
    except Unreadable:
        return False
    return is_challenge(answer.status, answer.headers, document)


async def post_json(
    client: httpx.AsyncClient, url: str, body: Any, headers: Mapping[str, str], errand: Errand
) -> Fetched:
    """What a POST gives: sent once, never repeated, redirects not followed."""
    return await _send(client, "POST", url, errand, headers, body)


async def _send(
    client: httpx.AsyncClient, method: str, url: str, errand: Errand, headers: Mapping[str, str], json: Any
) -> Fetched:
    left = errand.left_s()
    if errand.requests <= 0 or left <= 0:
        raise OutOfBudget(url)
    errand.requests -= 1
    note: dict[str, Any] = {"method": method, "url": url, "status": None}
    errand.attempts.append(note)
    request = client.build_request(
        method,
        url,
        json=json,
        headers={"accept-encoding": ACCEPTED, "user-agent": errand.user_agent, **headers},
        timeout=SLOWEST_TRY_S,
    )
    error = None
    status: int | None = None
    received, limit = bytearray(), LARGEST_FILE
    answer_headers: Mapping[str, str] = {}
    try:
        async with asyncio.timeout(min(left, SLOWEST_TRY_S)):
            response = await client.send(request, stream=True)
            try:
                note["status"] = status = response.status_code
                answer_headers = response.headers
                limit = largest(answer_headers.get("content-type", ""))
                gauge = Gauge(answer_headers.get("content-encoding", ""), limit)
                async for chunk in response.aiter_raw():
                    received += chunk
                    if gauge.is_passed_by(chunk):
                        error = "too-large"
                        break
            finally:
                await response.aclose()
    except (TimeoutError, httpx.TimeoutException):
        error = "timeout"
    except (httpx.TransportError, httpx.StreamError):
        error = "connection" if status is None else "incomplete"
    body = bytes(received)
    try:
        body, whole = unpacked(body, answer_headers.get("content-encoding", ""), limit)
    except Undecodable:
        whole = False
    if error is None and len(body) > limit:
        error = "too-large"
    elif error is None and not whole:
        error = "incomplete"
    return Fetched(
        url=url,
        final_url=url,
        status=None if error in ("timeout", "incomplete", "connection") else status,
        headers=answer_headers,
        body=body,
        retrieved_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        error=error,
    )


def _own_headers(errand: Errand, url: str) -> dict[str, str]:
    headers = _credentials(errand.user, url)
    if errand.cache_control:
        headers["cache-control"] = errand.cache_control
    return headers


def _credentials(user: User | None, url: str) -> dict[str, str]:
    """The headers that make this request the user's own; credentials go to the origin that they are for
    only."""
    headers: dict[str, str] = {}
    cookies = []
    for credential in user.credentials if user else ():
        if origin(credential.url) != origin(url):
            continue
        if credential.kind == "cookie" and (value := value_of(credential)):
            cookies.append(f"{credential.name}={value}")
        elif authorized := authorization(credential):
            headers["authorization"] = authorized
    if cookies:
        headers["cookie"] = "; ".join(cookies)
    return headers


def authorization(credential: Credential) -> str | None:
    """The ``Authorization`` value of a bearer or basic credential; None for others."""
    value = value_of(credential)
    if value is not None and credential.kind == "bearer":
        return f"Bearer {value}"
    if value is not None and credential.kind == "basic":
        return "Basic " + base64.b64encode(f"{credential.name}:{value}".encode()).decode("ascii")
    return None


def value_of(credential: Credential) -> str | None:
    """The secret itself, from the task or from the environment."""
    if credential.value is not None:
        return credential.value
    return os.environ.get(credential.value_env) if credential.value_env else None

"""No secret stands in what is recorded, in any mode, and what is replayed still holds together."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import pytest

from .conftest import HOST, Gate
from .origin import Heard, Origin, Out

pytestmark = pytest.mark.asyncio(loop_scope="module")

URL = f"https://{HOST}"
KEY = "acmekey-Q7r9-CANARY-x1Z8"
MODES = ["once", "new_episodes", "all", "rewrite"]


def _b64(data: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")


TOKEN = (
    f"{_b64({'alg': 'HS256'})}.{_b64({'sub': 'u1', 'exp': 1790000000, 'who': 'CANARY'})}.c2lnbmF0dXJlQ0FOQVJZ"
)


def _written(gate: Gate) -> bytes:
    """All that lies beside the cassette, also with what is base64 or gzip in it."""
    text = b"".join(path.read_bytes() for path in gate.cassette.parent.rglob(f"{gate.cassette.stem}*"))
    assert text
    return text


async def _login(gate: Gate) -> tuple[str, list[int]]:
    """Asks for a token and uses it, as clients do."""
    async with gate.client() as client:
        first = await client.post(f"{URL}/oauth/token", data={"client_secret": KEY, "grant_type": "x"})
        token = first.json()["access_token"]
        second = await client.get(f"{URL}/data", headers={"authorization": f"Bearer {token}"})
        third = await client.get(f"{URL}/data?access_token={token}")
        fourth = await client.post(f"{URL}/data", json={"api_key": KEY, "token": token, "q": "tariff"})
    return token, [answer.status_code for answer in (first, second, third, fourth)]


def _provider(origin: Origin) -> None:
    def token(heard: Heard, out: Out) -> None:
        body = json.dumps({"access_token": TOKEN, "expires_in": 3600}).encode()
        out.reply(
            "200 OK",
            gzip.compress(body),
            "Content-Type: application/json",
            "Content-Encoding: gzip",
            f"Set-Cookie: session={KEY}; Path=/",
        )

    def data(heard: Heard, out: Out) -> None:
        known = TOKEN in heard.headers.get("authorization", "") + heard.target + heard.body.decode()
        body = f"data: your key is {KEY}\n\n".encode() if known else b""
        out.reply("200 OK" if known else "401 Unauthorized", body, "Content-Type: text/event-stream")

    origin.on("/oauth/token", token)
    origin.on("/data", data)


@pytest.mark.parametrize("mode", MODES)
async def test_nothing_is_left_in_any_mode_and_a_login_still_holds(
    open_gate: Any, origin: Origin, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("ACME_API_KEY", KEY)
    _provider(origin)
    gate = await open_gate(mode, new=True)
    token, statuses = await _login(gate)
    assert (token, statuses) == (TOKEN, [200] * 4)
    assert (await gate.keep()).recorded == 4
    written = _written(gate)
    for secret in (KEY.encode(), TOKEN.encode(), b"CANARY"):
        assert secret not in written
    origin.stop()
    monkeypatch.delenv("ACME_API_KEY")
    gate = await open_gate("none", new=True)
    token, statuses = await _login(gate)
    account = await gate.keep()
    assert (statuses, account.missed, account.unplayed) == ([200] * 4, (), ())
    head, claims, _ = token.split(".")
    assert json.loads(base64.urlsafe_b64decode(head + "=="))["typ"] == "JWT"
    assert json.loads(base64.urlsafe_b64decode(claims + "=="))["exp"] > 4_000_000_000, "it has not run out"


@pytest.mark.parametrize("mode", ["new_episodes", "all"])
async def test_a_cassette_that_is_written_again_stays_clean(
    open_gate: Any, origin: Origin, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """Only one of two is asked again; what is kept of the other was cleaned once, and is."""
    monkeypatch.setenv("ACME_API_KEY", KEY)
    origin.says("/a", f"a {KEY}".encode())
    origin.says("/b", f"b {KEY}".encode())
    gate = await open_gate("once", new=True)
    async with gate.client(headers={"x-api-key": KEY}) as client:
        await client.get(f"{URL}/a")
        await client.get(f"{URL}/b")
    await gate.keep()
    gate = await open_gate(mode, new=True)
    async with gate.client(headers={"x-api-key": KEY}) as client:
        await client.get(f"{URL}/a")
        await client.get(f"{URL}/c?key={KEY}")
    await gate.keep()
    written = _written(gate)
    assert KEY.encode() not in written
    assert written.count(b"uri: ") == 3

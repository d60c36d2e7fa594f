"""Slots with a small web of their own around them: a TLS and DNS responder on the doors, in the test's loop."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import trustme
from dnslib import AAAA, QTYPE, RR, A, DNSRecord  # type: ignore[import-untyped]

from pytest_webretrieval.slots.browser import Browser
from pytest_webretrieval.slots.carrier import Carrier, NoCarrier, open_carrier
from pytest_webretrieval.slots.slot import Slot
from pytest_webretrieval.systems.contract import Task, Testimony
from pytest_webretrieval.wire.doors import Door

AGENTS = Path(__file__).parent / "agents"
ADDRESS, ADDRESS_6 = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"


@dataclass
class Web:
    """Answers every host by its own name; ``seen`` has what came: requests, names asked for, packets."""

    authority: trustme.CA = field(default_factory=trustme.CA)
    seen: list[str] = field(default_factory=list)
    _noted: asyncio.Event = field(default_factory=asyncio.Event)
    _open: list[Callable[[], Any]] = field(default_factory=list)
    _contexts: dict[str, ssl.SSLContext] = field(default_factory=dict)

    async def serve(self, doors: tuple[Door, ...]) -> None:
        for door in doors:
            own = socket.socket(fileno=os.dup(door.fd))
            own.setblocking(False)
            if door.kind in ("http", "https"):
                tls = self._any_host() if door.kind == "https" else None
                server = await asyncio.start_server(self._answer, sock=own, ssl=tls)
                self._open.append(server.close)
            elif door.kind in ("dns-udp", "packets"):
                self._listen(own, self._name if door.kind == "dns-udp" else self._packet)
            elif door.kind == "netfilter":
                self._open.append(own.close)
            else:
                server = await asyncio.start_server(self._name_by_tcp, sock=own)
                self._open.append(server.close)

    def _note(self, line: str) -> None:
        self.seen.append(line)
        self._noted.set()

    async def saw(self, line: str) -> None:
        """Wait until it was seen."""
        while line not in self.seen:
            self._noted.clear()
            await self._noted.wait()

    def close(self) -> None:
        for close in self._open:
            close()

    def _listen(self, own: socket.socket, read: Callable[[socket.socket], None]) -> None:
        loop = asyncio.get_running_loop()
        loop.add_reader(own, read, own)
        self._open.append(lambda: (loop.remove_reader(own), own.close()))

    def _any_host(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert("nobody.invalid").configure_cert(context)
        context.sni_callback = self._show_host
        return context

    def _show_host(self, connection: ssl.SSLObject, host: str | None, _: ssl.SSLContext) -> None:
        if not host:
            return
        if host not in self._contexts:
            self._contexts[host] = context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.authority.issue_cert(host).configure_cert(context)
        connection.context = self._contexts[host]

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            lines = head.split("\r\n")
            host = next(line.split(":")[1].strip() for line in lines if line.lower().startswith("host:"))
            self._note(f"{lines[0].split()[0]} {host} {writer.get_extra_info('sockname')[0]}")
            body = f"this is {host}".encode()
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n"
                + f"Content-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        except (OSError, EOFError, asyncio.IncompleteReadError):
            writer.close()

    def _name(self, own: socket.socket) -> None:
        try:
            question, about, _, peer = own.recvmsg(4096, 256)
        except BlockingIOError:
            return
        own.sendmsg([self._resolved(question)], about, 0, peer)

    async def _name_by_tcp(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        size = int.from_bytes(await reader.readexactly(2), "big")
        answer = self._resolved(await reader.readexactly(size))
        writer.write(len(answer).to_bytes(2, "big") + answer)
        writer.close()

    def _resolved(self, question: bytes) -> bytes:
        asked = DNSRecord.parse(question)
        name = str(asked.q.qname).rstrip(".")
        self._note(f"DNS {name}")
        answer = asked.reply()
        if name.endswith(".nowhere"):
            answer.header.rcode = 3
        elif asked.q.qtype == QTYPE.A and not name.startswith("six."):
            answer.add_answer(RR(asked.q.qname, QTYPE.A, rdata=A(ADDRESS), ttl=60))
        elif asked.q.qtype == QTYPE.AAAA and name.startswith("six."):
            answer.add_answer(RR(asked.q.qname, QTYPE.AAAA, rdata=AAAA(ADDRESS_6), ttl=60))
        packed: bytes = answer.pack()
        return packed

    def _packet(self, own: socket.socket) -> None:
        try:
            packet = own.recv(65535)
        except BlockingIOError:
            return
        version = packet[0] >> 4
        head = 4 * (packet[0] & 15) if version == 4 else 40
        target = packet[16:20] if version == 4 else packet[24:40]
        kind = {6: "tcp", 17: "udp"}[packet[9] if version == 4 else packet[6]]
        port = int.from_bytes(packet[head + 2 : head + 4], "big")
        self._note(f"{kind} {ipaddress.ip_address(target)} {port}")


@dataclass
class Place:
    """A carrier, its first slot, and the web around them."""

    carrier: Carrier
    slot: Slot
    web: Web

    async def ask(self, prompt: str, deadline_s: float = 20.0) -> Testimony:
        return await self.slot.ask(task(prompt), deadline_s)


Open = Callable[..., AbstractAsyncContextManager[Place]]


def task(prompt: str) -> Task:
    return Task(task_id="t", query=prompt, prompt=prompt)


@asynccontextmanager
async def _place(
    system: str | None,
    isolation: str = "run",
    folder: Path = AGENTS,
    terminal: tuple[int, ...] = (),
    environment: dict[str, str] | None = None,
    import_s: float = 60.0,
    browser: Browser | None = None,
) -> AsyncIterator[Place]:
    web = Web()
    try:
        carrier = await open_carrier(
            system,
            ca_pem=web.authority.cert_pem.bytes(),
            isolation=isolation,
            folder=folder,
            environment=environment,
            browser=browser,
        )
    except NoCarrier as error:
        pytest.skip(f"this machine makes no slots: {error}")
    try:
        await web.serve(carrier.import_doors)
        await carrier.imported(import_s)
        slot = await carrier.open_slot("one", terminal)
        await web.serve(slot.doors)
        yield Place(carrier, slot, web)
    finally:
        await carrier.close()
        web.close()


@pytest.fixture(autouse=True)
def nobodys_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test has to do with the home of whoever runs it."""
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def place() -> Open:
    """``async with place("module:attribute") as here``: a slot whose doors answer."""
    return _place

"""A system that reaches the web by the client that the question names."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.request

PAGE = "https://releases.acme-metals.example/notes"


def answer(prompt: str) -> object:
    way, _, rest = prompt.partition(" ")
    return globals()[way](*rest.split())


def by_httpx() -> str:
    import httpx

    return httpx.get(PAGE).text


def by_httpx_without_environment() -> str:
    import httpx

    with httpx.Client(trust_env=False) as client:
        return client.get(PAGE).text


def by_requests() -> str:
    import requests

    return requests.get(PAGE, timeout=10).text


def by_urllib() -> str:
    with urllib.request.urlopen(PAGE) as page:
        return page.read().decode()


def by_aiohttp() -> str:
    import aiohttp

    async def get() -> str:
        async with aiohttp.ClientSession() as session, session.get(PAGE) as page:
            return await page.text()

    return asyncio.run(get())


def by_pinned_roots() -> str:
    import certifi

    context = ssl.create_default_context(cafile=certifi.where())
    with urllib.request.urlopen(PAGE, context=context) as page:
        return page.read().decode()


def by_plain_http() -> str:
    with urllib.request.urlopen(PAGE.replace("https", "http")) as page:
        return page.read().decode()


def by_six() -> str:
    with urllib.request.urlopen("https://six.acme-metals.example/") as page:
        return page.read().decode()


def by_command(*argv: str) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else f"{done.returncode}: {done.stderr}"


def by_bare_python() -> str:
    code = f"import urllib.request; print(urllib.request.urlopen({PAGE!r}).read().decode())"
    return by_command("env", "-i", sys.executable, "-c", code).strip()


def by_node() -> str:
    node = shutil.which("node")
    assert node is not None
    return by_command(node, "-e", f"fetch('{PAGE}').then(r => r.text()).then(console.log)").strip()


def connect(host: str, port: str) -> str:
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as error:
        return type(error).__name__
    return "connected"


def send(host: str, port: str) -> str:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as datagrams:
        datagrams.sendto(b"anybody?", (host, int(port)))
    return "sent"


def resolve_at(server: str) -> str:
    """Ask a name server by its address, as a resolver does: only a reply from that address counts."""
    from dnslib import DNSRecord  # type: ignore[import-untyped]

    question = DNSRecord.question("direct.example")
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as datagrams:
        datagrams.settimeout(5)
        datagrams.connect((server, 53))
        datagrams.send(question.pack())
        return str(DNSRecord.parse(datagrams.recv(4096)).get_a().rdata)


def resolve_by_tcp(server: str) -> str:
    from dnslib import DNSRecord  # type: ignore[import-untyped]

    return str(DNSRecord.parse(DNSRecord.question("tcp.example").send(server, tcp=True)).get_a().rdata)


def resolve(name: str) -> str:
    try:
        return json.dumps(sorted({str(found[4][0]) for found in socket.getaddrinfo(name, 443)}))
    except OSError as error:
        return str(error)

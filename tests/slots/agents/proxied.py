"""What clients do where there is a proxy only. The client is made when this is imported, as many systems do."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable

import httpx

CLIENT = httpx.Client(follow_redirects=True, timeout=10)


def answer(prompt: str) -> str:
    way, *words = prompt.split()
    try:
        return str(WAYS[way](*words))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def by_the_client(url: str) -> int:
    return CLIENT.get(url).status_code


def by_httpx(url: str) -> int:
    return httpx.get(url, follow_redirects=True).status_code


def without_trust_env(url: str) -> int:
    with httpx.Client(trust_env=False) as client:
        return client.get(url).status_code


def by_requests(url: str) -> int:
    import requests

    return requests.get(url, timeout=10).status_code


def by_urllib(url: str) -> int:
    with urllib.request.urlopen(url, timeout=10) as response:
        return int(response.status)


def by_aiohttp(url: str) -> int:
    async def get() -> int:
        import aiohttp

        async with aiohttp.ClientSession(trust_env=True) as session, session.get(url) as response:
            return response.status

    return asyncio.run(get())


def by_curl(url: str) -> str:
    command = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", url]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def connect(host: str, port: str) -> str:
    with socket.create_connection((host, int(port)), timeout=5):
        return "connected"


def connect_6(host: str, port: str) -> str:
    with socket.socket(socket.AF_INET6) as sock:
        sock.connect((host, int(port)))
    return "connected"


def in_a_loop(host: str, port: str) -> str:
    async def get() -> str:
        await asyncio.open_connection(host, int(port))
        return "connected"

    return asyncio.run(get())


def by_a_python(host: str, port: str) -> str:
    code = f"import socket; socket.create_connection(({host!r}, {port}), timeout=5)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return ended.stderr.splitlines()[-1]


def send(host: str, port: str) -> int:
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        return sock.sendto(b"hello", (host, int(port)))


def own_address(host: str, port: str) -> str:
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        sock.connect((host, int(port)))
        return str(sock.getsockname()[0])


def look_up(name: str) -> str:
    return str(socket.getaddrinfo(name, 443)[0][4][0])


def listen_and_connect() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return connect("localhost", str(server.getsockname()[1]))


def tunnel(host: str, port: str) -> str:
    import os
    from urllib.parse import urlsplit

    proxy = urlsplit(os.environ["https_proxy"])
    with socket.create_connection((proxy.hostname, proxy.port), timeout=5) as sock:
        sock.sendall(f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        return sock.recv(100).split(b"\r\n")[0].decode()


WAYS: dict[str, Callable[..., object]] = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__module__", "") == __name__
}

"""A system that tries to leave in the way that the question names, and then answers rightly."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import tempfile
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")


class System:
    """``start_urls[0]`` holds the answer."""

    def retrieve(self, task: Any) -> str:
        url = task.start_urls[0]
        way, *rest = task.query.split()
        getattr(self, way)(
            *(part.replace("HOST", urlsplit(url).hostname).replace("START", url) for part in rest)
        )
        page = httpx.get(url, follow_redirects=True).text
        date = re.search(r"[Pp]ublished[^0-9]*(\d{1,2} \w+ \d{4})", re.sub(r"<[^>]+>", " ", page))
        assert date is not None
        return f"Published on {date[1]} ([source]({url}))."

    def close(self) -> None:
        for host, port in self.afterwards:
            self.connect(host, port)

    afterwards: tuple[tuple[str, str], ...] = ()

    def nothing(self) -> None:
        pass

    def look_up(self, *names: str) -> None:
        for name in names:
            with suppress(OSError):
                socket.getaddrinfo(name, 443)

    def look_up_itself(self) -> None:
        self.look_up(socket.gethostname(), socket.getfqdn())

    def look_up_the_bare_domain(self, host: str) -> None:
        self.look_up(f"nowhere.{'.'.join(host.split('.')[-2:])}")

    def ask(self, server: str, name: str) -> None:
        """A name server of its own choice."""
        from dnslib import DNSRecord  # type: ignore[import-untyped]

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
            datagrams.settimeout(5)
            datagrams.sendto(DNSRecord.question(name).pack(), (server, 53))
            datagrams.recv(4096)

    def get(self, url: str, host: str = "") -> None:
        with suppress(httpx.HTTPError):
            httpx.get(url, headers={"host": host} if host else {}, verify=False, timeout=5)

    def connect(self, host: str, port: str) -> None:
        with suppress(OSError):
            socket.create_connection((host, int(port)), timeout=5).close()

    def connect_afterwards(self, host: str, port: str) -> None:
        self.afterwards = ((host, port),)

    def greet(self, host: str, name: str) -> None:
        """A TLS hello for a name, to a host of another, and no request."""
        context = ssl.create_default_context()
        with socket.create_connection((host, 443), timeout=5) as connection:
            context.wrap_socket(connection, server_hostname=name).close()

    def send(self, host: str, port: str) -> None:
        kind = socket.getaddrinfo(host, int(port), type=socket.SOCK_DGRAM)[0]
        with socket.socket(kind[0], socket.SOCK_DGRAM) as datagrams, suppress(OSError):
            datagrams.sendto(b"anybody?", kind[4])

    def serve_itself(self) -> None:
        """A server of its own, by TCP and UDP, on loopback."""
        for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as server, socket.socket(family, socket.SOCK_DGRAM) as datagrams:
                server.bind((host, 0))
                server.listen()
                self.connect(host, str(server.getsockname()[1]))
                datagrams.bind((host, 0))
                datagrams.sendto(b"me", datagrams.getsockname())
                assert datagrams.recv(9) == b"me"

    def command(self, *argv: str) -> None:
        subprocess.run(argv, capture_output=True, check=False, timeout=20)

    def shell(self, *words: str) -> None:
        self.command("bash", "-c", " ".join(words))

    def browse(self, url: str) -> None:
        """Open an address in Chromium and stay until it is idle."""
        assert CHROMIUM is not None
        with tempfile.TemporaryDirectory() as profile:
            self.command(
                CHROMIUM,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--ignore-certificate-errors",
                f"--user-data-dir={profile}",
                "--timeout=3000",
                "--dump-dom",
                url,
            )

    def try_in_a_network_of_its_own(self) -> None:
        """It leads nowhere, whatever power one has over it."""
        script = "exec 3<>/dev/tcp/198.51.100.9/9000"
        done = subprocess.run(["unshare", "-Urn", "bash", "-c", script], capture_output=True, check=False)
        assert done.returncode != 0

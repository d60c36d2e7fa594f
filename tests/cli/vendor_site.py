"""A small real server on loopback: the internet of capture's tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PAGE = """<!doctype html><html><head><title>Acme releases</title><base href="/">
<link rel="stylesheet" href="css/a.css"><script src="/app.js" defer></script>
<link rel="preconnect" href="https://fonts.elsewhere.example"></head>
<body><h1>Releases</h1><p>Version <b>v3.2</b> is stable.</p><img src="/private/i.png"><img src="/huge.bin">
<a href="{origin}/older">older</a><p>key-of-this-machine</p></body></html>"""

KEY = "sk-proj-4f1c9a7be2d84c6f9a10b3c5"  # in an address, as vendors hand out links

# A page that is empty until its script has asked twice: the first answer says that it is not ready.
APP = """<!doctype html><html><head><title>Prices</title></head><body><main>…</main><script>
async function show() {
  const asked = await fetch("/graphql", {method: "POST", headers: {"content-type": "application/json"},
    body: JSON.stringify({operationName: "Price"})});
  const unit = await fetch("/graphql", {method: "POST", headers: {"content-type": "application/json"},
    body: JSON.stringify({operationName: "Unit"})});
  let state = await (await fetch("/job?id=7")).json();
  while (!state.ready) state = await (await fetch("/job?id=7")).json();
  document.querySelector("main").textContent =
    `The price is ${(await asked.json()).value} ${(await unit.json()).value}, ${state.ready}.`;
}
show();
</script></body></html>"""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        server: Any = self.server
        origin = f"http://127.0.0.1:{server.server_port}"
        server.asked.append(self.path)
        polls = server.asked.count("/job?id=7")
        answers: dict[str, tuple[int, str, bytes]] = {
            "/robots.txt": (200, "text/plain", b"User-agent: *\nDisallow: /private/\n"),
            "/latest": (302, "/releases", b""),
            "/releases": (200, "text/html; charset=utf-8", PAGE.replace("{origin}", origin).encode()),
            "/old": (302, f"/notes?v=3&token={KEY}", b""),
            f"/notes?v=3&token={KEY}": (200, "text/html", b"<title>Notes</title><p>Build 4.2.1 is out.</p>"),
            "/css/a.css": (200, "text/css", b'@import "b.css"; body { background: url(/bg.png) }'),
            "/css/b.css": (200, "text/css", b"p { color: black }"),
            "/bg.png": (200, "image/png", b"\x89PNG\r\n\x1a\n\x00"),
            "/app.js": (200, "text/javascript", b"document.title += '!';"),
            "/huge.bin": (200, "application/octet-stream", b"x" * 5_000_001),
            "/app": (200, "text/html", APP.encode()),
            "/job?id=7": (200, "application/json", b'{"ready": "final"}' if polls > 1 else b'{"ready": ""}'),
        }
        status, kind, body = answers.get(self.path, (404, "text/plain", b"no such page"))
        self._answer(status, kind, body)

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["content-length"]))
        self._answer(
            200, "application/json", b'{"value": "EUR"}' if b"Unit" in asked else b'{"value": "1234.50"}'
        )

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("location" if status == 302 else "content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("set-cookie", "session=cookie-of-a-visitor; Path=/")
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def vendor_site() -> Iterator[str]:
    """The server's origin."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

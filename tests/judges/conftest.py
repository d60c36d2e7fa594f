"""A model behind OpenAI's Chat Completions on loopback, whose replies a test decides; it counts what it is asked."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))


class Model:
    """``say`` makes the reply out of the request's inputs; ``requests`` are the bodies that came."""

    def __init__(self) -> None:
        self.say: Callable[[dict[str, str]], str] = lambda inputs: ""
        self.requests: list[dict[str, Any]] = []
        self.url = ""


@pytest.fixture
def model() -> Iterator[Model]:
    made = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            made.requests.append(body | {"path": self.path, "key": self.headers["Authorization"]})
            reply = made.say(json.loads(body["messages"][1]["content"]))
            data = json.dumps({"choices": [{"message": {"role": "assistant", "content": reply}}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        made.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        yield made
        server.shutdown()
        thread.join()

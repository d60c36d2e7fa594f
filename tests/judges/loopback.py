"""A model behind OpenAI's Chat Completions on loopback, whose replies a test decides; it counts what it is asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pytest_webretrieval.judges.probes import PROBES
from pytest_webretrieval.judges.prompts import JUDGES


class Model:
    """``say`` makes the reply out of the request's inputs; ``requests`` are the bodies that came."""

    def __init__(self) -> None:
        self.say: Callable[[dict[str, str]], str] = lambda inputs: ""
        self.requests: list[dict[str, Any]] = []
        self.url = ""


def knows(inputs: dict[str, str]) -> str:
    """What a good judge says of the probes, and the best verdict of anything else, with a word of the quoted text."""
    judge = next(judge for judge in JUDGES.values() if set(judge.fields) == set(inputs))
    best = {"support": "full", "answer": "CORRECT", "relevance": "4"}[judge.name]
    verdict = next((said for asked, said in PROBES[judge.name] if dict(asked) == inputs), best)
    return json.dumps({"verdict": verdict, "quote": inputs[judge.quoted_from][:12], "reason": "So."})


@contextmanager
def serving() -> Iterator[Model]:
    """A model that answers at its ``url`` until the block ends."""
    made = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            made.requests.append(body | {"path": self.path, "key": self.headers.get("Authorization")})
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

"""A server that behaves as the question tells it to: ``server.py PORT [how it starts]``."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

asked = 0


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        global asked
        asked += 1
        self.task = json.loads(self.rfile.read(int(self.headers["content-length"])))
        way, _, rest = self.task["prompt"].partition(" ")
        print(f"asked: {way}", flush=True)
        getattr(self, way)(*rest.split())

    def answer(self, body: str, kind: str = "text/plain", status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {
            "content-type": kind,
            "content-length": str(len(body.encode())),
            **headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def count(self) -> None:
        self.answer(str(asked))

    def number(self) -> None:
        self.answer(str(os.getpid()))

    def fields(self) -> None:
        self.answer(json.dumps({"answer": " ".join(sorted(self.task))}), "application/json")

    def environment(self, name: str) -> None:
        self.answer(os.environ.get(name, "(not set)"))

    def text(self) -> None:
        self.answer("  plain\n", "text/html; charset=utf-8")

    def quoted(self) -> None:
        self.answer('"a string"', "application/json; charset=utf-8")

    def chat(self) -> None:
        self.answer(
            json.dumps({"choices": [{"message": {"role": "assistant", "content": "hi"}}]}), "application/json"
        )

    def not_json(self) -> None:
        self.answer("{", "application/json")

    def page(self) -> None:
        self.answer("<!DOCTYPE html><title>Oops</title>", "text/html")

    def events(self) -> None:
        self.answer("data: x\n\n", "text/event-stream")

    def fails(self) -> None:
        self.answer("<html><title>500</title>Traceback: KeyError</html>", "text/html", 500)

    def moves(self) -> None:
        self.answer("", status=307, location="/answer/")

    def exit(self, code: str) -> None:
        print("no way out of here", file=sys.stderr, flush=True)
        os._exit(int(code))

    def kill_itself(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def hang(self) -> None:
        time.sleep(600)

    def hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def exit_after(self) -> None:
        self.answer("gone soon")
        self.wfile.flush()
        os._exit(4)

    def huge(self, megabytes: str) -> None:
        self.answer("x" * (int(megabytes) << 20))

    def huge_json(self, megabytes: str) -> None:
        self.answer(json.dumps({"answer": "x" * (int(megabytes) << 20)}), "application/json")

    def fetch(self, url: str) -> None:
        with urllib.request.urlopen(url) as response:
            self.answer(response.read().decode())

    def late(self, host: str) -> None:
        """Everything is ready for a request that is sent when the answer has been."""
        connection = http.client.HTTPSConnection(host)
        connection.connect()
        self.answer("answered")
        self.wfile.flush()
        connection.request("GET", "/")
        connection.getresponse().read()

    def log_message(self, *_: object) -> None:
        """Nothing."""


def main(port: str, start: str = "") -> None:
    print("starting", flush=True)
    match start:
        case "slowly":
            time.sleep(1)
        case "dies":
            raise SystemExit("no key for the model")
        case "never":
            time.sleep(600)
        case "forks":  # as npm and shells do
            if os.fork():
                os.wait()
                return
    ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()


main(*sys.argv[1:])

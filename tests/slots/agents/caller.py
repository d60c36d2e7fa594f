"""A system that calls servers of the real machine, as far as it can."""

from __future__ import annotations

import socket
import threading
import urllib.request
from typing import Any


def answer(prompt: str) -> object:
    way, _, rest = prompt.partition(" ")
    return globals()[way](*rest.split())


class Keeper:
    """Keeps its connection from step to step."""

    def retrieve(self, task: Any) -> object:
        way, _, rest = task.prompt.partition(" ")
        return getattr(self, way)(*rest.split())

    def keep(self, host: str, port: str, word: str) -> str:
        self.connection = socket.create_connection((host, int(port)), timeout=5)
        return self.say_by_kept(word)

    def say_by_kept(self, word: str) -> str:
        self.connection.sendall(f"{word}\r\n".encode())
        return self.connection.recv(4096).decode().strip()

    def nothing(self) -> str:
        return "nothing"


def say(host: str, port: str, word: str) -> str:
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        connection.sendall(f"{word}\r\n".encode())
        connection.shutdown(socket.SHUT_WR)
        with connection.makefile() as file:
            return file.read().strip()


def get(url: str) -> int:
    with urllib.request.urlopen(url, timeout=10) as page:
        return len(page.read())


def connect(host: str, port: str) -> str:
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as error:
        return type(error).__name__
    return "connected"


def resolve_and_connect(host: str, port: str) -> str:
    try:
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            return connection.recv(1).decode() or "closed"
    except ConnectionResetError:
        return "reset"


def serve_and_ask(host: str) -> str:
    with socket.create_server((host, 0)) as server:
        threading.Thread(target=lambda: server.accept()[0].sendall(b"own"), daemon=True).start()
        with socket.create_connection(server.getsockname(), timeout=5) as connection:
            return connection.recv(9).decode()

"""Ways in to a system under test: what ``--webretrieval-system`` names."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from urllib.parse import urlsplit

EXPECTED = (
    "expected `module:name` (a callable with one parameter, or an object, class or factory with "
    "`retrieve(task)`), `cmd: command {prompt}` or `serve: command @ http://localhost:PORT/path`"
)
_REFERENCE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_DOTTED = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*)\.([^\W\d]\w*)")
_REMOTE = (
    "expected http:// or https://, a host and a path: a key belongs into a header that a proxy of yours adds"
)
_LOCAL = ("localhost", "127.0.0.1", "::1")
# At these a slot has doors of its own, at every address.
_TAKEN = (53, 80, 443)


class SystemUnusable(Exception):
    """A way in that leads nowhere; the message names the system, what is wrong and what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonWay:
    """``module:attribute``; both may be dotted."""

    spec: str
    module: str
    attribute: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandWay:
    """A command, split into words; ``{prompt}`` still stands in them."""

    spec: str
    words: tuple[str, ...]

    @property
    def takes_prompt(self) -> bool:
        return any("{prompt}" in word for word in self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeWay:
    """A command that starts a server, split into words, and the URL at which it is asked. In both, ``{port}`` may
    still stand for a port that is free where the server runs."""

    spec: str
    words: tuple[str, ...]
    url: str

    @property
    def has_own_port(self) -> bool:
        """Whether the server takes the port that it is given."""
        return "{port}" in self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteWay:
    """A URL at which a system that runs somewhere else is asked; in the live lane alone."""

    spec: str
    url: str


LocalWay = PythonWay | CommandWay | ServeWay
Way = LocalWay | RemoteWay


def parse(spec: str) -> Way:
    """The way that a text names; imports and runs nothing. Raises SystemUnusable."""
    text = spec.strip()
    if text.startswith("cmd:"):
        return _command(spec, text.removeprefix("cmd:"))
    if text.startswith("serve:"):
        return _serve(spec, text.removeprefix("serve:"))
    if re.match(r"https?://", text, re.IGNORECASE):
        return _remote(spec, text)
    if _REFERENCE.fullmatch(text) and ".py:" not in text:
        module, attribute = text.split(":")
        return PythonWay(spec=spec, module=module, attribute=attribute)
    raise SystemUnusable(f"system `{spec}`: {_hint(text)}{EXPECTED}")


def local_only(spec: str) -> LocalWay:
    """The same for a lane in which a system runs in a slot. Raises SystemUnusable for one that does not."""
    way = parse(spec)
    if isinstance(way, RemoteWay):
        raise SystemUnusable(f"system `{spec}`: a remote system runs in the live lane only; {EXPECTED}")
    return way


def lives_on(spec: str | None) -> bool:
    """Whether a system's process is its slot's, so that it goes on from run to run. Raises SystemUnusable."""
    return spec is not None and isinstance(parse(spec), ServeWay)


def _remote(spec: str, url: str) -> RemoteWay:
    """Raises SystemUnusable, in which nothing is shown that may be a secret."""
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        raise SystemUnusable(f"system: its URL (not shown) cannot be read; {_REMOTE}") from None
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    if not usable:
        raise SystemUnusable(f"system `{shown}`: is no URL at which a system can be asked; {_REMOTE}")
    if parts.username is not None or parts.query or parts.fragment:
        raise SystemUnusable(
            f"system `{shown}`: has a user, a query or a fragment (not shown: it may be a secret, and every run keeps "
            f"the URL); {_REMOTE}"
        )
    return RemoteWay(spec=spec, url=url)


def _command(spec: str, template: str) -> CommandWay:
    return CommandWay(spec=spec, words=_words(spec, template))


def _words(spec: str, template: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(template))
    except ValueError as error:
        raise SystemUnusable(f"system `{spec}`: {str(error).lower()}; {EXPECTED}") from None
    if not words:
        raise SystemUnusable(f"system `{spec}`: the command is empty; {EXPECTED}")
    return words


def _serve(spec: str, text: str) -> ServeWay:
    template, at, url = text.rpartition(" @ ")
    url = url.strip()
    if not at:
        raise SystemUnusable(f"system `{spec}`: ` @ URL` is missing, where the server is asked; {EXPECTED}")
    words = _words(spec, template)
    try:
        parts = urlsplit(url.replace("{port}", "1024"))
        port = parts.port
    except ValueError as error:
        raise SystemUnusable(f"system `{spec}`: `{url}` is no URL: {str(error).lower()}") from None
    if parts.scheme != "http" or parts.hostname not in _LOCAL:
        raise SystemUnusable(
            f"system `{spec}`: `{url}` is not in the slot; expected http:// and {', '.join(_LOCAL[:2])} or [::1]"
        )
    if port is None or port in _TAKEN:
        raise SystemUnusable(
            f"system `{spec}`: `{url}` names {'no port' if port is None else f'port {port}'}; name one that the "
            f"server listens on and that is not {', '.join(map(str, _TAKEN))}: a slot has doors there"
        )
    return ServeWay(spec=spec, words=words, url=url)


def _hint(text: str) -> str:
    if not text:
        return ""
    if dotted := re.fullmatch(r"(?:\./)?([\w/]+)\.py(?::(\w+))?", text):
        return f"did you mean `{dotted[1].replace('/', '.')}:{dotted[2] or 'answer'}`? "
    if dotted := _DOTTED.fullmatch(text):
        return f"did you mean `{dotted[1]}:{dotted[2]}`? "
    if " " in text and ":" not in text.split()[0]:
        return f"did you mean `cmd: {text}`? "
    return ""

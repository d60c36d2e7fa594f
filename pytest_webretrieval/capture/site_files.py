"""Exchanges into the files of a site: a page a file, and a declaration where a file cannot say it. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml

from fixture_server.marks import MarkError, read_template
from fixture_server.recorded import without_boundary
from fixture_server.route import fixed
from fixture_server.sites import DECLARED

from .exchange import KEPT_HEADERS, Exchange, first
from .media import is_default, suffix_of

_PLAIN_NAME = re.compile(r"[\w~!$&'()+,;=@-][\w.~!$&'()+,;=@-]{0,99}\Z")
_REPORTING = re.compile(r"\s*(?:report-uri|report-to)\s[^;]*(?:;|$)", re.IGNORECASE)
_HTML = ".html"
_HOST, _ADDRESS = re.compile(r"[\w.-]+\Z"), re.compile(r"[\d.]+\Z")
_VALIDATORS = ("etag", "last-modified")  # of a page's parts nobody asks whether they are still good
_NOT_RECORDED = ("HEAD", "OPTIONS")  # the world answers them by what it knows of GET and of other origins
SITE = PurePosixPath("pages/https")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What tells requests of one address apart."""

    method: str
    query: str
    sent: str
    sha256: str


def site_files(exchanges: Iterable[Exchange], timings: bool = False) -> dict[PurePosixPath, bytes]:
    """The files, by their path in a case folder. With ``timings`` each answer takes as long as it did."""
    pages: dict[tuple[str, str], list[Exchange]] = {}
    for one in exchanges:
        if one.method not in _NOT_RECORDED and not _only_to_https(one):
            pages.setdefault((one.host, unquote(urlsplit(one.url).path) or "/"), []).append(one)
    # Each page's own name is kept for it: the body of /a must not lie where /a.html does.
    names = {SITE / host / path.lstrip("/") for host, path in pages}
    folders = {folder for name in names for folder in name.parents}
    files: dict[PurePosixPath, bytes] = {}
    for (host, path), ones in pages.items():
        files |= _page(host, path, ones, names | folders, timings)
    return files


def servable(exchanges: Iterable[Exchange]) -> tuple[list[Exchange], list[str]]:
    """The exchanges that the world can serve, and a line for each host that it cannot."""
    kept: list[Exchange] = []
    left_out: dict[str, None] = {}
    for one in exchanges:
        if why := _unservable(one):
            left_out[why] = None
        else:
            kept.append(one)
    return kept, list(left_out)


def _unservable(one: Exchange) -> str | None:
    parts = urlsplit(one.url)
    try:
        port = parts.port
    except ValueError:
        return f"{one.url}: no port that can be read"
    if port not in (None, 443 if parts.scheme == "https" else 80):
        return f"{one.host}:{port}: the world serves 443 and 80 only; --as moves a page's own origin"
    if "." not in one.host or not _HOST.match(one.host) or _ADDRESS.match(one.host):
        return f"{one.host}: the world serves names that look public; --as moves a page's own origin"
    return f"{one.host}: the world itself answers for this host" if one.host in fixed() else None


def absent_hosts(hosts: Iterable[str]) -> dict[PurePosixPath, bytes]:
    """A site for each host that pages name and nobody captured: it is there, and has nothing. To ask a host that is
    not there at all counts as a try to leave."""
    text = _yaml({"status": 404, "search": False})
    return {SITE / host / f"index{DECLARED}": text for host in hosts}


def _only_to_https(one: Exchange) -> bool:
    """The world sends everybody who comes by http to https itself."""
    return one.url.startswith("http://") and first(one.headers, "location") == f"https{one.url[4:]}"


def _page(
    host: str, path: str, ones: Sequence[Exchange], taken: set[PurePosixPath], timings: bool
) -> dict[PurePosixPath, bytes]:
    name, where, declared = _name(host, path, taken)
    asked = _by_request(ones)
    files: dict[PurePosixPath, bytes] = {}
    bodies = _Bodies(where / name, taken - {SITE / host / path.lstrip("/")}, files)
    if len(asked) == 1 and next(iter(asked)) == _Asked("GET", "", "", ""):
        (answers,) = asked.values()
        told = _sequence(answers, bodies, timings)
    else:
        told = {
            "asked": [_request(one) | _sequence(answers, bodies, timings) for one, answers in asked.items()]
        }
    if path == "/robots.txt":
        told["search"] = False
    if any(_looks_marked(body) for body in files.values()):
        told["marks"] = False
    declared |= told
    if declared.get("body") in (name, f"{name}{_HTML}"):
        del declared["body"]  # a file of the page's name is its own
    if _says_it_all(declared, path, files):
        return files
    files[where / f"{name}{DECLARED}"] = _yaml(declared)
    return files


def _name(host: str, path: str, taken: set[PurePosixPath]) -> tuple[str, PurePosixPath, dict[str, Any]]:
    """The name of a page's files, their folder, and the declared path where no name can hold it: a declaration for
    ``/a`` would take ``a.html`` for its own."""
    folder, _, last = path[1:].rpartition("/")
    if all(_PLAIN_NAME.match(part) or part == ".well-known" for part in folder.split("/") if folder):
        if not last:
            return "index", SITE / host / folder, {}
        plain = (
            _PLAIN_NAME.match(last) and last not in ("index", "index.html") and not last.endswith(DECLARED)
        )
        if plain and SITE / host / f"{path[1:]}{_HTML}" not in taken:
            return last, SITE / host / folder, {}
    return f"at-{hashlib.sha256(path.encode()).hexdigest()[:10]}", SITE / host, {"path": path}


def _by_request(ones: Sequence[Exchange]) -> dict[_Asked, list[Exchange]]:
    """The answers to each request, in order; an answer that only repeats the one before it is one with it."""
    found: dict[_Asked, list[Exchange]] = {}
    for one in ones:
        answers = found.setdefault(_asked(one), [])
        if not answers or _told(answers[-1]) != _told(one):
            answers.append(one)
    return found


def _asked(one: Exchange) -> _Asked:
    query = urlsplit(one.url).query
    if not one.sent:
        return _Asked(one.method, query, "", "")
    try:
        return _Asked(one.method, query, without_boundary(one.sent.decode("utf-8"), one.sent_type), "")
    except UnicodeDecodeError:
        return _Asked(one.method, query, "", hashlib.sha256(one.sent).hexdigest())


def _told(one: Exchange) -> tuple[int, str, bytes]:
    return one.status, first(one.headers, "location"), one.body


def _request(one: _Asked) -> dict[str, Any]:
    told: dict[str, Any] = {"method": one.method}
    if one.query or one.method != "GET":
        told["parameters"] = one.query
    if one.sha256:
        told["sent_sha256"] = one.sha256
    elif one.method not in ("GET", "HEAD", "OPTIONS"):
        told["sent"] = one.sent
    return told


class _Bodies:
    """Puts the bodies of one page into ``files``, each under a name of its own that nobody has taken."""

    def __init__(
        self, page: PurePosixPath, taken: set[PurePosixPath], files: dict[PurePosixPath, bytes]
    ) -> None:
        self._page, self._taken, self._files = page, taken, files

    def add(self, one: Exchange) -> str:
        """The name of the file with the answer's body."""
        for path, body in self._files.items():
            if body == one.body and path.suffix == suffix_of(one):
                return path.name
        suffix = suffix_of(one)
        stem = self._page.name.removesuffix(suffix)
        names = (f"{stem}{f'.{number}' if number else ''}{suffix}" for number in count())
        path = next(
            path
            for name in names
            if (path := self._page.parent / name) not in self._taken and path not in self._files
        )
        self._files[path] = one.body
        return path.name


def _sequence(answers: Sequence[Exchange], bodies: _Bodies, timings: bool) -> dict[str, Any]:
    if len(answers) == 1:
        return _answer(answers[0], bodies, timings)
    return {"sequence": [_answer(one, bodies, timings) for one in answers]}


def _answer(one: Exchange, bodies: _Bodies, timings: bool) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if one.status != 200:
        told["status"] = one.status
    if location := first(one.headers, "location"):
        told["location"] = location
    if one.body or (one.status == 200 and not location):
        told["body"] = bodies.add(one)
        if one.media_type and not is_default(one):
            told["media_type"] = one.media_type
    if headers := _headers(one):
        told["headers"] = headers
    if timings and one.time_s:
        told["delay_s"] = round(one.time_s, 3)
    return told


def _headers(one: Exchange) -> dict[str, Any]:
    kept: dict[str, list[str]] = {}
    for name, value in one.headers:
        if name in KEPT_HEADERS and (one.is_document or name not in _VALIDATORS):
            value = _REPORTING.sub("", value) if name == "content-security-policy" else value
            kept.setdefault(name, []).extend([value] if value.strip() else [])
    return {name: values[0] if len(values) == 1 else values for name, values in kept.items() if values}


def _looks_marked(body: bytes) -> bool:
    """Whether something in a text would be read as a mark of the world's."""
    try:
        pieces = read_template(body.decode("utf-8")).pieces
    except UnicodeDecodeError:
        return False
    except MarkError:
        return True
    return any(not isinstance(piece, str) for piece in pieces)


def _says_it_all(declared: Mapping[str, Any], path: str, files: Mapping[PurePosixPath, bytes]) -> bool:
    """Whether the file alone is the page: its name is the address', and nothing else is to be told."""
    if declared or len(files) != 1:
        return False
    name = next(iter(files)).name
    return name == (PurePosixPath(path).name if not path.endswith("/") else "index.html")


def _yaml(told: Mapping[str, Any]) -> bytes:
    return yaml.safe_dump(dict(told), sort_keys=False, allow_unicode=True, width=1000).encode("utf-8")

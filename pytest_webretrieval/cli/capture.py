"""``webretrieval capture``: a real page, or a HAR, becomes a site and a case."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from pytest_webretrieval.capture.case_text import Told, case_id, case_text, cloze
from pytest_webretrieval.capture.exchange import CaptureError, Exchange, moved
from pytest_webretrieval.capture.fetch import fetch_page, is_private
from pytest_webretrieval.capture.har import read_har
from pytest_webretrieval.capture.place import Place, place_of, title_of
from pytest_webretrieval.capture.scrub import scrubbed, scrubber_for
from pytest_webretrieval.capture.site_files import absent_hosts, servable, site_files
from pytest_webretrieval.capture.write import write_case, write_files
from pytest_webretrieval.cases.patterns import as_pattern
from pytest_webretrieval.cases.yaml_reader import shown

CASES = Path("cases")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")


def add(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("capture", help="make a case and its site of a real page, or of a HAR")
    parser.add_argument("url", nargs="?", help="the page to fetch; with --har, where the task begins")
    parser.add_argument("--fact", required=True, help="what the answer must say, as the page writes it")
    parser.add_argument("--har", type=Path, help="a HAR of your browser in place of a fetch")
    parser.add_argument("--case", help="id of the case (default: from the address)")
    parser.add_argument("--query", help="the question (default: made of the line in which the fact stands)")
    parser.add_argument("--into", type=Path, default=CASES, metavar="DIR", help=f"case folder ({CASES})")
    parser.add_argument(
        "--as",
        dest="origin",
        metavar="ORIGIN",
        help="whose page it shall be, as https://docs.vendor.example/",
    )
    parser.add_argument("--timings", action="store_true", help="each answer takes as long as it did")
    parser.add_argument("--replace", action="store_true", help="write anew what is there already")
    parser.set_defaults(verb=capture)


def capture(arguments: argparse.Namespace) -> int:
    """Print what was done; 0, or 1 with one line that says why not, 2 for a call without a page."""
    try:
        if arguments.url is None and arguments.har is None:
            raise CaptureError("no page; expected `webretrieval capture URL --fact TEXT`, or --har FILE")
        return _capture(arguments)
    except CaptureError as error:
        for line in scrubber_for({}).text(str(error)).splitlines():
            print(f"webretrieval: capture: {line}", file=sys.stderr)
        return 2 if arguments.url is None and arguments.har is None else 1


def _capture(arguments: argparse.Namespace) -> int:
    named: frozenset[str] = frozenset()
    left_out: Sequence[str] = ()
    start: str | None = arguments.url
    if arguments.har is None:
        _refuse_private(start or "", arguments.origin)
        fetched = fetch_page(start or "", _say)
        exchanges, named, secrets = list(fetched.exchanges), fetched.named, fetched.secrets
    else:
        recording = read_har(arguments.har)
        exchanges, secrets = list(recording.exchanges), dict(recording.secrets)
        left_out = recording.left_out
        start = start or _first_page(exchanges)
    if arguments.origin is not None:
        parts = urlsplit(start or "")
        exchanges = moved(exchanges, f"{parts.scheme}://{parts.netloc}", _origin(arguments.origin))
        start = _origin(arguments.origin) + (start or "")[len(f"{parts.scheme}://{parts.netloc}") :]
    scrub = scrubber_for(secrets)
    exchanges, unservable = servable(scrubbed(exchanges, scrub))
    for line in (*left_out, *unservable):
        _say(scrub.text(f"left out: {line}"))
    place = place_of(arguments.fact, exchanges)
    name = arguments.case or case_id(start or "")
    if not _ID.match(name):
        raise CaptureError(f"--case {name!r}: use letters, digits, `.`, `_` and `-`, a letter or digit first")
    files = {**site_files(exchanges, arguments.timings), **absent_hosts(named)}
    told = _told(arguments, scrub.text(start or ""), place, exchanges, name)
    _write(arguments, files, replace(told, query=scrub.text(told.query), note=scrub.text(told.note)))
    return 0


def _told(
    arguments: argparse.Namespace, start: str, place: Place, exchanges: Sequence[Exchange], name: str
) -> Told:
    page = next((one for one in place.exchanges if one.is_document), None) or _document(start, exchanges)
    sources = (
        [page.url, *(one.url for one in place.exchanges if one is not page)] if not place.readable else []
    )
    source = f"captured from {arguments.har.name}" if arguments.har else f"captured from {arguments.url}"
    return Told(
        id=name,
        query=arguments.query or cloze(arguments.fact, place.line, title_of(page)),
        start_url=_https(start),
        fact=arguments.fact,
        sources=[as_pattern(_https(url)) for url in sources],
        needs_browser=not place.readable,
        note=f"{source}; read the question before you trust it",
    )


def _document(start: str, exchanges: Sequence[Exchange]) -> Exchange:
    """The page that a task begins with, after its redirects."""
    documents = [
        one
        for one in exchanges
        if one.is_document and one.status == 200 and not one.url.endswith("/robots.txt")
    ]
    if not documents:
        raise CaptureError("no page was captured, only its parts; --har needs the document, too")
    return next((one for one in documents if one.url == start), documents[0])


def _first_page(exchanges: Sequence[Exchange]) -> str:
    """Where a recording begins: at the first document, or at the redirect that leads there."""
    for one in exchanges:
        if one.redirects or one.is_document:
            return one.url
    raise CaptureError("the HAR holds no page; record from before the page was opened")


def _write(arguments: argparse.Namespace, files: dict[PurePosixPath, bytes], told: Told) -> None:
    path = arguments.into / f"{told.id}.yaml"
    if path.exists() and not arguments.replace:
        raise CaptureError(f"{shown(path)}: there already; --case gives another id, --replace writes anew")
    written = write_files(arguments.into, files, arguments.replace)
    write_case(path, case_text(told), arguments.replace)
    hosts = sorted({name.parts[2] for name in files})
    print(f"{shown(path)}: case {told.id}: {told.query}")
    print(f"{shown(arguments.into / 'pages')}: {len(written)} files written, of {', '.join(hosts)}")
    if told.needs_browser:
        print("the fact is written by a script: the case needs a browser")
    print(f"run it: pytest --lane=fixture {shown(path)}")


def _refuse_private(url: str, origin: str | None) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise CaptureError(f"{url!r} is no address; expected https://host/path")
    if is_private(parts.hostname) and origin is None:
        raise CaptureError(
            f"{url}: {parts.hostname} is this machine's or its network's; say whose page it shall be, as in "
            "--as https://docs.vendor.example/"
        )


def _origin(given: str) -> str:
    """An origin that the world can have, without a slash at its end. Raises CaptureError."""
    parts = urlsplit(given)
    host = parts.hostname or ""
    if (
        parts.scheme != "https"
        or parts.netloc != host
        or parts.path not in ("", "/")
        or parts.query
        or is_private(host)
    ):
        raise CaptureError(
            f"--as {given!r}: expected an origin with a public name, as in https://docs.vendor.example/"
        )
    return f"https://{host}"


def _https(url: str) -> str:
    return f"https{url[4:]}" if url.startswith("http://") else url


def _say(line: str) -> None:
    print(line, file=sys.stderr)

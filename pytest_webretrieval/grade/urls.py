"""One canonicaliser of URLs and one reader of URL patterns.

Two URLs are identical when their canonical forms are equal. Whether two different URLs are equivalent in a
run, because it holds a redirect or a canonical link between them, is for ``grade.seen`` to say. The rules are
RFC 3986's (section 6.2.2: case, escapes, dot segments; 6.2.3: default ports) and UTS 46 without transitional
mapping for hosts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

_PORTS = {"http": "80", "https": "443"}
_SCHEMES = ("http", "https", "fixture")
_TRACKING_LIST = (
    "gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid twclid ttclid li_fat_id igshid mc_cid mc_eid "
    "_hsenc _hsmi mkt_tok vero_id oly_anon_id oly_enc_id wickedid rb_clickid s_cid ref_src"
)
_TRACKING = frozenset(_TRACKING_LIST.split())
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})?")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_NOT_ASCII = re.compile(r"[^\x21-\x7e]+")
_BAD_HOST = re.compile(r"[\x00-\x20\"#%/<>?@\[\\\]^`{|}]")
# Public suffixes of two labels; every other suffix counts as one label, `.example` too.
_DOUBLE_SUFFIXES_LIST = (
    "co.uk org.uk ac.uk gov.uk com.au net.au org.au gov.au edu.au co.jp or.jp ne.jp ac.jp go.jp com.tw "
    "org.tw gov.tw edu.tw idv.tw com.cn org.cn gov.cn edu.cn net.cn com.hk gov.hk org.hk edu.hk co.kr "
    "or.kr go.kr ac.kr com.br gov.br org.br co.nz govt.nz org.nz ac.nz co.in gov.in org.in ac.in com.sg "
    "gov.sg edu.sg com.mx gob.mx com.ar gob.ar co.za gov.za gouv.fr github.io"
)
_DOUBLE_SUFFIXES = frozenset(_DOUBLE_SUFFIXES_LIST.split())


class UrlError(ValueError):
    """A URL or a URL pattern that cannot be used; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Url:
    """The parts of a canonical URL; ``port`` is empty for the scheme's own, ``query`` is empty when there
    is none."""

    scheme: str
    host: str
    port: str
    path: str
    query: str

    def __str__(self) -> str:
        port = f":{self.port}" if self.port else ""
        query = f"?{self.query}" if self.query else ""
        return f"{self.scheme}://{self.host}{port}{self.path}{query}"


@lru_cache(maxsize=8192)
def parse(url: str) -> Url:
    """The canonical parts of an absolute URL. Raises UrlError for what no page of the web is named by:
    another scheme, no host, userinfo, a backslash, a port that is not a number."""
    text = url.strip()
    if "\\" in text:
        raise UrlError("a backslash in a URL")
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise UrlError(str(error)) from error
    scheme = parts.scheme.lower()
    if scheme not in _SCHEMES:
        raise UrlError(f"a URL with the scheme {scheme or 'of nothing'!r}; http or https is needed")
    if "@" in parts.netloc:
        raise UrlError("a user name in a URL")
    host, port = _split_port(parts.netloc)
    if port == _PORTS.get(scheme):
        port = ""
    path = _remove_dots(_unescape(_quote(parts.path))) or "/"
    return Url(scheme, _host(host), port, path, _query(parts.query))


@lru_cache(maxsize=8192)
def canonical(url: str) -> str:
    """The identity of a URL as a string; a URL that cannot be parsed is only identical to itself."""
    try:
        return str(parse(url))
    except UrlError:
        return url.strip()


def resolve(base: str, reference: str) -> str | None:
    """The identity of what ``reference`` names on the page ``base``; None when it names no web page."""
    try:
        return str(parse(urljoin(base, reference.strip())))
    except ValueError:
        return None


def host_of(url: str) -> str:
    """The canonical host, or the empty string."""
    try:
        return parse(url).host
    except UrlError:
        return ""


def origin_of(url: str) -> str:
    """Scheme, host and port as one string, or the empty string."""
    try:
        parts = parse(url)
    except UrlError:
        return ""
    return f"{parts.scheme}://{parts.host}:{parts.port}"


@lru_cache(maxsize=1024)
def site_of(host: str) -> str:
    """The registrable domain of a host: who can be held responsible for it. An address stands for itself."""
    labels = host.split(".")
    if len(labels) < 3 or ":" in host or labels[-1].isdigit():
        return host
    return ".".join(labels[-3:] if ".".join(labels[-2:]) in _DOUBLE_SUFFIXES else labels[-2:])


def _split_port(netloc: str) -> tuple[str, str]:
    if netloc.startswith("["):
        host, _, rest = netloc.partition("]")
        host, port = f"{host}]", rest.removeprefix(":")
    else:
        host, _, port = netloc.partition(":")
    if port and not (port.isascii() and port.isdigit()):
        raise UrlError(f"the port {port!r}")
    return host, str(int(port)) if port else ""


def _host(host: str) -> str:
    if host.startswith("["):
        return host.lower()
    if not host.isascii() or "xn--" in host.lower():
        import idna

        try:
            host = idna.encode(host, uts46=True, transitional=False, std3_rules=False).decode("ascii")
        except idna.IDNAError as error:
            raise UrlError(f"the host {host!r}: {error}") from error
    host = host.lower().rstrip(".")
    if not host or ".." in host or host.startswith(".") or _BAD_HOST.search(host):
        raise UrlError(f"the host {host!r}")
    return host


def _quote(text: str) -> str:
    return _NOT_ASCII.sub(
        lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass")), text
    )


def _unescape(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        if match.group(1) is None:
            return "%25"
        char = chr(int(match.group(1), 16))
        return char if char in _UNRESERVED else match.group().upper()

    return _ESCAPE.sub(one, text) if "%" in text else text


def _remove_dots(path: str) -> str:
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments[1:]:
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    tail = "/" if segments[-1] in (".", "..") and kept else ""
    return "/" + "/".join(kept) + tail


def _query(query: str) -> str:
    if not query:
        return ""
    kept = [
        pair
        for pair in query.split("&")
        if pair and not (key := pair.partition("=")[0].lower()).startswith("utm_") and key not in _TRACKING
    ]
    return _unescape(_quote("&".join(kept)))


@dataclass(frozen=True, slots=True)
class Pattern:
    """A URL pattern, ready to be asked whether it admits a URL."""

    source: str
    scheme: str
    port: str
    labels: tuple[re.Pattern[str], ...]
    segments: tuple[re.Pattern[str], ...]
    query: str | None

    def admits(self, url: str) -> bool:
        """Whether the pattern names ``url``, by its identity alone; a URL that cannot be parsed is never
        admitted."""
        try:
            parts = parse(url)
        except UrlError:
            return False
        if (parts.scheme, parts.port) != (self.scheme, self.port):
            return False
        if self.query is not None and parts.query.replace("*", "%2A") != self.query:
            return False
        return _all_match(self.labels, parts.host.split(".")) and _all_match(
            self.segments, parts.path.split("/")[1:]
        )


def _all_match(patterns: tuple[re.Pattern[str], ...], parts: list[str]) -> bool:
    return len(patterns) == len(parts) and all(
        pattern.fullmatch(part) for pattern, part in zip(patterns, parts, strict=True)
    )


# Stands for `*` while a pattern is made canonical: a letter sequence that canonicalising leaves alone.
_STAR = "zqstarqz"


@lru_cache(maxsize=1024)
def compile_pattern(source: str) -> Pattern:
    """Read ``scheme://host/path`` where ``*`` stands for one or more characters of one host label or path
    segment.

    ``*`` crosses neither ``.`` in the host nor ``/`` in the path, and matches no escaped slash. A query in
    the pattern must be met exactly, where ``%2A`` names a ``*`` too; without one, a URL may have a query only
    when the last segment of the pattern has a ``*``. Raises UrlError for a pattern that could never match or
    that would match more than it seems to.
    """
    if "**" in source:
        raise UrlError(f"{source!r}: `**` is not a pattern; `*` stands for one segment")
    if _STAR in source.lower():
        raise UrlError(f"{source!r}: {_STAR!r} is reserved")
    if "#" in source:
        raise UrlError(f"{source!r}: a fragment is no part of what a page is")
    head, mark, query = source.partition("?")
    if "*" in query:
        raise UrlError(f"{source!r}: `*` in a query")
    scheme, separator, rest = head.partition("://")
    host, slash, _ = rest.partition("/")
    if not separator or not slash:
        raise UrlError(f"{source!r}: write scheme://host/path; for a whole site end it in /*")
    if "*" in scheme or "*" in host.partition(":")[2]:
        raise UrlError(f"{source!r}: `*` in the scheme or the port")
    name = host.partition(":")[0]
    if "*" in site_of(name.lower()):
        raise UrlError(f"{source!r}: `*` where a domain is registered")
    if any("*" in label and label != "*" for label in name.split(".")):
        raise UrlError(f"{source!r}: in a host `*` stands for a whole label")
    try:
        parts = parse(source.replace("*", _STAR))
    except UrlError as error:
        raise UrlError(f"{source!r}: {error}") from error
    segments = parts.path.split("/")[1:]
    wanted: str | None = parts.query if mark or _STAR not in segments[-1] else None
    return Pattern(
        source,
        parts.scheme,
        parts.port,
        tuple(_piece(label, r"[^.]+") for label in parts.host.split(".")),
        tuple(_piece(segment, r"(?:(?!%2F|%5C)[^/])+") for segment in segments),
        wanted,
    )


def _piece(text: str, star: str) -> re.Pattern[str]:
    return re.compile(star.join(re.escape(part) for part in text.split(_STAR)))

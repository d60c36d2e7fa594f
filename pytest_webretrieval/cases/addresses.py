"""Where roles live: fictional public-looking hosts and paths by seed, which name neither role nor trap."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from .chance import number
from .wordlists import ENDS, HOST_MIDDLES, HOST_WORDS, STARTS, SUBDOMAINS, TRAP_WORDS

_STATUSES = re.compile(r"200|30\d|40\d|410|429|451|50\d")

_ROLE_URL = "fixture://"
_PLAIN_PATHS = frozenset({"robots.txt", "favicon.ico", "sitemap.xml"})
_SUFFIX = re.compile(r"\.[a-z][a-z0-9]{1,4}\Z")


@lru_cache(maxsize=65536)
def draw_host(seed: int, role: str) -> str:
    """The host of ``role``; a role with a dot is a literal host.

    One of 20 million names below ``.example``. Two roles meet by chance in one of 10,000 seeds of 60 roles:
    ``draw_hosts`` finds that out.
    """
    if "." in role:
        return role
    for attempt in range(1000):
        what = ("host", seed, role, attempt)
        start, end = STARTS[number(len(STARTS), *what, 1)], ENDS[number(len(ENDS), *what, 2)]
        middle = HOST_MIDDLES[number(len(HOST_MIDDLES), *what, 3)]
        second = HOST_WORDS[number(len(HOST_WORDS), *what, 4)]
        name = f"{start}{middle}{end}-{second}".lower()
        if not _tells(name, role):
            return f"{SUBDOMAINS[number(len(SUBDOMAINS), *what, 5)]}{name}.example"
    raise ValueError(f"no host name for role `{role}`")


def draw_hosts(seed: int, roles: Iterable[str]) -> dict[str, str]:
    """The host of each role. Raises ValueError where two would share a registrable domain: take another
    seed."""
    hosts: dict[str, str] = {}
    owners: dict[str, str] = {}
    for role in sorted(set(roles)):
        hosts[role] = draw_host(seed, role)
        if "." in role:
            continue
        domain = ".".join(hosts[role].split(".")[-2:])
        if domain in owners:
            raise ValueError(
                f"seed {seed} gives {owners[domain]} and {role} one domain, {domain}; take another seed"
            )
        owners[domain] = role
    return hosts


@lru_cache(maxsize=65536)
def draw_path(seed: int, role: str, path: str) -> str:
    """The path at which ``role`` serves ``path``: folders stay, the last segment is six hexadecimal digits.

    A media suffix stays, ``.html`` goes, ``index.html`` is its folder. Folders (``/``, ``/x/``), robots.txt,
    favicon.ico, sitemap.xml, what lies under ``/.well-known/``, and every path of a literal host are kept.
    """
    if "." in role:
        return path or "/"
    folder, last = path.rsplit("/", 1) if "/" in path else ("", path)
    if last in ("", "index.html"):
        return f"{folder}/"
    if last in _PLAIN_PATHS or path.startswith("/.well-known/"):
        return path
    last = last.removesuffix(".html")
    found = _SUFFIX.search(last)
    suffix = found.group() if found and found.start() > 0 else ""
    stem = f"{folder}/{last}"
    for attempt in range(1000):
        drawn = f"{number(16**6, 'path', seed, role, stem, attempt):06x}"
        if drawn.isalnum() and not drawn.isdigit() and not drawn.isalpha() and not _STATUSES.search(drawn):
            return f"{folder}/{drawn}{suffix}"
    raise ValueError(f"no path for `{path}` of role `{role}`")


def address(seed: int, url: str) -> str:
    """``fixture://role/path?query#part`` as the address in force; any other URL as it is."""
    if not url.startswith(_ROLE_URL):
        return url
    parts = urlsplit(url)
    tail = (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    return f"https://{draw_host(seed, parts.netloc)}{draw_path(seed, parts.netloc, parts.path or '/')}{tail}"


def host_pattern(seed: int, pattern: str) -> str:
    """A ``fixture://`` pattern over the hosts in force: folders are never drawn, so ``/*`` at the end works."""
    if not pattern.startswith(_ROLE_URL) or "*" not in pattern:
        return address(seed, pattern)
    role, _, rest = pattern.removeprefix(_ROLE_URL).partition("/")
    if rest.rsplit("/", 1)[-1] not in ("*", ""):
        raise ValueError(f"`{pattern}`: a path with `*` ends in /* or /")
    return f"https://{draw_host(seed, role)}/{rest}"


def _tells(name: str, role: str) -> bool:
    words = [word for word in re.split(r"[-_]", role.lower()) if len(word) > 2]
    return any(word in name for word in (*words, *TRAP_WORDS))

"""RFC 9309 as a pure function: whether a robots.txt lets a crawler fetch a URL."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

_TOKEN = re.compile(r"[A-Za-z_-]+")
_UNSAFE = re.compile(r"[^!-~]+")
_ESCAPED = re.compile(r"%[0-9a-fA-F]{2}")
_KEY = re.compile(r"^\s*([A-Za-z-]+)\s*(?::|\s)\s*(.*?)\s*$")
# Spellings of the keys that crawlers accept.
_AGENT = ("user-agent", "useragent", "user agent")
_DISALLOW = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")

Rule = tuple[bool, str]


def product_of(user_agent: str) -> str:
    """The product token by which a crawler with this User-Agent field is addressed; ``*`` where it has none."""
    token = _TOKEN.match(user_agent)
    return token.group() if token else "*"


def allows(robots_txt: str, product: str, url: str) -> bool:
    """The longest matching rule of the crawler's groups decides, Allow wins a tie; no rule means yes.

    ``product`` is the crawler's product token, compared without case and as a whole.
    """
    parts = urlsplit(url)
    path = _escape((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
    if path == "/robots.txt":
        return True
    groups = _groups(robots_txt)
    rules = groups.get(product.lower())
    if rules is None:
        rules = groups.get("*", ())
    best, allowed = -1, True
    for is_allow, pattern in rules:
        length = len(pattern)
        if (length > best or (length == best and is_allow)) and _matches(pattern, path):
            best, allowed = length, is_allow
    return allowed


@lru_cache(maxsize=256)
def _groups(robots_txt: str) -> dict[str, tuple[Rule, ...]]:
    """The rules of each product token, in lower case; groups of one token are merged."""
    groups: dict[str, list[Rule]] = {}
    agents: list[str] = []
    naming = False
    for line in re.split(r"\r\n|\r|\n", robots_txt.removeprefix("\ufeff")):
        match = _KEY.match(line.partition("#")[0])
        if match is None:
            continue
        key, value = match.group(1).lower(), match.group(2)
        if key in _AGENT:
            if not naming:
                agents = []
            naming = True
            agents.append(_agent(value))
            groups.setdefault(agents[-1], [])
        elif key == "allow" or key in _DISALLOW:
            naming = False
            if value:
                rules = _rules(key == "allow", _escape(value))
                for agent in agents:
                    groups[agent].extend(rules)
    return {agent: tuple(rules) for agent, rules in groups.items()}


def _rules(is_allow: bool, pattern: str) -> list[Rule]:
    """A line's rule. Allowing a folder's index allows the folder's own address too, as search engines read it."""
    folder, slash, page = pattern.rpartition("/")
    if is_allow and slash and page.startswith("index.htm"):
        return [(True, pattern), (True, f"{folder}/$")]
    return [(is_allow, pattern)]


def _agent(value: str) -> str:
    if value.startswith("*") and (len(value) == 1 or value[1].isspace()):
        return "*"
    token = _TOKEN.match(value)
    return token.group().lower() if token else ""


def _escape(path: str) -> str:
    text = _UNSAFE.sub(
        lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass")), path
    )
    return _ESCAPED.sub(lambda match: match.group().upper(), text) if "%" in text else text


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    anchored = pattern.endswith("$")
    body = ".*".join(re.escape(piece) for piece in pattern.removesuffix("$").split("*"))
    return re.compile(body + ("$" if anchored else ""), re.DOTALL)


def _matches(pattern: str, path: str) -> bool:
    return _compiled(pattern).match(path) is not None

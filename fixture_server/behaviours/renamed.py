"""A page whose ids and classes are other ones at every request, as some build tools and shops make them."""

from __future__ import annotations

import hashlib
import re

from fixture_server.message import Answer, Asked
from fixture_server.respond import plain_answer, unserved
from fixture_server.stage import Stage

_ATTRIBUTE = re.compile(r'\b(?P<name>class|id|for|aria-labelledby|aria-describedby)="(?P<value>[^"]*)"')
_STYLE = re.compile(r"(<style>)(.*?)(</style>)", re.DOTALL)
_SELECTOR = re.compile(r"[.#][A-Za-z][\w-]*")
_LETTERS = "bcdfghjkmnpqrstvwxz"


def respond(asked: Asked, stage: Stage) -> Answer:
    """The page's plain answer, renamed by the seed and the number of the request."""
    if asked.method not in ("GET", "HEAD"):
        return unserved()
    page = stage.page_at(asked.host, asked.path)
    assert page is not None, f"nothing is at {asked.url}"
    answer = plain_answer(page, stage.serve(page), stage)
    count = stage.visits.get((page.address, stage.state), 0)
    body = renamed(answer.body.decode("utf-8"), f"{stage.edition.seed}:{page.address}:{count}")
    return Answer(status=answer.status, headers=answer.headers, body=body.encode("utf-8"))


def renamed(markup: str, salt: str) -> str:
    """The markup with every id and class under another name, the same one wherever it stands; rules of style follow."""
    known: dict[str, str] = {}  # by sign and name, as style writes it: .name or #name
    for found in _ATTRIBUTE.finditer(markup):
        for name in found["value"].split():
            sign = _sign(found["name"])
            known[sign + name] = _name(f"{salt}:{sign}{name}")
    markup = _ATTRIBUTE.sub(lambda found: _with_names(found, known), markup)
    return _STYLE.sub(lambda found: found[1] + _restyled(found[2], known) + found[3], markup)


def _sign(attribute: str) -> str:
    return "." if attribute == "class" else "#"


def _with_names(found: re.Match[str], known: dict[str, str]) -> str:
    sign = _sign(found["name"])
    return f'{found["name"]}="{" ".join(known[sign + name] for name in found["value"].split())}"'


def _restyled(rules: str, known: dict[str, str]) -> str:
    return _SELECTOR.sub(lambda found: found[0][0] + known.get(found[0], found[0][1:]), rules)


def _name(salt: str) -> str:
    """Six letters, of which no word can come, and three digits."""
    digest = hashlib.sha256(salt.encode()).digest()
    return (
        "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:6])
        + f"{digest[6] % 10}{digest[7] % 90 + 10}"
    )

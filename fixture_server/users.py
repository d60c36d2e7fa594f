"""The users of a scene: what each holds, as the seed draws it, and whose credential a request carries."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from .message import Asked
from .yaml_keys import Keys

KINDS = ("cookie", "bearer", "basic")
NOBODY = "anonymous"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """What makes a request a user's own at the origin of ``url``. ``name`` is the cookie's, or the user name of
    ``basic``; ``value`` is None until it is drawn, unless the scene writes it."""

    kind: str
    name: str
    url: str
    value: str | None = None


Users = Mapping[str, tuple[Credential, ...]]


def read_users(keys: Keys) -> Users:
    """``users`` of a scene: names to ``{credentials: [{kind, name, url, value}]}``. Raises SiteError."""
    users: dict[str, tuple[Credential, ...]] = {}
    for name, held in keys.get("users", dict, "a mapping of names to {credentials}", {}).items():
        if name == NOBODY:
            raise keys.fail("users", f"`{NOBODY}` is whoever shows no credential; give the user a name")
        if not isinstance(held, dict) or set(held) != {"credentials"}:
            raise keys.fail("users", f"user `{name}` must hold `credentials` and nothing else")
        if not isinstance(held["credentials"], list):
            raise keys.fail("users", f"user `{name}` must hold a list of credentials")
        users[str(name)] = tuple(_read_credential(keys, str(name), given) for given in held["credentials"])
    return users


def _read_credential(keys: Keys, user: str, given: object) -> Credential:
    known = {"kind", "name", "url", "value"}
    if not isinstance(given, dict) or not {"kind", "url"} <= set(given) <= known:
        wanted = "{kind, name, url, value}; name and value may be left out"
        raise keys.fail("users", f"a credential of `{user}` must be {wanted}")
    if given["kind"] not in KINDS:
        raise keys.fail("users", f"`kind` must be one of {', '.join(KINDS)}, not {given['kind']!r}")
    if not str(given["url"]).startswith("fixture://"):
        raise keys.fail("users", f"`url` of a credential of `{user}` must be a fixture:// address")
    return Credential(
        kind=given["kind"],
        name=str(given.get("name", "" if given["kind"] == "bearer" else user)),
        url=str(given["url"]),
        value=None if given.get("value") is None else str(given["value"]),
    )


def drawn(users: Users, seed: int, scene: str, url: Callable[[str], str]) -> Users:
    """The users with real-looking addresses and, where none is written, values of 32 hexadecimal digits that tell
    nothing."""
    return {
        user: tuple(
            replace(one, url=url(one.url), value=one.value or _value(seed, scene, user, one)) for one in held
        )
        for user, held in users.items()
    }


def _value(seed: int, scene: str, user: str, one: Credential) -> str:
    what = f"credential:{seed}:{scene}:{user}:{one.kind}:{one.name}:{one.url}"
    return hashlib.sha256(what.encode()).hexdigest()[:32]


def headers_of(held: tuple[Credential, ...], url: str) -> dict[str, str]:
    """The headers by which a client shows these credentials in a request for ``url``."""
    here = [one for one in held if _origin(one.url) == _origin(url)]
    cookies = "; ".join(_shown(one) for one in here if one.kind == "cookie")
    headers = {"cookie": cookies} if cookies else {}
    for one in here:
        if one.kind != "cookie":
            headers["authorization"] = _shown(one)
    return headers


def who_asks(asked: Asked, users: Users) -> str | None:
    """Whose credential, valid or ended, the request carries; the first one where it carries several."""
    shown = list(_shown_by(asked)) if users else []
    for word in shown:
        for user, held in users.items():
            if any(_shown(one) == word and _origin(one.url) == _origin(asked.url) for one in held):
                return user
    return None


def _shown(one: Credential) -> str:
    match one.kind:
        case "cookie":
            return f"{one.name}={one.value}"
        case "bearer":
            return f"bearer {one.value}"
        case _:
            return f"basic {base64.b64encode(f'{one.name}:{one.value}'.encode()).decode()}"


def _shown_by(asked: Asked) -> Iterator[str]:
    scheme, _, token = asked.headers.get("authorization", "").partition(" ")
    if token:
        yield f"{scheme.lower()} {token.strip()}"
    for pair in asked.headers.get("cookie", "").split(";"):
        if "=" in pair:
            yield pair.strip()


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, (parts.hostname or "").lower()

"""Forms by what they ask for: a login asks for one password and little else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .phrases import LOGIN, REGISTER
from .text import fold

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_FIELDS = (
    "input:not([type]),input[type=text i],input[type=email i],input[type=tel i],input[type=password i],select"
)
_MOST = 4  # fields of a login, with one for a code or a tenant
_BUTTONS = "button,input[type=submit i],input[type=image i]"


def login_forms(tree: LexborHTMLParser) -> list[LexborNode]:
    """The forms of a page that ask for one password to let somebody in. Two passwords, many fields, or a button and
    address that speak of registering make a registration."""
    return [form for form in tree.css("form") if _is_login(form)]


def _is_login(form: LexborNode) -> bool:
    if len(form.css("input[type=password i]")) != 1 or len(form.css(_FIELDS)) > _MOST:
        return False
    named = fold(_names(form)).text
    return not REGISTER.search(named) or bool(LOGIN.search(named))


def _names(form: LexborNode) -> str:
    """What a form calls itself: address, names, and the words on its buttons."""
    own = [form.attributes.get(key) or "" for key in ("action", "id", "name", "class")]
    for button in form.css(_BUTTONS):
        own.extend((button.text(), button.attributes.get("value") or "", button.attributes.get("alt") or ""))
    return " ".join(own).replace("_", " ").replace("/", " ")

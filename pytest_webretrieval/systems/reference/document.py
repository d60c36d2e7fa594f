"""What a page says, whatever it was written in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

from .pairs import Pair, lines_paired

_ACTS = re.compile(
    r"(?<![^\W_])(?:delete|remove|close|cancel|confirm|unsubscribe|deactivate|terminate|erase|revoke|pay|buy"
    r"|log ?out|sign ?out|order now|transfer|löschen|kündigen|supprimer|eliminar)(?![^\W_])"
    r"|刪除|删除|註銷|注销|確認|确认",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link in the main text or beside it: absolute ``url``, its own ``text``, and the text ``around``
    it."""

    url: str
    text: str
    around: str = ""

    @property
    def acts(self) -> bool:
        """Whether the link says that following it changes something: such links are never followed."""
        return bool(_ACTS.search(self.text) or _ACTS.search(urlsplit(self.url).path.replace("/", " ")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """A day that a page states about itself: ``kind`` is ``published`` or ``modified``; ``written`` is how
    it stands there, ``visible`` whether a reader sees it."""

    kind: str
    day: date
    written: str
    visible: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page or file that was read. ``blocks`` are its paragraphs, headings, list items and table rows in
    order; ``headings`` are those of them that head others. ``rest`` is visible text outside the main part
    (navigation, footers, banners, side columns). ``fields`` are the lines of its forms, ``lists`` the items
    of each list, ``columns`` the values of its tables under the headings of their columns, ``struck`` what is struck
    out. ``waiting`` is what shows that content is still to come, ``blank`` are the blocks with a dash in place of a
    value, ``announced`` is the number of items that it says there are, ``more`` whether it says that more comes by
    scrolling or a button. ``consent`` is the text of a request for consent that stood before it, ``captcha`` whether it
    holds a puzzle. ``scripts`` is the weight of its scripts, ``loads`` whether they may change what is shown."""

    url: str
    media: str
    title: str = ""
    heading: str = ""
    lang: str = ""
    canonical: str | None = None
    site: str = ""
    blocks: tuple[str, ...] = ()
    headings: frozenset[str] = frozenset()
    rest: str = ""
    stamps: tuple[Stamp, ...] = ()
    links: tuple[Link, ...] = ()
    password_forms: int = 0
    scripts: int = 0
    loads: bool = False
    noscript: str = ""
    refresh: tuple[float, str] | None = None
    consent: str = ""
    fields: tuple[str, ...] = ()
    lists: tuple[tuple[str, ...], ...] = ()
    columns: tuple[Pair, ...] = ()
    struck: frozenset[str] = frozenset()
    waiting: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()
    announced: int | None = None
    more: bool = False
    captcha: bool = False

    @property
    def name(self) -> str:
        """What to call it: its first heading, else its title."""
        return self.heading or self.title

    @property
    def text(self) -> str:
        """The main part, one block a line."""
        return "\n".join(self.blocks)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every value under its label."""
        return tuple(dict.fromkeys((*self.columns, *lines_paired(self.blocks, self.headings))))

    @property
    def published(self) -> Stamp | None:
        """The day of publication: what a reader sees before what only machines see."""
        return self._stamp("published")

    @property
    def modified(self) -> Stamp | None:
        """The day of the last change, as the page states it."""
        return self._stamp("modified")

    def _stamp(self, kind: str) -> Stamp | None:
        stamps = [stamp for stamp in self.stamps if stamp.kind == kind]
        return next((stamp for stamp in stamps if stamp.visible), stamps[0] if stamps else None)

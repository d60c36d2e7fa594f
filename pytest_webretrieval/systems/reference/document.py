"""What a page says, whatever it was written in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link in the main text or beside it: absolute ``url``, its own ``text``, and the text ``around``
    it."""

    url: str
    text: str
    around: str = ""


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
    (navigation, footers, banners, side columns)."""

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
    noscript: str = ""
    refresh: tuple[float, str] | None = None
    consent: str = ""

    @property
    def name(self) -> str:
        """What to call it: its first heading, else its title."""
        return self.heading or self.title

    @property
    def text(self) -> str:
        """The main part, one block a line."""
        return "\n".join(self.blocks)

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

"""A sheet file into what it says: a line ``key: text`` a thing, in the order of the page."""

from __future__ import annotations

from dataclasses import dataclass

_ONCE = ("lang", "title", "site", "home", "shape", "published")
_NEEDED = ("lang", "title", "site", "shape")
_MANY = ("lead", "row", "end", "link", "html", "head")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A value under its label, and the sentence that says the same."""

    label: str
    value: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """``shape`` is a number: pages of one number have one shape at a seed. ``lead`` stands before the rows and ``end``
    behind them, ``links`` are pairs of text and address; ``html`` comes last in the main part as it is, ``head`` into
    the page's head."""

    lang: str
    title: str
    site: str
    shape: int
    home: str = ""
    published: str = ""
    lead: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    end: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    html: tuple[str, ...] = ()
    head: tuple[str, ...] = ()


def read_sheet(text: str) -> Sheet:
    """Raises ValueError with the line that cannot be read."""
    once: dict[str, str] = {}
    many: dict[str, list[str]] = {key: [] for key in _MANY}
    for number, line in enumerate(text.splitlines(), start=1):
        key, colon, said = line.partition(":")
        said = said.strip()
        if not line.strip():
            continue
        if colon and key in many and said:
            many[key].append(said)
        elif colon and key in _ONCE and said and key not in once:
            once[key] = said
        else:
            known = ", ".join((*_ONCE, *_MANY))
            raise ValueError(f"line {number} of the sheet is not `key: text` with one of {known}")
    if absent := [key for key in _NEEDED if key not in once]:
        raise ValueError(f"the sheet has no `{absent[0]}`")
    return Sheet(
        lang=once["lang"],
        title=once["title"],
        site=once["site"],
        shape=int(once["shape"]),
        home=once.get("home", ""),
        published=once.get("published", ""),
        lead=tuple(many["lead"]),
        rows=tuple(map(_row, many["row"])),
        end=tuple(many["end"]),
        links=tuple(map(_pair, many["link"])),
        html=tuple(many["html"]),
        head=tuple(many["head"]),
    )


def _row(said: str) -> Row:
    label, *others = (part.strip() for part in said.split("|"))
    if not 1 <= len(others) <= 2:
        raise ValueError(f"`row: {said}` is not `label | value` or `label | value | sentence with {{}}`")
    sentence = others[1] if len(others) == 2 else f"{label}: {{}}."
    return Row(label=label, value=others[0], sentence=sentence.replace("{}", others[0]))


def _pair(said: str) -> tuple[str, str]:
    text, bar, address = said.partition("|")
    if not bar:
        raise ValueError(f"`link: {said}` is not `text | address`")
    return text.strip(), address.strip()

"""The shapes in which pages say what they say: six at every seed, two more at odd ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from .sheet import Row, Sheet

Shape = Callable[[Sheet], str]

# What a page says of itself, by language: when it was published, and what else there is to read.
_WORDS = {
    "en": ("Published", "Also of interest"),
    "de": ("Veröffentlicht am", "Auch lesenswert"),
    "zh": ("發布日期", "延伸閱讀"),
    "ja": ("公開日", "関連記事"),
    "es": ("Publicado el", "También le puede interesar"),
}


def _table(sheet: Sheet) -> str:
    rows = "\n".join(
        f"<tr><th>{escape(row.label)}</th><td>{escape(row.value)}</td></tr>" for row in sheet.rows
    )
    return _page(sheet, _titled(sheet), _lines(sheet.lead), f"<table>\n{rows}\n</table>", _lines(sheet.end))


def _definitions(sheet: Sheet) -> str:
    rows = "\n".join(f"<dt>{escape(row.label)}</dt>\n<dd>{escape(row.value)}</dd>" for row in sheet.rows)
    return _page(sheet, _titled(sheet), _lines(sheet.lead), f"<dl>\n{rows}\n</dl>", _lines(sheet.end))


def _prose(sheet: Sheet) -> str:
    said = _joined(sheet, sheet.rows)
    return _page(sheet, _titled(sheet), _lines((*sheet.lead, *said, *sheet.end)))


def _news(sheet: Sheet) -> str:
    """An article with its author and, beside it, others."""
    _, also = _words(sheet)
    byline = f'<p class="by">{escape(sheet.site)}</p>'
    story = _lines((*sheet.lead, *(row.sentence for row in sheet.rows), *sheet.end))
    article = f"<article>\n{_titled(sheet)}\n{byline}\n{story}\n</article>"
    home = f'<aside class="related"><h2>{also}</h2><p>{_home(sheet)}</p></aside>'
    return _page(sheet, article, beside=home)


def _product(sheet: Sheet) -> str:
    """A picture's place, a list of features, and a row of what others looked at."""
    features = "\n".join(f"<li><b>{escape(row.label)}:</b> {escape(row.value)}</li>" for row in sheet.rows)
    crumbs = f'<nav class="breadcrumbs">{_home(sheet)} &rsaquo; {escape(sheet.title)}</nav>'
    figure = '<figure><svg width="120" height="80" role="img"><rect width="120" height="80"/></svg></figure>'
    listed = f'<ul class="features">\n{features}\n</ul>'
    return _page(sheet, crumbs, _titled(sheet), figure, _lines(sheet.lead), listed, _lines(sheet.end))


def _questions(sheet: Sheet) -> str:
    """Each value under a heading that asks for it."""
    mark = "？" if sheet.lang[:2] in ("zh", "ja") else "?"
    asked = "\n".join(
        f"<section><h2>{escape(row.label)}{mark}</h2>\n<p>{escape(row.sentence)}</p></section>"
        for row in sheet.rows
    )
    return _page(sheet, _titled(sheet), _lines(sheet.lead), asked, _lines(sheet.end))


def _changes(sheet: Sheet) -> str:
    """A log: an entry a value, the last one first."""
    entries = "\n".join(
        f"<li><h3>{escape(row.label)}</h3><ul><li>{escape(row.sentence)}</li></ul></li>"
        for row in reversed(sheet.rows)
    )
    return _page(sheet, _titled(sheet), _lines(sheet.lead), f"<ol>\n{entries}\n</ol>", _lines(sheet.end))


def _columns(sheet: Sheet) -> str:
    """A spec sheet: labels in one row, values below them."""
    heads = "".join(f"<th>{escape(row.label)}</th>" for row in sheet.rows)
    cells = "".join(f"<td>{escape(row.value)}</td>" for row in sheet.rows)
    table = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody><tr>{cells}</tr></tbody>\n</table>"
    return _page(sheet, _titled(sheet), _lines(sheet.lead), table, _lines(sheet.end))


EVERY: dict[str, Shape] = {
    "table": _table,
    "definitions": _definitions,
    "prose": _prose,
    "news": _news,
    "product": _product,
    "questions": _questions,
}
ODD: dict[str, Shape] = {"changes": _changes, "columns": _columns}


def name_for(seed: int, number: int) -> str:
    """The shape of pages with a number: at a seed, any six numbers in a row have six shapes, and at an odd one those of
    ``ODD`` are among them."""
    names, turn = list(EVERY), seed // 2
    if seed % 2:
        names = [names[(turn + at) % len(names)] for at in range(len(names) - len(ODD))] + list(ODD)
    return names[(number + turn) % len(names)]


def shape_for(seed: int, number: int) -> Shape:
    """What makes the page of a sheet with that number."""
    return (EVERY | ODD)[name_for(seed, number)]


def _page(sheet: Sheet, *parts: str, beside: str = "") -> str:
    links = "\n".join(
        f'<p><a href="{escape(address)}">{escape(text)}</a></p>' for text, address in sheet.links
    )
    main = "\n".join(part for part in (*parts, links, *sheet.html) if part)
    head = "".join(f"{line}\n" for line in sheet.head)
    return (
        f'<!doctype html>\n<html lang="{escape(sheet.lang)}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(sheet.title)} | {escape(sheet.site)}</title>\n{head}</head>\n<body>\n"
        f"<header><p>{_home(sheet)}</p></header>\n<main>\n{main}\n</main>\n{beside}\n</body>\n</html>\n"
    )


def _titled(sheet: Sheet) -> str:
    published, _ = _words(sheet)
    when = f"\n<p>{published} {escape(sheet.published)}</p>" if sheet.published else ""
    return f"<h1>{escape(sheet.title)}</h1>{when}"


def _home(sheet: Sheet) -> str:
    site = escape(sheet.site)
    return f'<a href="{escape(sheet.home)}">{site}</a>' if sheet.home else site


def _words(sheet: Sheet) -> tuple[str, str]:
    return _WORDS.get(sheet.lang[:2], _WORDS["en"])


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(f"<p>{escape(line)}</p>" for line in lines)


def _joined(sheet: Sheet, rows: Iterable[Row]) -> list[str]:
    """Sentences, two a paragraph; Chinese and Japanese part them by nothing."""
    said = [row.sentence for row in rows]
    blank = "" if sheet.lang[:2] in ("zh", "ja") else " "
    return [blank.join(said[at : at + 2]) for at in range(0, len(said), 2)]

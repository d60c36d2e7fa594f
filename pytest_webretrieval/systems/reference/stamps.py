"""When a page says that it was published and changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .cues import cues
from .dates import Dated, dates_in, day_of
from .document import Stamp

_META = {
    "article:published_time": "published",
    "og:published_time": "published",
    "datepublished": "published",
    "dc.date": "published",
    "dc.date.issued": "published",
    "dcterms.issued": "published",
    "dcterms.created": "published",
    "date": "published",
    "pubdate": "published",
    "publish-date": "published",
    "citation_publication_date": "published",
    "article:modified_time": "modified",
    "og:updated_time": "modified",
    "datemodified": "modified",
    "dcterms.modified": "modified",
    "last-modified": "modified",
}
_LABELS = {
    "modified": cues(
        r"""(?:last )?(?:updated|modified|revised|reviewed|amended|changed|checked)(?: on)?
        last (?:update|change|review) / (?:zuletzt )?(?:aktualisiert|geändert)(?: am)? / stand
        mis à jour(?: le)? / actualizado(?: el)? / 更新(?:日期|時間|时间)? / 修訂(?:日期)?"""
    ),
    "published": cues(
        r"""(?:first )?(?:published|posted|issued|released)(?: on)? / publication date / date of publication
        (?:date|pub(?:lication)?\.? date)(?= ?:) / veröffentlicht(?: am)? / erschienen(?: am)?
        publié(?: le)? / publicado(?: el)? / pubblicato(?: il)?
        (?:發布|发布|發佈|發表|刊登|公布|公告|發文)(?:日期|時間|时间|於|于)?"""
    ),
    "other": cues(
        r"""expires? / until / deadline / due / closes? / effective / in force / valid / born / event / from
        by / since / before / after / archived / retrieved / accessed / printed / captured / next
        comments? / 生效 / 截止"""
    ),
}
_DATELINE = re.compile(r"\s*[.:–—,-]")
_BYLINE = re.compile(r"by ", re.I)
LONGEST_BYLINE = 100
_REACH = 48


def machine_stamps(tree: LexborHTMLParser) -> tuple[Stamp, ...]:
    """Days in ``meta`` and JSON-LD, which no reader sees. Other scripts say nothing about the page."""
    found = list(_from_meta(tree))
    for node in tree.css("script[type='application/ld+json']"):
        try:
            found.extend(_from_data(json.loads(node.text())))
        except ValueError:
            continue
    return tuple(found)


def _from_meta(tree: LexborHTMLParser) -> Iterator[Stamp]:
    for node in tree.css("meta[content]"):
        name = (
            node.attributes.get("property")
            or node.attributes.get("name")
            or node.attributes.get("itemprop")
            or ""
        )
        kind, written = _META.get(name.lower()), (node.attributes.get("content") or "").strip()
        if kind and (day := day_of(written)):
            yield Stamp(kind=kind, day=day, written=written[:10], visible=False)


def _from_data(data: Any) -> Iterator[Stamp]:
    if isinstance(data, list):
        for item in data:
            yield from _from_data(item)
    elif isinstance(data, dict):
        for key, kind in (("datePublished", "published"), ("dateModified", "modified")):
            written = data.get(key)
            if isinstance(written, str) and (day := day_of(written)):
                yield Stamp(kind=kind, day=day, written=written[:10], visible=False)
        yield from _from_data(data.get("@graph"))


def time_stamps(root: LexborNode) -> tuple[Stamp, ...]:
    """Days of ``time`` elements that are marked as the publication's, else of the first one."""
    nodes = root.css("time[datetime]")
    marked = [node for node in nodes if "pubdate" in node.attributes or _item(node) == "datePublished"]
    found = []
    for node in marked or nodes[:1]:
        around = node.parent.text() if node.parent is not None else ""
        label = _label(around, around.find(node.text()))
        if not marked and label not in (None, "published"):
            continue
        if day := day_of(node.attributes.get("datetime") or ""):
            seen = bool(dates_in(node.text()))
            written = node.text().strip() if seen else day.isoformat()
            found.append(Stamp(kind="published", day=day, written=written, visible=seen))
    return tuple(found)


def _item(node: LexborNode) -> str:
    return node.attributes.get("itemprop") or ""


def visible_stamps(blocks: Iterable[str]) -> tuple[Stamp, ...]:
    """Days that the main part itself labels. The label nearest before the day decides what the day is.

    A short block that holds a label only labels the block after it. Where no label says when the page was
    published, a date line (``12 March 2026. The council ...``) or the line of its author does.
    """
    found: list[Stamp] = []
    lines: list[Stamp] = []
    carried = None
    for block in blocks:
        for dated in dates_in(block):
            kind = _label(block, dated.start) or carried
            written = block[dated.start : dated.end]
            if kind in ("published", "modified"):
                found.append(Stamp(kind=kind, day=dated.day, written=written, visible=True))
            elif _heads(block, dated):
                lines.append(Stamp(kind="published", day=dated.day, written=written, visible=True))
        carried = _only_label(block)
    return (*found, *lines[:1])


def _label(text: str, end: int) -> str | None:
    """The kind of the label that ends nearest before ``end``, within reach."""
    best: tuple[int, str] | None = None
    for kind, pattern in _LABELS.items():
        for match in pattern.finditer(text, max(0, end - _REACH), max(0, end)):
            if best is None or match.end() > best[0]:
                best = (match.end(), kind)
    return best[1] if best else None


def _only_label(block: str) -> str | None:
    bare = block.rstrip(" :：")
    return next((kind for kind, pattern in _LABELS.items() if pattern.fullmatch(bare)), None)


def _heads(block: str, dated: Dated) -> bool:
    """Whether a day opens its block as a date line, or closes the line that names the author."""
    if dated.start == 0:
        return bool(_DATELINE.match(block, dated.end)) or dated.end == len(block)
    return len(block) <= LONGEST_BYLINE and dated.end >= len(block) - 1 and bool(_BYLINE.match(block))

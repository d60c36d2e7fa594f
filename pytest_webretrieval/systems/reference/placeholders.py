"""What stands on a page until its content comes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from selectolax.lexbor import LexborHTMLParser

LONGEST_PLACEHOLDER = 80
_WORDS = (
    r"(?:still )?(?:loading|fetching|retrieving|requesting|refreshing|preparing|calculating|computing"
    r"|processing|connecting|working|waiting|pending|queued|in progress|please wait|one moment|hold on"
    r"|just a second|not (?:yet )?(?:ready|available yet|loaded)|to be loaded"
    r"|wird (?:geladen|berechnet)|lädt|laden|bitte warten|chargement|veuillez patienter|cargando"
    r"|espere|caricamento|carregando|載入中|加载中|讀取中|请稍候|請稍候|読み込み中|로딩 ?중)"
)
# The whole of a block, or all behind its label, says that something is to come.
_WAITS = re.compile(rf"(?:[^:：]{{1,40}}[:：]\s*)?{_WORDS}(?:\W[^.:!?]{{0,50}})?\W*", re.I)
_BLANK = re.compile(r"(?:[^:：]{1,40}[:：]\s*)?(?:[—–]|-{1,3}|…|\.{2,3}|\?{1,3}|_{2,}|…{2,})")
_CLASSES = re.compile(
    r"(?:^|[-_ ])(?:skeleton|spinner|loader|loading|shimmer|placeholder|is-busy|pending)(?:$|[-_ ])", re.I
)
_MORE = re.compile(
    r"\b(?:(?:load|show|see|view) (?:\d+ )?more|more (?:results|items|entries)|scroll(?: down)? (?:for|to)\b"
    r"|keep scrolling|(?:items|entries|results|more) (?:\w+ ){0,3}as you scroll|mehr (?:laden|anzeigen)"
    r"|weitere (?:laden|anzeigen)"
    r"|(?:charger|afficher|voir) plus|cargar más|ver más|mostrar más|carica altri|meer laden)"
    r"|載入更多|加载更多|顯示更多|显示更多|もっと見る",
    re.I,
)


def busy_signs(tree: LexborHTMLParser) -> tuple[str, ...]:
    """What elements mark as not yet there: ``aria-busy``, progress bars, and what classes call a skeleton or
    a spinner and holds next to no text."""
    signs = [f"aria-busy: {node.tag}" for node in tree.css("[aria-busy=true]")]
    signs += [f"progress: {node.tag}" for node in tree.css("progress:not([value]),[role=progressbar]")]
    for node in tree.css("[class],[id]"):
        names = f"{node.attributes.get('id') or ''} {node.attributes.get('class') or ''}"
        if is_busy_class(names) and len(node.text().strip()) < LONGEST_PLACEHOLDER and node.tag != "input":
            signs.append(names.strip())
    return tuple(signs)


def blanks_of(blocks: Iterable[str]) -> tuple[str, ...]:
    """The blocks that hold a dash or dots where a value should stand."""
    return tuple(block for block in blocks if is_blank(block))


def is_waiting(block: str) -> bool:
    """Whether a block only says that its content is still to come."""
    return len(block) <= LONGEST_PLACEHOLDER and bool(_WAITS.fullmatch(block))


def is_blank(block: str) -> bool:
    """Whether a block, or all behind its label, is a dash or dots in place of a value."""
    return bool(_BLANK.fullmatch(block))


def is_busy_class(names: str) -> bool:
    """Whether classes or an id mark an element that stands for what is to come."""
    return bool(_CLASSES.search(names))


def says_more(text: str) -> bool:
    """Whether a text says that more comes by scrolling or by a button."""
    return bool(_MORE.search(text))


def more_buttons() -> str:
    """The source of a pattern for the texts of buttons that bring more."""
    return (
        r"^(?:load|show|see|view)(?: \d+)? more\b.{0,30}$|^more(?: (?:results|items|entries))?$"
        r"|^mehr(?: laden| anzeigen)?$|^weitere (?:laden|anzeigen)$"
        r"|^(?:charger|afficher|voir) plus$|^(?:cargar|ver|mostrar) más$|^meer laden$"
        r"|^(?:載入|加载|顯示|显示)更多$|^もっと見る$"
    )

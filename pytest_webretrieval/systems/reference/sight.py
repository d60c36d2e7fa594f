"""What a page holds and nobody sees, as far as its source alone tells."""

from __future__ import annotations

import re
from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

_UNSEEN = ",".join(
    (
        "template,noscript,svg,iframe,object,canvas,[hidden],[aria-hidden=true],dialog:not([open])",
        "[style*='display:none' i],[style*='display: none' i]",
        "[style*='visibility:hidden' i],[style*='visibility: hidden' i]",
    )
)
_STRUCK = "del,s,strike,[style*='line-through' i]"
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
# A group such as @media holds for some readers only, so what it hides is not taken away.
_GROUP = re.compile(r"@[^{};]+\{(?:[^{}]|\{[^{}]*\})*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_HIDES = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_STRIKES = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.I)
_STATES = re.compile(r":(?!not\()")


def take_out_unseen(tree: LexborHTMLParser) -> frozenset[str]:
    """Remove what is not seen, scripts and styles too; the texts of what is struck out, which stays."""
    hidden, struck = [_UNSEEN], [_STRUCK]
    for sheet in tree.css("style"):
        source = _GROUP.sub("", _COMMENT.sub("", sheet.text()))
        for selector, body in _RULE.findall(source):
            if _STATES.search(selector):
                continue
            hidden += [selector] * bool(_HIDES.search(body))
            struck += [selector] * bool(_STRIKES.search(body))
    unseen = [node for selector in ("script,style", *hidden) for node in _matching(tree, selector)]
    remove([node for node in unseen if node.tag not in ("html", "body")])
    texts = (" ".join(node.text(separator=" ").split()) for each in struck for node in _matching(tree, each))
    return frozenset(text for text in texts if text)


def _matching(tree: LexborHTMLParser, selector: str) -> list[LexborNode]:
    try:
        return tree.css(selector.strip())
    except SelectolaxError:  # a style sheet may hold any text
        return []


def remove(nodes: list[LexborNode]) -> None:
    """Take nodes out of their tree; what lies inside another of them goes with it and is not touched again."""
    chosen = {node.mem_id: node for node in nodes}
    outermost = [node for node in chosen.values() if not _inside(node, chosen)]
    for node in outermost:
        node.decompose()


def _inside(node: LexborNode, chosen: Mapping[int, LexborNode]) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.mem_id in chosen:
            return True
        parent = parent.parent
    return False

"""Forms as a reader sees them. They are read and never sent."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

_BUTTONS = frozenset({"submit", "button", "reset", "image"})
_UNSEEN = frozenset({"hidden", "password"})
LONGEST_LINE = 240


def fields_of(tree: LexborHTMLParser) -> tuple[str, ...]:
    """A line for each legend, for each field with its label and what it holds or asks for, and for each
    button."""
    lines: list[str] = []
    for form in tree.css("form"):
        for node in form.css("legend,input,select,textarea,button,output"):
            lines.extend(line[:LONGEST_LINE] for line in _lines(tree, node) if line)
    return tuple(dict.fromkeys(lines))


def _lines(tree: LexborHTMLParser, node: LexborNode) -> Iterator[str]:
    kind = (node.attributes.get("type") or "").lower()
    if node.tag == "legend":
        yield _flat(node.text(separator=" "))
    elif node.tag == "button" or kind in _BUTTONS:
        said = _flat(node.text(separator=" ")) or (node.attributes.get("value") or "")
        yield f"Button: {said}" if said else ""
    elif kind not in _UNSEEN:
        label = label_of(tree, node)
        held = "; ".join(_held(node, kind))
        yield f"{label.rstrip(' :*')}: {held}" if label and held else label or held


def _held(node: LexborNode, kind: str) -> Iterator[str]:
    if node.tag == "select":
        chosen = node.css_first("option[selected]")
        options = [_flat(option.text()) for option in node.css("option")]
        yield (
            _flat(chosen.text()) if chosen is not None else " / ".join(option for option in options if option)
        )
        return
    if kind in ("checkbox", "radio"):
        yield "chosen" if "checked" in node.attributes else ""
        return
    text = node.text() if node.tag in ("textarea", "output") else node.attributes.get("value")
    for said in (text, node.attributes.get("placeholder"), node.attributes.get("title")):
        if flat := _flat(said):
            yield flat
    if not node.attributes.get("title") and (pattern := node.attributes.get("pattern")):
        yield f"in the form {pattern}"


def label_of(tree: LexborHTMLParser, node: LexborNode) -> str:
    """What names a field: its label, else what it is called for those who do not see."""
    name = node.attributes.get("id")
    for label in tree.css("label[for]") if name else ():
        if label.attributes.get("for") == name:
            return _flat(label.text(separator=" "))
    parent = node.parent
    while parent is not None and parent.tag not in ("form", "body"):
        if parent.tag == "label":
            return _flat(parent.text(separator=" "))
        parent = parent.parent
    return _flat(node.attributes.get("aria-label"))


def _flat(text: str | None) -> str:
    return " ".join((text or "").split())

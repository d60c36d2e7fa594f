"""Bytes to what a reader sees: the visible text of HTML, PDF, JSON and plain text, and what the markup
says besides."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# The labels of the WHATWG Encoding Standard that name another coding than Python's.
_LABELS = {
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "tis-620": "cp874",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "big5": "big5hkscs",
    "utf8": "utf-8",
    "unicode": "utf-16",
}
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w:.-]+)", re.IGNORECASE)
_BINARY_MAGIC = (
    b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"\x1f\x8b", b"OggS", b"ID3", b"\x7fELF", b"\x00asm",
    b"7z\xbc\xaf", b"Rar!", b"wOFF", b"wOF2", b"\xd0\xcf\x11\xe0", b"fLaC", b"BZh", b"SQLite format 3",
)  # fmt: skip
_TEXTUAL = re.compile(
    r"^(?:text/|application/(?:json|xml|javascript|xhtml|ld\+json|x-ndjson|yaml|rtf)|.*\+(?:json|xml)$)"
)
_MARKUP_START = re.compile(
    r"^\s*(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body|title|meta|div|p|h1|main|article|table)\b",
    re.I | re.S,
)
_BLOCK = re.compile(
    r"<(?=/?(?:p|div|br|li|ul|ol|dl|dt|dd|table|tr|td|th|thead|tbody|caption|h[1-6]|section|article|main|header|footer|"
    r"nav|aside|form|fieldset|blockquote|pre|figure|figcaption|hr|details|summary|address|option|button|label|title|"
    r"dialog|legend)\b)",
    re.IGNORECASE,
)
_UNSEEN = (
    "script,style,template,noscript,svg,[hidden],dialog:not([open]),"
    "[style*='display:none'],[style*='display: none'],"
    "[style*='visibility:hidden'],[style*='visibility: hidden']"
)
_TOO_DEEP, _DEEPEST = 4096, 512
# Elements that stay open until they are closed; of others nobody can tell without reading the page.
_NESTING = re.compile(
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|d[dt]|t[dhr]|tbody|thead|tfoot"
    r"|option|optgroup|colgroup|r[bpt]|rtc|html|head|body|title|script|style|textarea)\b)[a-z][^<>]*>?",
    re.IGNORECASE,
)
_SHADOW = re.compile(r"<template(?=[^>]*\bshadowrootmode)(.*?)</template>", re.IGNORECASE | re.DOTALL)
_BLANKS = re.compile(r"[^\S\n]+")
# The five bytes that Python leaves open are the controls of the same number, as in browsers.
_WINDOWS_1252 = "".join(bytes((byte,)).decode("cp1252", "ignore") or chr(byte) for byte in range(256))
_TO_WINDOWS_1252 = codecs.charmap_build(_WINDOWS_1252)
_LINES = re.compile(r" ?\n[ \n]*")


@dataclass(frozen=True, slots=True)
class Page:
    """One body as a reader sees it.

    ``kind`` is ``html``, ``pdf``, ``json``, ``text``, ``binary`` or ``empty``. ``text`` is what is visible;
    ``data`` is what the body states without showing it (JSON for scripts, publication metadata, the title).
    ``damaged`` is True where bytes could not be decoded, or not as they say. ``tree`` is the parsed HTML without what
    is hidden.
    """

    kind: str
    text: str = ""
    data: str = ""
    title: str = ""
    lang: str | None = None
    canonical: str | None = None
    damaged: bool = False
    tree: LexborHTMLParser | None = field(default=None, repr=False, compare=False)


def read_page(body: bytes, content_type: str) -> Page:
    """Read a decoded body by what it is, not only by what its header says."""
    kind = _kind(body, content_type)
    if kind in ("empty", "binary"):
        return Page(kind)
    if kind == "pdf":
        return _read_pdf(body)
    text = decode(body, content_type)
    if _undecodable(text):
        return Page("binary", damaged=True)
    meant = as_meant(text)
    damaged = "\ufffd" in text or meant != text
    text = meant
    if kind == "html":
        return _read_html(text, damaged)
    if kind == "json":
        return Page("json", text=_read_json(text), damaged=damaged)
    return Page("text", text=text, damaged=damaged)


def decode(body: bytes, content_type: str) -> str:
    """The body as text: byte order mark, header, meta in the first 1,024 bytes; undeclared, UTF-8 where it
    is valid, else windows-1252."""
    for mark, coding in _BOMS:
        if body.startswith(mark):
            return body.decode(coding, "replace")
    declared = _HEADER_CHARSET.search(content_type)
    name = declared.group(1) if declared else None
    if name is None or _codec(name) is None:
        head = body[:1024]
        found = _XML_CHARSET.search(head) or _META_CHARSET.search(head)
        name = found.group(1).decode("ascii", "replace") if found else None
        if name is not None and name.lower().startswith("utf-16"):
            name = "utf-8"
    coding_of = _codec(name) if name else None
    if coding_of in ("cp1252", "windows-1252"):
        return codecs.charmap_decode(body, "strict", _WINDOWS_1252)[0]
    if coding_of is not None:
        return body.decode(coding_of, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return codecs.charmap_decode(body, "strict", _WINDOWS_1252)[0]


def as_meant(text: str) -> str:
    """A text that is UTF-8 taken for windows-1252, by a wrong declaration or by being encoded twice, as it was meant;
    any other text as it is. Of text that is not, hardly any is valid UTF-8 when it is read so."""
    if text.isascii():
        return text
    try:
        return codecs.charmap_encode(text, "strict", _TO_WINDOWS_1252)[0].decode("utf-8")
    except UnicodeError:
        return text


def _codec(label: str) -> str | None:
    name = _LABELS.get(label.strip().lower(), label.strip().lower())
    try:
        return name if codecs.lookup(name)._is_text_encoding else None
    except LookupError:
        return None


def _undecodable(text: str) -> bool:
    return text.count("\ufffd") > 3 + len(text) // 50 or "\0" in text


def is_textual(content_type: str) -> bool:
    """Whether a media type is one of text, or none is told."""
    media_type = content_type.partition(";")[0].strip().lower()
    return not media_type or bool(_TEXTUAL.match(media_type)) or "html" in media_type or "json" in media_type


def _kind(body: bytes, content_type: str) -> str:
    if not body.strip():
        return "empty"
    media_type = content_type.partition(";")[0].strip().lower()
    if body.lstrip()[:5] == b"%PDF-":
        return "pdf"
    if body.startswith(_BINARY_MAGIC) or body[4:8] == b"ftyp" or body[:4] == b"RIFF":
        return "binary"
    if b"\0" in body[:1024] and not body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "binary"
    if media_type == "image/svg+xml" or media_type.startswith(("image/", "audio/", "video/", "font/")):
        return "binary"
    if "html" in media_type:
        return "html"
    if "json" in media_type:
        return "json"
    if media_type in ("", "application/octet-stream", "text/plain") and _MARKUP_START.match(
        body[:512].decode("ascii", "replace")
    ):
        return "text" if media_type == "text/plain" else "html"
    if media_type.endswith(("/xml", "+xml")):
        return "html"
    if media_type in ("", "application/octet-stream") or _TEXTUAL.match(media_type):
        return "text"
    return "binary"


def _read_html(text: str, damaged: bool) -> Page:
    from selectolax.lexbor import LexborHTMLParser

    if "shadowrootmode" in text:
        # A declared shadow root is shown, and a parser without scripting keeps it out of the document.
        text = _SHADOW.sub(r"<div\1</div>", text)
    tree = LexborHTMLParser(_BLOCK.sub("\n<", _shallow(text)))
    root = tree.css_first("html")
    title_node = tree.css_first("title")
    title = _tidy(title_node.text()) if title_node is not None else ""
    canonical = tree.css_first("link[rel~=canonical]")
    frames = [node.attributes.get("srcdoc") or "" for node in tree.css("iframe[srcdoc]")]
    data = _unseen_data(tree, title)
    for node in tree.css(_UNSEEN):
        node.decompose()
    body = tree.body
    parts = [_tidy(body.text()) if body is not None else ""]
    parts.extend(_read_html(frame, damaged).text for frame in frames)
    return Page(
        "html",
        text="\n".join(part for part in parts if part),
        data=data,
        title=title,
        lang=(root.attributes.get("lang") if root is not None else None) or None,
        canonical=canonical.attributes.get("href") if canonical is not None else None,
        damaged=damaged,
        tree=tree,
    )


def _shallow(text: str) -> str:
    """The markup; of elements far deeper than any page has, without their start. Parsing takes the square of the depth,
    and browsers let such elements be siblings."""
    if text.count("<") <= _TOO_DEEP or max(_depths(text), default=0) <= _TOO_DEEP:
        return text
    kept: list[str] = []
    done = 0
    for tag, depth in zip(_NESTING.finditer(text), _depths(text), strict=True):
        if depth > _DEEPEST and not tag[1]:
            kept.append(text[done : tag.start()])
            done = tag.end()
    return "".join((*kept, text[done:]))


def _depths(text: str) -> list[int]:
    """How many elements are open after each tag that opens or closes one."""
    return list(accumulate((-1 if tag[1] else 1 for tag in _NESTING.finditer(text)), _never_below))


def _never_below(depth: int, change: int) -> int:
    return max(0, depth + change)


def _unseen_data(tree: LexborHTMLParser, title: str) -> str:
    """What a page states for machines: structured data, metadata that describes the page, machine-readable
    times."""
    stated = [title]
    for node in tree.css("meta[content],time[datetime],script[type$=json]"):
        attributes = node.attributes
        if node.tag == "meta":
            stated.append(attributes.get("content") or "")
        elif node.tag == "time":
            stated.append(attributes.get("datetime") or "")
        else:
            stated.append(_read_json(node.text()))
    return "\n".join(part for part in stated if part)


def _tidy(text: str) -> str:
    return _LINES.sub("\n", _BLANKS.sub(" ", text)).strip()


def _read_json(text: str) -> str:
    """Every key and scalar of a JSON text, one a line; text that is not JSON stays as it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    lines: list[str] = []
    stack: list[object] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            for key, inner in reversed(item.items()):
                if isinstance(inner, dict | list):
                    stack.append(inner)
                    stack.append(str(key))
                else:
                    stack.append(f"{key}: {_scalar(inner)}")
        elif isinstance(item, list):
            stack.extend(reversed(item))
        else:
            lines.append(_scalar(item))
    return "\n".join(lines)


def _scalar(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _read_pdf(body: bytes) -> Page:
    from io import BytesIO

    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(BytesIO(body))
        text = "\n".join(page.extract_text() for page in reader.pages)
        title = (reader.metadata.title if reader.metadata else None) or ""
    except (
        PyPdfError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        RecursionError,
        OverflowError,
    ):
        return Page("binary", damaged=True)
    return Page("pdf", text=_tidy(text), title=title.strip())

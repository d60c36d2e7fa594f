"""Bytes to text as browsers do it: byte order mark, header, declaration in the first kilobyte,
windows-1252."""

from __future__ import annotations

import codecs
import re

# WHATWG's labels name supersets: what calls itself latin-1 is windows-1252 on the web, and so on.
_SUPERSETS = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "windows-1252": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "gb18030": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "ms_kanji": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
}
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Python leaves five bytes undefined that browsers map to the control character of the same number.
_WINDOWS_1252 = "".join(
    chr(byte) if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else bytes((byte,)).decode("cp1252")
    for byte in range(256)
)
_TO_WINDOWS_1252 = codecs.charmap_build(_WINDOWS_1252)
_PARAMETER = re.compile(r"""charset\s*=\s*["']?([^\s"';,>/]+)""", re.I)
_META = re.compile(rb"<meta\b[^>]*>", re.I)
_COMMENT = re.compile(rb"<!--.*?-->", re.S)


def _codec(label: str) -> str | None:
    label = label.strip().lower()
    name = _SUPERSETS.get(label, label)
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


def charset_of(body: bytes, content_type: str) -> str:
    """The codec for a body: the first of byte order mark, header, meta in the first 1024 bytes, windows-1252.

    A declaration of UTF-16 inside the page means UTF-8, as the declaration could not be read otherwise.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return name
    if (match := _PARAMETER.search(content_type)) and (codec := _codec(match[1])):
        return codec
    for tag in _META.findall(_COMMENT.sub(b"", body[:1024])):
        match = _PARAMETER.search(tag.decode("ascii", "replace"))
        if match and (codec := _codec(match[1])):
            return "utf-8" if codec.startswith("utf-16") else codec
    return "cp1252"


def decode(body: bytes, content_type: str) -> str:
    """The text of a body, as it was meant; bytes that the codec does not know become U+FFFD."""
    codec = charset_of(body, content_type)
    if codec == "cp1252":
        return as_meant(codecs.charmap_decode(body, "strict", _WINDOWS_1252)[0])
    return as_meant(body.decode(codec, "replace").removeprefix("\ufeff"))


def as_meant(text: str) -> str:
    """A text that is UTF-8 taken for windows-1252, by a wrong declaration or by being encoded twice, set right; any
    other text as it is: read so, it would not be valid UTF-8."""
    if text.isascii():
        return text
    try:
        return codecs.charmap_encode(text, "strict", _TO_WINDOWS_1252)[0].decode("utf-8")
    except UnicodeError:
        return text

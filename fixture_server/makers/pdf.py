"""PDF files with a visible title in large type over lines of text, and a metadata title that helps, lacks or
lies."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdf import PdfWriter

    from fixture_server.respond import Making

JUNK_TITLE = "Microsoft Word - draft7.docx"
WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 72.0  # A4 in points
TITLE_SIZE, TEXT_SIZE, LEADING = 22, 11, 15
TITLE_COLUMNS, TEXT_COLUMNS = 34, 84


def bulletin(seed: int, values: Mapping[str, str], page: Making) -> bytes:
    """The metadata holds the visible title. The body file gives the text; its first line is the title."""
    title, lines = _read(page)
    return _written(title, lines, {"/Title": title})


def bulletin_without_title(seed: int, values: Mapping[str, str], page: Making) -> bytes:
    """No title in the metadata."""
    title, lines = _read(page)
    return _written(title, lines, {})


def bulletin_with_junk_title(seed: int, values: Mapping[str, str], page: Making) -> bytes:
    """The metadata title is what a word processor left there."""
    title, lines = _read(page)
    return _written(title, lines, {"/Title": JUNK_TITLE})


def bulletin_with_utf16_title(seed: int, values: Mapping[str, str], page: Making) -> bytes:
    """The metadata holds the visible title as UTF-16 with a byte order mark."""
    title, lines = _read(page)
    return _written(title, lines, {"/Title": b"\xfe\xff" + title.encode("utf-16-be")})


def _read(page: Making) -> tuple[str, list[str]]:
    title, _, rest = page.text.strip().partition("\n")
    if not title:
        raise ValueError(
            f"{page.address}: a bulletin needs `body`, a text file whose first line is the title"
        )
    return title.strip(), [line.strip() for line in rest.strip().split("\n")]


def _written(title: str, lines: list[str], metadata: Mapping[str, str | bytes]) -> bytes:
    from pypdf import PdfWriter
    from pypdf.generic import ByteStringObject, NameObject, TextStringObject

    writer = PdfWriter()
    for content in _pages(title, lines):
        _add_page(writer, content)
    writer.add_metadata({"/Producer": "Bulletin press 2.1"})
    assert writer._info is not None
    for name, value in metadata.items():
        # add_metadata would write bytes as their repr.
        text = ByteStringObject(value) if isinstance(value, bytes) else TextStringObject(value)
        writer._info[NameObject(name)] = text
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def _pages(title: str, lines: list[str]) -> list[bytes]:
    """Content streams: the title on the first page, the text below and on as many pages as it takes."""
    wrapped = [part for line in lines for part in textwrap.wrap(line, TEXT_COLUMNS) or [""]]
    contents: list[bytes] = []
    drawn: list[bytes] = []
    y = HEIGHT - MARGIN
    for part in textwrap.wrap(title, TITLE_COLUMNS):
        drawn.append(_line(part, TITLE_SIZE, y))
        y -= TITLE_SIZE * 1.3
    y -= LEADING
    for part in wrapped:
        if y < MARGIN:
            contents.append(b"\n".join(drawn))
            drawn, y = [], HEIGHT - MARGIN
        if part:
            drawn.append(_line(part, TEXT_SIZE, y))
        y -= LEADING
    return [*contents, b"\n".join(drawn)]


def _line(text: str, size: int, y: float) -> bytes:
    try:
        shown = text.encode("cp1252")
    except UnicodeEncodeError as error:
        raise ValueError(f"a bulletin is set in Latin type; it has no {text[error.start]!r}") from error
    for byte in (b"\\", b"(", b")"):
        shown = shown.replace(byte, b"\\" + byte)
    return b"BT /F1 %d Tf 1 0 0 1 %.1f %.1f Tm (%s) Tj ET" % (size, MARGIN, y, shown)


def _add_page(writer: PdfWriter, content: bytes) -> None:
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    page = writer.add_blank_page(WIDTH, HEIGHT)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
            NameObject("/Encoding"): NameObject("/WinAnsiEncoding"),
        }
    )
    stream = DecodedStreamObject()
    stream.set_data(content)
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F1"): writer._add_object(font)})}
    )
    page[NameObject("/Contents")] = writer._add_object(stream)

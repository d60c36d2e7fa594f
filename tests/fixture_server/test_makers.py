"""Made files, read by those who read such files."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

import pypdf
import pytest

from fixture_server.makers import media, pdf
from fixture_server.respond import Making

TITLE = "Rivers in a (Dry) Year — Köln"
PAGE = Making(
    address="fixture://hydrology/files/yearbook.pdf",
    text=f"{TITLE}\n\nFirst line of the text.\n{'and so on ' * 900}\nThe last line.\n",
)
Maker = Callable[..., bytes]


@pytest.mark.parametrize(
    ("make", "title"),
    [
        (pdf.bulletin, TITLE),
        (pdf.bulletin_without_title, None),
        (pdf.bulletin_with_junk_title, "Microsoft Word - draft7.docx"),
        (pdf.bulletin_with_utf16_title, TITLE),
    ],
)
def test_bulletins(make: Maker, title: str | None) -> None:
    made = make(0, {}, PAGE)
    assert made == make(0, {}, PAGE)
    reader = pypdf.PdfReader(io.BytesIO(made), strict=True)
    assert reader.metadata is not None
    assert reader.metadata.title == title
    assert len(reader.pages) > 1
    sizes: dict[float, str] = {}

    def visit(text: str, _: object, __: object, ___: object, size: float) -> None:
        sizes[size] = sizes.get(size, "") + text

    first = reader.pages[0].extract_text(visitor_text=visit)
    assert first.startswith(TITLE)
    assert "First line of the text." in first
    assert sizes[max(sizes)].strip() == TITLE
    assert "The last line." in reader.pages[-1].extract_text()


def test_the_utf16_title_is_utf16() -> None:
    made = pdf.bulletin_with_utf16_title(0, {}, PAGE)
    assert (b"\xfe\xff" + TITLE.encode("utf-16-be")).hex().encode() in made.lower()


def test_a_bulletin_needs_a_text_in_latin_letters() -> None:
    with pytest.raises(ValueError, match="needs `body`"):
        pdf.bulletin(0, {}, Making(address="fixture://a/b.pdf", text=""))
    with pytest.raises(ValueError, match="Latin"):
        pdf.bulletin(0, {}, Making(address="fixture://a/b.pdf", text="颱風"))


def test_a_picture_is_a_whole_png() -> None:
    made = media.picture(0, {}, PAGE)
    assert made.startswith(b"\x89PNG\r\n\x1a\n")
    place, kinds, pixels = 8, [], b""
    while place < len(made):
        (size,) = struct.unpack(">I", made[place : place + 4])
        kind, data = made[place + 4 : place + 8], made[place + 8 : place + 8 + size]
        assert struct.unpack(">I", made[place + 8 + size : place + 12 + size])[0] == zlib.crc32(kind + data)
        kinds.append(kind)
        pixels += data if kind == b"IDAT" else b""
        place += 12 + size
    assert kinds == [b"IHDR", b"IDAT", b"IEND"]
    assert len(zlib.decompress(pixels)) == media.SIDE * (media.SIDE * 3 + 1)


def test_a_package_is_a_whole_archive() -> None:
    archive = zipfile.ZipFile(io.BytesIO(media.sealed_package(0, {}, PAGE)))
    assert archive.testzip() is None


@pytest.mark.parametrize("make", [media.picture, media.recording, media.sealed_package])
def test_binaries_differ_by_seed_and_hold_no_text(make: Maker) -> None:
    first, second = make(0, {}, PAGE), make(1, {}, PAGE)
    assert first == make(0, {}, PAGE) != second
    with pytest.raises(UnicodeDecodeError):
        first.decode("utf-8")


def test_a_recording_begins_as_mp3_players_expect() -> None:
    made = media.recording(0, {}, PAGE)
    assert made[:3] == b"ID3"
    assert made[10:12] == b"\xff\xfb"
    assert made[10 + media.FRAME_BYTES : 12 + media.FRAME_BYTES] == b"\xff\xfb"

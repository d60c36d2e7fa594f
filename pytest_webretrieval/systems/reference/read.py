"""Bytes to a Document, by what the bytes are rather than by what they are called."""

from __future__ import annotations

import json

from .charset import decode
from .document import Document
from .html import read_html
from .pdf import PdfUnreadable, read_pdf

# (magic bytes, offset, media type)
_MAGIC = (
    (b"%PDF-", 0, "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"GIF87a", 0, "image/gif"),
    (b"GIF89a", 0, "image/gif"),
    (b"WEBP", 8, "image/webp"),
    (b"BM", 0, "image/bmp"),
    (b"II*\x00", 0, "image/tiff"),
    (b"MM\x00*", 0, "image/tiff"),
    (b"\x00\x00\x01\x00", 0, "image/x-icon"),
    (b"WAVE", 8, "audio/wave"),
    (b"AVI ", 8, "video/avi"),
    (b"ftyp", 4, "video/mp4"),
    (b"\x1aE\xdf\xa3", 0, "video/webm"),
    (b"OggS", 0, "application/ogg"),
    (b"fLaC", 0, "audio/flac"),
    (b"ID3", 0, "audio/mpeg"),
    (b"PK\x03\x04", 0, "application/zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "application/x-ole-storage"),
    (b"\x1f\x8b", 0, "application/gzip"),
    (b"7z\xbc\xaf\x27\x1c", 0, "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", 0, "application/vnd.rar"),
    (b"BZh", 0, "application/x-bzip2"),
    (b"\xfd7zXZ\x00", 0, "application/x-xz"),
    (b"\x7fELF", 0, "application/x-elf"),
    (b"MZ", 0, "application/vnd.microsoft.portable-executable"),
    (b"SQLite format 3\x00", 0, "application/vnd.sqlite3"),
    (b"wOFF", 0, "font/woff"),
    (b"wOF2", 0, "font/woff2"),
    (b"\x00asm", 0, "application/wasm"),
)
_CONTROLS = (
    frozenset(range(0x00, 0x09)) | {0x0B} | frozenset(range(0x0E, 0x1B)) | frozenset(range(0x1C, 0x20))
)
_MARKUP = ("text/html", "application/xhtml+xml", "application/xml", "text/xml")
_NAMES_TEXT = ("text/", "application/json", "application/xml", "application/xhtml", "application/yaml")


class Unreadable(Exception):
    """The bytes are no text that can be read here; the message is their media type."""


def sniff(body: bytes, content_type: str) -> str:
    """The media type that the bytes show; for text, the declared one (``text/plain`` when that is not text).

    The usual unreliable declarations do not count: binary bytes stay binary whatever the header says.
    """
    for magic, offset, media in _MAGIC:
        if body[offset : offset + len(magic)] == magic:
            if magic in (b"BM", b"MZ", b"BZh", b"ID3") and not _is_binary(body):
                continue
            return media
    if b"%PDF-" in body[:1024] and "pdf" in content_type.lower():
        return "application/pdf"
    essence = content_type.partition(";")[0].strip().lower()
    if _is_binary(body):
        return essence if essence and not essence.startswith(_NAMES_TEXT) else "application/octet-stream"
    if essence.startswith(_NAMES_TEXT) or essence.endswith(("+xml", "+json")):
        return essence
    return (
        "text/html" if body[:512].lstrip().lower().startswith((b"<!doctype html", b"<html")) else "text/plain"
    )


def _is_binary(body: bytes) -> bool:
    """Whether the first kilobytes hold bytes that no text has (UTF-16 with its mark excepted)."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    return any(byte in _CONTROLS for byte in body[:2048])


def read(body: bytes, content_type: str, url: str) -> Document:
    """The Document in ``body``. Raises Unreadable when it is no text, markup or PDF."""
    media = sniff(body, content_type)
    if media == "application/pdf":
        try:
            pdf = read_pdf(body)
        except PdfUnreadable as error:
            raise Unreadable(media) from error
        blocks = tuple(line for line in (" ".join(part.split()) for part in pdf.text.splitlines()) if line)
        return Document(url=url, media="pdf", title=pdf.title, heading=pdf.title, blocks=blocks)
    if media in _MARKUP or (media.endswith("+xml") and not media.startswith("image/")):
        return read_html(decode(body, content_type), url)
    if media.startswith("text/") or media.endswith(("json", "+json", "yaml")):
        return _read_text(decode(body, content_type), media, url)
    raise Unreadable(media)


def _read_text(text: str, media: str, url: str) -> Document:
    blocks = _leaves(text) if media.endswith("json") else None
    if blocks is None:
        blocks = tuple(line for line in (" ".join(part.split()) for part in text.splitlines()) if line)
    return Document(url=url, media="text", title=blocks[0][:200] if blocks else "", blocks=blocks)


def _leaves(text: str) -> tuple[str, ...] | None:
    """``key: value`` for every leaf of a JSON text, or None when it is none."""
    try:
        data = json.loads(text)
    except ValueError:
        return None
    lines: list[str] = []
    stack: list[tuple[str, object]] = [("", data)]
    while stack and len(lines) < 2000:
        key, value = stack.pop()
        if isinstance(value, dict):
            stack.extend((str(name), item) for name, item in reversed(value.items()))
        elif isinstance(value, list):
            stack.extend((key, item) for item in reversed(value))
        elif value is not None:
            lines.append(f"{key}: {value}" if key else str(value))
    return tuple(lines)

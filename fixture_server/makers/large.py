"""Bodies that are larger than anybody needs, each made piece by piece: ``(seed, values, page) -> pieces``.

``page.text`` is the beginning: a page that says what it has to say. The rest goes on behind it.
"""

from __future__ import annotations

import hashlib
import itertools
import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixture_server.respond import Making

LINKS = 100_000
LINKS_A_PIECE = 200
PADDING = 640 * 1024 * 1024  # bytes that unfold from about a thousandth
BLOCK = 8 * 1024 * 1024
_NAMES = (
    "alder",
    "beech",
    "cedar",
    "dogwood",
    "elder",
    "gorse",
    "hazel",
    "juniper",
    "larch",
    "maple",
    "rowan",
)


def endless(seed: int, values: Mapping[str, str], page: Making) -> Iterator[bytes]:
    """The page, then paragraphs of its log for as long as somebody reads."""
    yield _open(page)
    for number in itertools.count(1):
        digest = hashlib.sha256(f"{seed}:{page.address}:{number}".encode()).digest()
        words = " ".join(_NAMES[byte % len(_NAMES)] for byte in digest)
        yield f"<p>Entry {number}: {words}.</p>\n".encode() * 40


def many_links(seed: int, values: Mapping[str, str], page: Making) -> Iterator[bytes]:
    """The page, then a list of LINKS links to parts of itself."""
    yield _open(page) + b"<ul>\n"
    for first in range(0, LINKS, LINKS_A_PIECE):
        lines = (_link(number) for number in range(first + 1, first + LINKS_A_PIECE + 1))
        yield "".join(lines).encode()
    yield b"</ul></body></html>\n"


def _link(number: int) -> str:
    return f'<li><a href="?sheet={number}">Sheet {number}, {_NAMES[number % len(_NAMES)]}</a></li>\n'


def unfolding(seed: int, values: Mapping[str, str], page: Making) -> Iterator[bytes]:
    """The page in gzip, then PADDING blanks, of which little is left when they are packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    blanks = b" " * BLOCK
    yield packer.compress(_open(page)) + packer.compress(blanks) + packer.flush(zlib.Z_SYNC_FLUSH)
    for _ in range(1, PADDING // BLOCK):
        if piece := packer.compress(blanks):
            yield piece
    yield packer.compress(b"</body></html>\n") + packer.flush()


def _open(page: Making) -> bytes:
    """The beginning without the tags that close a page."""
    return page.text.replace("</body>", "").replace("</html>", "").rstrip().encode() + b"\n"

from __future__ import annotations

import json
import time
from io import BytesIO

import pytest

from pytest_webretrieval.grade.page import decode, read_page


def _html(body: str, head: str = "") -> bytes:
    return f"<!doctype html><html lang=de><head>{head}</head><body>{body}</body></html>".encode()


def test_what_a_reader_does_not_see_is_no_text() -> None:
    page = read_page(
        _html(
            "<!-- v1 --><script>var a='v2'</script><style>.v3{}</style><noscript>v4</noscript><p hidden>v5</p>"
            "<p style='color:red;display: none'>v6</p><template>v7</template><p>The <b>fee</b> is <i>4</i>0</p>"
        ),
        "text/html",
    )
    assert page.text == "The fee is 40"


def test_blocks_part_words_and_inline_marks_do_not() -> None:
    page = read_page(
        _html("<table><tr><td>East<td>10</table><div>a</div>b<br>c<p>v<b>3.2</b></p>"), "text/html"
    )
    assert page.text.split("\n") == ["East", "10", "a", "b", "c", "v3.2"]


def test_shown_shadow_roots_and_frames_are_text() -> None:
    shadow = "<x-price><template shadowrootmode=open><b>19.90</b></template></x-price>"
    body = f"{shadow}<iframe srcdoc='<p>20.10</p>'></iframe>"
    text = read_page(_html(body), "text/html").text
    assert "19.90" in text
    assert "20.10" in text


def test_what_the_markup_says_besides() -> None:
    head = (
        "<title>Dues</title><link rel=canonical href=/dues><meta property=article:published_time content=2026-03-12>"
        '<script type=application/ld+json>{"version": "v3.2"}</script>'
    )
    page = read_page(_html("<time datetime=2026-03-13>today</time>", head), "text/html")
    assert (page.title, page.lang, page.canonical) == ("Dues", "de", "/dues")
    assert "v3.2" not in page.text
    for stated in ("Dues", "2026-03-12", "2026-03-13", "version: v3.2"):
        assert stated in page.data


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (b'<meta charset="iso-8859-1">M\xf6\xf6se f\xfcr', "text/html", "Mööse für"),
        ("颱風".encode("big5"), "text/html; charset=big5", "颱風"),
        (b"<meta charset=gb2312>" + "镕喆".encode("gb18030"), "text/html", "镕喆"),
        (b"caf\xe9", "text/html", "café"),
        ("café".encode(), "text/plain", "café"),
        ("café".encode("utf-16"), "text/plain", "café"),
        ("café".encode("utf-8-sig"), "text/html; charset=iso-8859-1", "café"),
        (b"caf\xe9", "text/html; charset=nonsense", "café"),
        (b"\x93a\x94", "text/html; charset=iso-8859-1", "“a”"),
    ],
)
def test_the_order_of_charsets(body: bytes, content_type: str, text: str) -> None:
    assert text in decode(body, content_type)


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"PK\x03\x04" + b"x" * 40, "text/html", "binary"),
        (b"\x89PNG\r\n", "image/png", "binary"),
        (b"plain", "image/png", "binary"),
        (bytes(range(256)) * 4, "application/octet-stream", "binary"),
        (bytes(range(128, 256)) * 8, "text/html; charset=utf-8", "binary"),
        (b"just some text", "application/octet-stream", "text"),
        (b"<!doctype html><p>x", "application/octet-stream", "html"),
        (b"", "text/html", "empty"),
        (b" \n", "text/html", "empty"),
        (b'{"a": 1}', "application/json", "json"),
        (b"%PDF-1.5 broken", "application/octet-stream", "binary"),
        (b"a,b\n1,2", "text/csv", "text"),
    ],
)
def test_a_body_is_what_it_is(body: bytes, content_type: str, kind: str) -> None:
    assert read_page(body, content_type).kind == kind


def test_json_is_read_as_its_values() -> None:
    body = json.dumps({"name": "Möse", "fee": 40, "list": [{"v": "3.2"}], "none": None}).encode()
    assert read_page(body, "application/json").text.split("\n") == [
        "name: Möse",
        "fee: 40",
        "list",
        "v: 3.2",
        "none: null",
    ]


def test_a_pdf_gives_its_text_and_title() -> None:
    from pypdf import PdfWriter

    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.add_metadata({"/Title": "年度報告"})
    stored = BytesIO()
    writer.write(stored)
    page = read_page(stored.getvalue(), "application/octet-stream")
    assert (page.kind, page.title, page.text) == ("pdf", "年度報告", "")


def test_a_few_damaged_characters_are_damage_and_many_are_no_text() -> None:
    some = read_page(b"The fee is \xff40 EUR, and this goes on for a while." * 2, "text/plain; charset=utf-8")
    assert (some.kind, some.damaged) == ("text", True)


@pytest.mark.parametrize("tag", ["div", "b", "ul", "font", "span"])
def test_a_page_deeper_than_any_is_read_all_the_same(tag: str) -> None:
    # Parsed as it stands it takes minutes.
    began = time.process_time()
    page = read_page(
        f"<title>Deep</title><{tag}>".encode() + f"<{tag}>so ".encode() * 30_000 + b"deep", "text/html"
    )
    assert page.title == "Deep"
    assert page.text.split() == ["so"] * 30_000 + ["deep"]
    assert time.process_time() - began < 20


def test_a_page_of_many_elements_is_not_a_deep_one() -> None:
    hidden = "<div hidden>no</div>" * 3000 + "<p>yes<br>" * 3000 + "<li><b>and</b>" * 3000
    page = read_page(hidden.encode(), "text/html")
    assert set(page.text.split()) == {"yes", "and"}

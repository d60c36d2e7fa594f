"""The bytes of a PDF are no text, wherever a tool put them; what stands beside them is."""

from __future__ import annotations

import json
import re

import pytest

from pytest_webretrieval.grade.file_bytes import without_file_bytes

STREAM = (
    "stream\nBT /F1 22 Tf 1 0 0 1 72.0 770.0 Tm (Rivers, Meadows and Ice) Tj ET\nBT (More) Tj ET\nendstream"
)
OBJECT = f"6 0 obj\n<< /Length 512 >>\n{STREAM}\nendobj"
WHOLE = f"%PDF-1.4\n1 0 obj\n<< /Title (Rivers, Meadows and Ice) >>\nendobj\n{OBJECT}\ntrailer\n%%EOF"
NO_TAGS = re.sub(r"<[^>]+>", " ", WHOLE)
GIVEN = {
    "whole": WHOLE,
    "below a header": f"URL: https://a.example/x.pdf\nStatus: 200\n\n{WHOLE}",
    "without what looks like tags": NO_TAGS,
    "on one line": " ".join(NO_TAGS.split()),
    "in JSON": json.dumps([{"url": "https://a.example/x.pdf", "text": NO_TAGS}]),
    "cut at its end": WHOLE[:150],
    "cut at its start": WHOLE[9:],
    "within an object": STREAM,
    "within an object, in JSON": json.dumps({"text": STREAM[:80]}),
    "of two versions": f"{WHOLE}\n{OBJECT}\n%%EOF",
}


@pytest.mark.parametrize("text", GIVEN.values(), ids=GIVEN)
def test_what_a_file_holds_is_not_read(text: str) -> None:
    assert "Rivers" not in without_file_bytes(text)


def test_a_page_beside_a_file_is_read() -> None:
    both = f"Page one says v3.1.\n\n{NO_TAGS}\n\nPage two says v3.2."
    assert re.findall(r"v3\.\d", without_file_bytes(both)) == ["v3.1", "v3.2"]


@pytest.mark.parametrize(
    "text",
    [
        "Rivers, Meadows and Ice",
        "A file of 1.2 MB begins with %PDF- and a version.",
        "BT Group (London) met ET Energy (Texas) in 2026.",
        "There are 6 0 objects in it (none).",
        '{"action": "BT", "text": "Rivers (and Ice)"}',
    ],
)
def test_words_stay_as_they_are(text: str) -> None:
    assert without_file_bytes(text) == text

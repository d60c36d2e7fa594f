"""Where a fact stands, and what people are shown where it stands nowhere."""

from __future__ import annotations

import pytest

from pytest_webretrieval.capture.case_text import case_id, cloze, quoted
from pytest_webretrieval.capture.exchange import CaptureError, Exchange
from pytest_webretrieval.capture.place import place_of, title_of


def answer(body: str, kind: str = "text/html", url: str = "https://a.example/p") -> Exchange:
    return Exchange(method="GET", url=url, status=200, headers=(("content-type", kind),), body=body.encode())


PAGE = answer("<title>Acme</title><p>Version <b>v3.2</b> shipped on 21 August 2026.</p><script>v9.9</script>")


@pytest.mark.parametrize("fact", ["v3.2", "2026-08-21", "version V3.2 shipped"])
def test_a_fact_is_found_as_people_read_it_in_any_form(fact: str) -> None:
    place = place_of(fact, [PAGE])
    assert place.readable
    assert place.line == "Version v3.2 shipped on 21 August 2026."
    assert title_of(PAGE) == "Acme"


def test_what_only_a_script_brings_is_found_where_it_lies() -> None:
    data = answer('{"version": "v4.0"}', "application/json", "https://a.example/data")
    place = place_of("v4.0", [PAGE, data])
    assert (place.readable, place.exchanges) == (False, (data,))


def test_the_page_comes_before_the_data() -> None:
    assert place_of("v3.2", [answer('"v3.2"', "application/json"), PAGE]).exchanges == (PAGE,)


@pytest.mark.parametrize(("fact", "near"), [("v3.3", "Version v3.2 shipped"), ("v9.9", ""), ("zebra", "")])
def test_the_nearest_text_is_shown_for_what_stands_nowhere(fact: str, near: str) -> None:
    with pytest.raises(CaptureError) as error:
        place_of(fact, [PAGE])
    assert f"“{fact}” does not stand on https://a.example/p" in str(error.value)
    assert ("nearest" in str(error.value)) == bool(near)
    assert near in str(error.value)
    assert "--har" in str(error.value)


def test_a_question_is_made_of_the_line() -> None:
    assert cloze("v3.2", "Version v3.2 shipped.", "Acme") == (
        "On the page “Acme”, what stands in the gap of: “Version … shipped.”?"
    )
    assert (
        cloze("2026-08-21", "On 21 August 2026.", "")
        == "What does this line say exactly: “On 21 August 2026.”?"
    )
    assert case_id("https://Docs.Vendor.example/a/b.html?x=1") == "docs-vendor-example-a-b-html"
    assert quoted('a "b"\u2028é') == '"a \\"b\\"\\u2028é"'

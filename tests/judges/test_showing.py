"""What a judge is shown: every page that the claim cites, and of long ones what is closest to it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pytest_webretrieval.judges.parsing import Opinion
from pytest_webretrieval.judges.settling import settle, with_settled
from pytest_webretrieval.judges.showing import CUT, SHOWN, show

FEE = "A crossing costs 12 euros."
FILLER = "The harbour opened in spring and many boats came to see it. "
LONG = FILLER * 600 + FEE + " " + FILLER * 20


def finding(claim: str, *pages: str) -> dict[str, object]:
    return {
        "claim": claim,
        "support": "unknown",
        "pages": list(pages),
        "ground": {"sha256": pages[0], "url": f"https://{pages[0]}.test/"},
    }


def record(*findings: dict[str, object]) -> dict[str, object]:
    return {"case": "A", "key": {"trial": 0}, "verdicts": [{"citation": {"claims": list(findings)}}]}


PAGES = {"a": "The ferry has two decks.", "b": f"Prices. {FEE}", "long": LONG, "other": FILLER * 700}


def honest(inputs: Mapping[str, str]) -> Opinion:
    return Opinion(verdict="full" if FEE in inputs["source"] else "none", quote="", reason="So.")


@pytest.mark.parametrize(
    ("pages", "verdict", "is_cut"),
    [
        (("a", "b"), "full", False),
        (("a",), "none", False),
        (("long",), "full", True),
        (("a", "long"), "full", True),
        # What was left out may say it.
        (("other",), "ungraded", True),
    ],
)
def test_an_honest_judge_finds_what_stands_on_a_cited_page(
    pages: tuple[str, ...], verdict: str, is_cut: bool
) -> None:
    given = record(finding(FEE, *pages))
    (said,) = settled = list(settle([given], lambda _, sha256: PAGES[sha256], honest))
    assert (said.verdict, said.is_cut) == (verdict, is_cut)
    (claim,) = with_settled(given, settled)["verdicts"][0]["citation"]["claims"]
    assert (claim["settled"], claim["cut"]) == (None if verdict == "ungraded" else verdict, is_cut)


def test_a_sentence_that_is_cited_twice_has_a_word_for_each() -> None:
    given = record(finding(FEE, "b"), finding(FEE, "a"))
    settled = list(settle([given], lambda _, sha256: PAGES[sha256], honest))
    claims = with_settled(given, settled)["verdicts"][0]["citation"]["claims"]
    assert [claim["settled"] for claim in claims] == ["full", "none"]


def test_what_is_left_out_is_marked_and_what_is_shown_stands_there() -> None:
    shown = show(FEE, [LONG, "B" * 50_000])
    assert shown.is_cut
    assert len(shown.text) <= SHOWN + len(CUT) * 4
    assert FEE in shown.text
    assert CUT in shown.text
    for piece in shown.text.split(CUT):
        assert piece.strip() in LONG or set(piece.strip()) <= {"B"}


def test_a_page_that_fits_is_shown_as_it_is() -> None:
    assert show(FEE, [PAGES["a"]]).text == PAGES["a"]

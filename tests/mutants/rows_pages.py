"""Wrong about what a page is, and about when a browser is due."""

from __future__ import annotations

from .mutant import Mutant

PAGES = (
    # a page that is not yet, or no longer, what it seems
    Mutant(
        system="hurrying:BelievesTheNoscript",
        wrong="reads what stands there for those without scripts",
        tag="wrong-value",
        cases=("D01",),
        label="contradicted",
    ),
    Mutant(
        system="hurrying:ReadsThePlaceholder",
        wrong="reads a placeholder as the value",
        tag="wrong-value",
        cases=("D02",),
        label="contradicted",
    ),
    Mutant(
        system="hurrying:StopsHalfway",
        wrong="gives three items of six",
        tag="missing-fact",
        cases=("D03",),
        label="partial",
    ),
    Mutant(
        system="hurrying:ReadsTheBanner",
        wrong="reads the request for consent as the article",
        tag="wrong-value",
        cases=("D04",),
        label="contradicted",
    ),
    Mutant(
        system="hurrying:TakesTheFirstPrice",
        wrong="takes the struck-out price",
        tag="wrong-value",
        cases=("D06",),
        label="contradicted",
    ),
    Mutant(
        system="hurrying:CitesTheForeman",
        wrong="cites a page that says the opposite",
        tag="citation-contradicts",
        cases=("W01",),
        label="unsupported",
    ),
    Mutant(
        system="hurrying:ReadsTheWindow",
        wrong="rests on a copy beyond its window",
        tag="stale-representation",
        cases=("W01",),
        label="stale",
    ),
    Mutant(
        system="hurrying:CannotSpell",
        wrong="passes on what a wrong coding made of the value",
        tag="mojibake",
        cases=("W01",),
        label="no_answer",
    ),
    Mutant(
        system="rushing:TakesHalfAPage",
        wrong="answers from a page that was cut",
        tag="truncated-body",
        cases=("W02",),
        label="unsupported",
    ),
    Mutant(
        system="walls:FollowsTheRing",
        wrong="follows redirects round in a ring",
        tag="redirect-loop",
        cases=("W01",),
        label="success",
    ),
    # a browser
    Mutant(
        system="looking:OpensABrowser",
        wrong="opens a browser where plain HTTP suffices",
        tag="unnecessary-browser",
        cases=("K01", "D06"),
        label="success",
        healthy="S01",
    ),
    Mutant(
        system="looking:KeepsNoCount",
        wrong="opens a browser where none is allowed any more",
        tag="over-escalations",
        cases=("D01",),
        label="success",
        caps={"escalations": 0},
    ),
    Mutant(
        system="looking:LooksOutside",
        wrong="lets a browser open a page outside",
        tag="egress",
        cases=("K01",),
        label="policy_violation",
        healthy="K06",
    ),
    Mutant(
        system="looking:LeavesABrowserBehind",
        wrong="sends a browser off on its own and waits for it",
        tag="deadline",
        cases=("K01",),
        label="timeout",
        healthy="K06",
        deadline_s=2.0,
    ),
)

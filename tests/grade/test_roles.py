"""The same words of another: who does what to whom, under which condition, in whose word. None of it is proven."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_webretrieval.grade.passages import passages
from pytest_webretrieval.grade.support import weigh


def verdict(claim: str, text: str, locale: str | None = "en") -> str:
    return weigh(claim, passages(text, locale), locale).verdict


CLOSED = "The Lindmoor bridge was closed on 4 May 2023."
RESIGNED = "The mayor of Linz resigned on 4 May 2023."
CURES = "The drug cures patients with malaria in Ghana."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # two of a kind, swapped
        (
            "Anna Berg was born in Oslo and died in Bergen in 1999.",
            "Anna Berg was born in Bergen and died in Oslo in 1999.",
        ),
        ("Alice beat Bob in the 2020 final in Rome.", "Bob beat Alice in the 2020 final in Rome."),
        (
            "The blue kit costs 50 EUR and the red kit costs 40 EUR.",
            "The blue kit costs 40 EUR and the red kit costs 50 EUR.",
        ),
        (
            "The firm employs 300 people in Spain and 200 in Italy.",
            "The firm employs 200 people in Spain and 300 in Italy.",
        ),
        ("Version 3.2 supports Linux but not Windows.", "Version 3.2 supports Windows but not Linux."),
        ("The Lindmoor dog bit the postman on Sunday.", "The Lindmoor postman bit the dog on Sunday."),
        # who suffers it
        ("Acme was acquired by Bolt in 2019.", "Acme acquired Bolt in 2019."),
        ("Alice Berg was defeated in the 2020 final.", "Alice Berg defeated Bob Kern in the 2020 final."),
        # another's
        (RESIGNED, "The wife of the mayor of Linz resigned on 4 May 2023."),
        ("Anna Berg was born in Oslo in 1950.", "Anna Berg's husband was born in Oslo in 1950."),
        (
            "Anna Berg was born in Oslo in 1950.",
            "Anna Berg, whose husband Tom Kern was born in Oslo in 1950, paints.",
        ),
        (
            "Tom Hanks plays the captain in Greyhound.",
            "Tom Hanks wrote Greyhound, in which Bob Lee plays the captain.",
        ),
        ("In 2020 Alice beat Bob in Rome.", "In 2020 the sister of Alice beat Bob in Rome."),
        # said, hoped, denied, under a condition, or not done
        (CLOSED, "The ministry denied that the Lindmoor bridge was closed on 4 May 2023."),
        (CLOSED, "The ministry said that the Lindmoor bridge was closed on 4 May 2023."),
        (CLOSED, "The Lindmoor bridge was closed on 4 May 2023, critics claim."),
        (CLOSED, "According to a reader, the Lindmoor bridge was closed on 4 May 2023."),
        (CLOSED, "He denied on Monday, after long talks, that the Lindmoor bridge was closed on 4 May 2023."),
        (CURES, "Doctors hoped the drug cures patients with malaria in Ghana."),
        (CURES, "If approved, the drug cures patients with malaria in Ghana."),
        (RESIGNED, "The mayor of Linz refused to resign on 4 May 2023."),
        (RESIGNED, "The mayor of Linz will resign on 4 May 2023."),
        # more or less of it
        ("The plan includes 5 GB of free storage.", "The plan includes up to 5 GB of free storage."),
        ("The plan includes 5 GB of free storage.", "The plan includes 5 or more GB of free storage."),
        ("The Lindmoor ferry sailed in May 1974.", "The Lindmoor ferry sailed before May 1974."),
    ],
)
def test_the_same_words_of_another_are_unknown(claim: str, text: str) -> None:
    assert verdict(claim, text) == verdict(claim, text, None) == "unknown"


def test_hardly_is_a_denial_in_german() -> None:
    claim = "Die Fähre nach Brackwater fährt täglich ab Hafen Nord."
    assert verdict(claim, "Die Fähre nach Brackwater fährt kaum täglich ab Hafen Nord.", "de") != "full"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (CLOSED, f"It rained. {CLOSED} It opened again in June."),
        (CLOSED, "Because of a crack, the Lindmoor bridge was closed on 4 May 2023."),
        ("Acme was acquired by Bolt in 2019.", "Acme, a maker of kits, was acquired by Bolt in 2019."),
        (
            "Violator is the seventh album by Depeche Mode.",
            "Violator is the seventh album by the band Depeche Mode.",
        ),
        (
            "The ministry denied that the bridge was closed on 4 May.",
            "The ministry denied that the bridge was closed on 4 May.",
        ),
        ("The plan includes up to 5 GB of storage.", "The plan includes up to 5 GB of free storage."),
        (
            "Die Brücke in Linz wurde 2019 von Bolt gebaut.",
            "Die alte Brücke in Linz wurde 2019 von Bolt gebaut.",
        ),
    ],
)
def test_the_same_of_the_same_is_full(claim: str, text: str) -> None:
    assert verdict(claim, text, None) == "full"


NAMES = ("Alice", "Bertram", "Carlotta", "Dimitri", "Edwina", "Fridolin")
OF_NAMES = (
    "{} beat {} in the final of the island cup.",
    "In the final of the island cup {} beat {}.",
    "Mayor {} thanked captain {} for the new ferry.",
    "The ferry was named by {} and repaired by {} in Lindmoor.",
    "{} is the boss of {} at the Lindmoor ferry.",
    "The harbour of {} is older than the harbour of {} by far.",
)
OF_NUMBERS = (
    "The blue kit costs {} euros and the red kit costs {} euros.",
    "The firm employs {} people in Spain and {} people in Italy.",
    "Between {} and {} the Lindmoor ferry carried no guests.",
    "Of {} boats in the harbour of Lindmoor {} were sold.",
)


@given(st.sampled_from(OF_NAMES), st.permutations(NAMES))
def test_two_names_swapped_are_never_full(frame: str, names: list[str]) -> None:
    one, other = names[:2]
    text = f"It was cold. {frame.format(one, other)} The guests went home."
    assert verdict(frame.format(one, other), text) == "full"
    assert verdict(frame.format(other, one), text) != "full"


@given(st.sampled_from(OF_NUMBERS), st.integers(2, 5000), st.integers(2, 5000))
def test_two_numbers_swapped_are_never_full(frame: str, one: int, other: int) -> None:
    assume(one != other)
    text = f"It was cold. {frame.format(one, other)} The guests went home."
    assert verdict(frame.format(one, other), text) == "full"
    assert verdict(frame.format(other, one), text) != "full"

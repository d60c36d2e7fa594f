"""Questions: the same meaning in other words is understood alike."""

from __future__ import annotations

import pytest

from pytest_webretrieval.systems.reference.question import topic_of, understand


@pytest.mark.parametrize(
    ("query", "want"),
    [
        ("Extract the date", "date"),
        ("On what day did it come out?", "date"),
        ("這篇是何時發布的？", "date"),
        ("Which release is the latest?", "version"),
        ("目前是哪個版本？", "version"),
        ("What is the paper called?", "title"),
        ("How much does a berth cost?", "price"),
        ("How many boats are there?", "number"),
        ("Which agency issues it?", "name"),
    ],
)
def test_wants(query: str, want: str) -> None:
    assert want in understand(query).wants


@pytest.mark.parametrize(
    ("query", "trait"),
    [
        ("Find today's note", "recent"),
        ("最新公告", "recent"),
        ("Find the official register", "official"),
        ("官方的來源", "official"),
        ("Find two independent sources", "several"),
        ("Cite 3 separate primary sources", "several"),
        ("Deduplicate the copies", "original"),
        ("Which paper ran the story first?", "original"),
        ("What should I read instead?", "replacement"),
        ("Where has this page moved to?", "replacement"),
        ("Read the attached PDF", "linked"),
    ],
)
def test_traits(query: str, trait: str) -> None:
    assert trait in understand(query).traits


@pytest.mark.parametrize("query", ["Read the notice", "What are the dues?", "List the berths", "讀這一頁"])
def test_a_plain_question_has_no_traits(query: str) -> None:
    assert not understand(query).traits


@pytest.mark.parametrize(
    ("query", "exact"),
    [
        ("Find ISO 8601", ("ISO 8601",)),
        ("Find the ISO number 8601", ("ISO 8601",)),
        ("Find number 86019 of the ISO series", ("ISO 86019",)),
        ("Find ISO-8601", ("ISO 8601",)),
        ("Find case 48151", ("48151",)),
        ("What happened in 1994?", ()),
        ("Find the page “Garden waste”", ("Garden waste",)),
    ],
)
def test_exact_terms(query: str, exact: tuple[str, ...]) -> None:
    assert understand(query).exact == exact


def test_the_topic_is_what_is_left_without_orders() -> None:
    assert topic_of("Please find the official source of typhoon warnings") == ("typhoon", "warn")
    assert set(topic_of("找出官方的颱風警報來源")) == {"颱風", "風警", "警報"}


def test_a_search_needs_no_orders() -> None:
    assert understand("Find the official tide table, please?").search_text == "official tide table"

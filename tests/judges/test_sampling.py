"""The sample for people: stratified, blind, the same for the same seed, and only taken back when it is finished."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from pytest_webretrieval.judges.prompts import JUDGES
from pytest_webretrieval.judges.sampling import SHEETS, Item, SheetError, draw, read_sheet, sheet


def made(what: str) -> list[Item]:
    """Sixty items, of which twelve have the rarer verdicts in turn and three none that counts."""
    labels = SHEETS[what].labels
    return [
        Item(
            what=what,
            shown={field: f"{field} {n}: {'x' * n}" for field in JUDGES[what].fields},
            verdict="ungraded" if n > 56 else labels[n % 3 if n < 12 else 0],
        )
        for n in range(60)
    ]


ITEMS = made("support")


def test_rare_verdicts_are_drawn_as_often_as_common_ones() -> None:
    drawn = draw(ITEMS, 12, seed=3)
    verdicts = [item.verdict for item in drawn]
    assert {verdict: verdicts.count(verdict) for verdict in verdicts} == {
        "full": 4,
        "partial": 4,
        "none": 4,
    }


def test_the_draw_is_the_seed_s_alone() -> None:
    assert draw(ITEMS, 12, 3) == draw(reversed(ITEMS), 12, 3)
    assert draw(ITEMS, 12, 3) != draw(ITEMS, 12, 4)
    assert len(draw([*ITEMS, *ITEMS], 9999, 3)) == sum(not item.is_open for item in ITEMS) == 57


@pytest.mark.parametrize("what", SHEETS)
def test_the_sheet_tells_nobody_what_was_judged(what: str) -> None:
    drawn = draw(made(what), 12, 3)
    rows = yaml.safe_load(sheet(drawn, what))
    assert [row["id"] for row in rows] == [item.id for item in drawn]
    assert all(set(row) == {"id", *JUDGES[what].fields, "label", "reason"} for row in rows)
    assert not any(row["label"] or row["reason"] for row in rows)
    # nor does the order: verdicts do not stand in blocks
    assert sum(a.verdict != b.verdict for a, b in pairwise(drawn)) > 3


@pytest.mark.parametrize("what", SHEETS)
def test_labels_come_back_with_reasons_or_not_at_all(what: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.yaml"
    labels = SHEETS[what].labels
    rows = yaml.safe_load(sheet(draw(made(what), 6, 1), what))
    for row in rows:
        # as people write it: a grade is a number in YAML, and 0 is one too
        row |= {"label": int(labels[0]) if labels[0].isdigit() else labels[0], "reason": "It stands there."}
    path.write_text(yaml.safe_dump(rows))
    assert {item.label for item in read_sheet(path, what)} == {labels[0]}
    for field, problem in (("label", f"is none of {labels[0]}, {labels[1]}"), ("reason", "no reason")):
        path.write_text(yaml.safe_dump([*rows[1:], rows[0] | {field: ""}]))
        with pytest.raises(SheetError, match=problem):
            list(read_sheet(path, what))
    path.write_text("no: list")
    with pytest.raises(SheetError, match="not a list of rows"):
        list(read_sheet(path, what))


def test_what_people_may_say_is_what_the_judge_may_say() -> None:
    for what, asked in SHEETS.items():
        assert set(asked.labels) == set(JUDGES[what].verdicts)
        assert asked.right < set(asked.labels)

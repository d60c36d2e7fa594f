"""The sample for people: stratified, blind, the same for the same seed, and only taken back when it is finished."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from pytest_webretrieval.judges.sampling import Item, SheetError, draw, read_sheet, sheet

ITEMS = [
    Item(
        claim=f"claim {n}",
        source=f"source {n}: {'x' * n}",
        verdict=("full", "none", "contradicted")[n % 3 if n < 12 else 0],
    )
    for n in range(60)
]


def test_rare_verdicts_are_drawn_as_often_as_common_ones() -> None:
    drawn = draw(ITEMS, 12, seed=3)
    verdicts = [item.verdict for item in drawn]
    assert {verdict: verdicts.count(verdict) for verdict in verdicts} == {
        "full": 4,
        "none": 4,
        "contradicted": 4,
    }


def test_the_draw_is_the_seed_s_alone() -> None:
    assert draw(ITEMS, 12, 3) == draw(reversed(ITEMS), 12, 3)
    assert draw(ITEMS, 12, 3) != draw(ITEMS, 12, 4)
    assert len(draw([*ITEMS, *ITEMS], 9999, 3)) == len(ITEMS)


def test_the_sheet_tells_nobody_what_was_judged(tmp_path: Path) -> None:
    drawn = draw(ITEMS, 12, 3)
    rows = yaml.safe_load(sheet(drawn))
    assert [row["id"] for row in rows] == [item.id for item in drawn]
    assert all(set(row) == {"id", "claim", "source", "label", "reason"} and not row["label"] for row in rows)
    # nor does the order: verdicts do not stand in blocks
    assert sum(a.verdict != b.verdict for a, b in pairwise(drawn)) > 3


def test_labels_come_back_with_reasons_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "sheet.yaml"
    rows = yaml.safe_load(sheet(draw(ITEMS, 6, 1)))
    for row in rows:
        row |= {"label": "full", "reason": "It stands there."}
    path.write_text(yaml.safe_dump(rows))
    assert {item.label for item in read_sheet(path)} == {"full"}
    for field, problem in (("label", "is none of full, partial"), ("reason", "no reason")):
        path.write_text(yaml.safe_dump([*rows[1:], rows[0] | {field: ""}]))
        with pytest.raises(SheetError, match=problem):
            list(read_sheet(path))
    path.write_text("no: list")
    with pytest.raises(SheetError, match="not a list of rows"):
        list(read_sheet(path))

"""Days of publication on htmldate's second set of pages, which people dated."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from pytest_webretrieval.grade.page import decode
from pytest_webretrieval.grade.published import published

from .measured import Measured, share
from .robots import files


def measure(data: Path) -> Iterator[Measured]:
    """The exact day, on the pages that have one; and no day, on those that have none."""
    labels = json.loads((data / "pages" / "htmldate.labels.json").read_text(encoding="utf-8"))
    right, silent, dated, undated = 0, 0, 0, 0
    for path, packed in files(data / "pages" / "htmldate.tar.gz"):
        label = labels[Path(path).name.removesuffix(".gz")]
        day = published(decode(gzip.decompress(packed), ""), label["url"])
        if isinstance(label["date"], str):
            dated += 1
            right += day is not None and day.isoformat() == label["date"]
        else:
            undated += 1
            silent += day is None
    note = f"and no day on {silent} of {undated} pages without one; htmldate alone says 0.89 of all"
    yield share("day of publication, exact", right, dated, 0.89, note)

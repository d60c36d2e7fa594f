"""What people said of samples of a judge's verdicts: ``history/judges/samples.jsonl``, one line a sample, to be
committed like the judge's lock."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .codec import from_json, to_json
from .folder import read_rows
from .journal import append_line, journal

SCHEMA = "webretrieval.people/1"
_FOLDER, _NAME = "judges", "samples.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """``n`` verdicts of one kind that people judged too, of the run ``run``, by the judge of identity ``lock``.
    ``rate`` of what was right there, with its interval, is as people correct it; ``sensitivity`` is measured on
    ``positives`` rows, ``specificity`` on ``negatives``."""

    what: str
    run: str
    lock: str
    n: int
    rate: float
    low: float
    high: float
    sensitivity: float
    positives: int
    specificity: float
    negatives: int
    kappa: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the judge of identity ``lock`` said in a run: ``right`` of ``graded`` items; ``open`` ones nobody graded."""

    what: str
    run: str
    lock: str
    right: int
    graded: int
    open: int


def keep_sample(history: Path, sample: Sample) -> Path:
    """Add a sample, and say to which file. Raises FolderError where it cannot be written."""
    with journal(history / _FOLDER) as folder:
        append_line(folder, _NAME, {"schema": SCHEMA, **to_json(sample)})
        return folder / _NAME


def last_sample(history: Path, what: str, lock: str) -> Sample | None:
    """The last sample of that kind: of the judge ``lock`` where there is one, else of whichever; None where people have
    judged none. Raises FolderError."""
    rows = [row for row in read_rows(history / _FOLDER, _NAME) if row["what"] == what]
    of_this = [row for row in rows if row["lock"] == lock]
    return from_json(Sample, (of_this or rows)[-1]) if rows else None

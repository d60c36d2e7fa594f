"""What one run has to do with a model: the turns that were recorded, or are, and what went wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from fixture_server.stage import Edition, Stage
from pytest_webretrieval import __version__
from pytest_webretrieval.wire.attempt import Divergence, Halt, Trace
from pytest_webretrieval.wire.cassettes import RecordingError
from pytest_webretrieval.wire.scrubbing import Scrubber

from .places import moved, places_within
from .tape import Tape, Turn, read_tape, recorded_seeds, tape_path, write_tape

# What a file that is there already is written over in; a conversation is recorded as a whole.
_OVER = ("all", "rewrite")
_HOW = "record it with --webretrieval-model live --webretrieval-record once"


@dataclass(slots=True, kw_only=True, eq=False)
class ModelRun:
    """``tape`` is what is replayed, with ``elsewhere`` what stands elsewhere than when it was recorded; without one,
    ``missing`` says why. ``played`` are the turns of the tape that were given, ``ids`` which id now stands for which.
    ``turns`` are those that come in live, written to ``path`` unless it is None. ``count`` counts requests."""

    edition: Edition
    case: str
    trial: int
    started: datetime
    tape: Tape | None = None
    missing: tuple[str, str] = ("recording", _HOW)
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    path: Path | None = None
    scrub: Scrubber = field(default_factory=Scrubber)
    count: int = 0
    played: set[int] = field(default_factory=set)
    ids: dict[str, str] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    diverged: Divergence | None = None
    trouble: Halt | None = None

    def told(self, trace: Trace) -> Trace:
        """The trace with what is to be said of the model."""
        diverged = () if self.diverged is None else (self.diverged,)
        return replace(trace, diverged=diverged, trouble=self.trouble)

    def keep(self) -> None:
        """Write the turns so far. What goes wrong is the run's trouble."""
        if self.path is None or not self.turns:
            return
        turns = tuple(sorted(self.turns, key=lambda turn: turn.began_s))
        tape = Tape(
            case=self.case,
            seed=self.edition.seed,
            trial=self.trial,
            recorded_at=self.started,
            versions={"pytest-webretrieval": __version__},
            places=places_within("\n".join(f"{turn.asked}\n{turn.body}" for turn in turns), self.edition),
            turns=turns,
        )
        try:
            write_tape(self.path, tape)
        except RecordingError as error:
            self.trouble = Halt(where="model", why=str(error))


def open_run(stage: Stage) -> ModelRun:
    """The run's dealings with a model that is not scripted. Raises RecordingError for a file that cannot be read."""
    outward, seed = stage.outward, stage.edition.seed
    cassettes = Path(outward.cassettes)
    own = tape_path(cassettes, stage.case, seed, stage.trial)
    credentials = [one.value for held in stage.users.values() for one in held if one.value]
    run = ModelRun(
        edition=stage.edition,
        case=stage.case,
        trial=stage.trial,
        started=stage.started,
        scrub=Scrubber(known=lambda value: any(given in value for given in credentials)),
    )
    if outward.model == "live":
        run.path = own if outward.record in _OVER or (outward.record != "none" and not own.exists()) else None
        return run
    # A trial that was not recorded is the first one again.
    found = next((path for path in (own, tape_path(cassettes, stage.case, seed, 0)) if path.exists()), None)
    if found is None:
        run.missing = _why_missing(cassettes, stage.case, seed)
        return run
    run.tape = read_tape(found)
    run.elsewhere = moved(run.tape.places, stage.edition)
    return run


def _why_missing(cassettes: Path, case: str, seed: int) -> tuple[str, str]:
    """Kind and detail of the divergence."""
    seeds = recorded_seeds(cassettes, case)
    if not seeds:
        return "recording", f"there is none of {case}; {_HOW}"
    numbers = ", ".join(map(str, seeds))
    return "seed", f"recorded at {numbers}, asked at {seed}"

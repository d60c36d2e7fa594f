"""What one run replays and records, by pytest-recording's modes.

``none`` replays and never goes out. ``once`` does the same where there is a cassette, and records where there is none.
``new_episodes`` goes out for what no recording answers, ``all`` for everything: what comes takes the place of what was
recorded of the same request. ``rewrite`` begins with nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from .cassettes import Interaction, RecordingError, Sent
from .matching import Fields, differences, fields_of, nearest, volatile_names
from .scrubbed import scrubbed
from .scrubbing import Scrubber
from .sidecar import (
    EXPIRES_AFTER_DAYS,
    Cassette,
    order_matters,
    read_cassette,
    remove_cassette,
    write_cassette,
)

OPTION = "--webretrieval-record"
# Modes that never replay.
_UNPLAYABLE = ("all", "rewrite")
# How many differing fields a miss tells.
_TOLD = 3


class Miss(Exception):
    """No recording answers a request, and the mode forbids to go out for it. The message names the nearest one and
    the fields that differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What became of a run's recordings, for people. ``missed`` are the messages of misses; ``unplayed``, ``expired``
    and ``unordered`` (what comes of them depends on which of two equal requests was first) name recordings;
    ``recorded`` counts those that were written. ``failure`` says why nothing could be."""

    missed: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()
    recorded: int = 0
    failure: str | None = None

    @property
    def trouble(self) -> str | None:
        """Why the run says nothing of the system; None where it does."""
        if not self.missed:
            return self.failure
        more = f" (and {len(self.missed) - 1} more)" if len(self.missed) > 1 else ""
        return f"{self.missed[0]}{more}"


@dataclass(slots=True, kw_only=True)
class Recording:
    """The cassette of one run while it is used. ``name`` is what people call the file; ``loaded`` is what it held, None
    where there was none; ``writes`` is whether this run may write it. Where several recordings answer a request, they
    do so once each, in the order in which their requests began."""

    path: Path
    name: str
    mode: str
    writes: bool
    volatile: frozenset[str]
    loaded: Cassette | None
    scrub: Scrubber = field(default_factory=Scrubber)
    fields: list[Fields] = field(default_factory=list)
    played: set[int] = field(default_factory=set)
    fresh: dict[int, Interaction] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)

    @property
    def interactions(self) -> tuple[Interaction, ...]:
        """What the file held."""
        return () if self.loaded is None else self.loaded.interactions

    @property
    def goes_out(self) -> bool:
        """Whether a request that no recording answers is sent on."""
        return self.mode in (*_UNPLAYABLE, "new_episodes") or (self.mode == "once" and self.loaded is None)

    def answer(self, sent: Sent) -> Interaction | None:
        """The next recording of a request, which is played by this; None where the request must go out. Raises
        Miss."""
        found = None if self.mode in _UNPLAYABLE else self._find(sent, self.played)
        if found is not None:
            self.played.add(found)
            return self.interactions[found]
        if self.goes_out:
            return None
        miss = Miss(self.scrub.text(self._missed(sent)))
        self.missed.append(str(miss))
        raise miss

    def page(self, url: str) -> Interaction | None:
        """A recording of a page, whether it was played or not; to have none is no miss."""
        found = None if self.mode in _UNPLAYABLE else self._find(Sent(method="GET", url=url), set())
        return None if found is None else self.interactions[found]

    def add(self, number: int, interaction: Interaction) -> None:
        """Keep what came. ``number`` counts the run's requests as they began."""
        if self.writes:
            self.fresh[number] = interaction

    def keep(self) -> Account:
        """Write what came, and say what became of all. It blocks, and is called once, when the run is over."""
        fresh = scrubbed([one for _, one in sorted(self.fresh.items())], self.scrub)
        replayed = () if self.mode in _UNPLAYABLE else self.interactions
        account = Account(
            missed=tuple(self.missed),
            unplayed=tuple(self._unplayed()),
            expired=tuple(self._expired(datetime.now(UTC))),
            unordered=tuple(
                f"{self.name} {one.sent.line}" for one in (*order_matters(replayed), *order_matters(fresh))
            ),
            recorded=len(fresh),
        )
        if not self.writes or not (fresh or self.mode == "rewrite"):
            return account
        try:
            self._write(fresh)
        except RecordingError as error:
            return replace(account, recorded=0, failure=str(error))
        return account

    def _write(self, fresh: tuple[Interaction, ...]) -> None:
        kept = () if self.mode == "rewrite" else self.interactions
        if self.mode == "all":
            again = [fields_of(one.sent, self.volatile) for one in fresh]
            kept = tuple(
                one
                for one, fields in zip(kept, self.fields, strict=True)
                if all(_differ(asked, fields) for asked in again)
            )
        if not (kept or fresh):
            remove_cassette(self.path)
            return
        days = EXPIRES_AFTER_DAYS if self.loaded is None else self.loaded.expires_after_days
        write_cassette(self.path, Cassette(interactions=(*kept, *fresh), expires_after_days=days))

    def _find(self, sent: Sent, passed: set[int]) -> int | None:
        asked = fields_of(sent, self.volatile)
        for place, recorded in enumerate(self.fields):
            if place not in passed and not _differ(asked, recorded):
                return place
        return None

    def _unplayed(self) -> Iterator[str]:
        if self.mode in _UNPLAYABLE:
            return
        for place, one in enumerate(self.interactions):
            if place not in self.played and not one.cited:
                yield self._named(place)

    def _expired(self, now: datetime) -> Iterator[str]:
        if self.mode in _UNPLAYABLE or self.loaded is None:
            return
        for place in self.loaded.expired(now):
            recorded_at = self.interactions[place].recorded_at
            yield f"{self._named(place)}, recorded on {recorded_at:%Y-%m-%d}"

    def _named(self, place: int) -> str:
        return f"{self.name} #{place + 1} {self.interactions[place].sent.line}"

    def _missed(self, sent: Sent) -> str:
        asked = fields_of(sent, self.volatile)
        found = nearest(asked, self.fields, self.played)
        if found is None:
            there = "holds none" if self.loaded else "is not there"
            return f"no recording of {sent.line}: {self.name} {there}; record it with {OPTION}=new_episodes"
        place, differing = found
        if not differing:
            count = sum(not _differ(asked, recorded) for recorded in self.fields)
            return (
                f"no recording of {sent.line} is left: {self.name} has {count} of this request, and each was "
                f"played; record the others with {OPTION}=new_episodes"
            )
        told = "; ".join(map(str, differing[:_TOLD]))
        more = f"; and {len(differing) - _TOLD} more" if len(differing) > _TOLD else ""
        return (
            f"no recording of {sent.line}: {told}{more} (the nearest is {self.name} #{place + 1}); "
            f"record it with {OPTION}=new_episodes"
        )


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """A run of which nothing is recorded: every request goes out."""

    goes_out: bool = True
    writes: bool = False

    def answer(self, sent: Sent) -> None:
        """There is none."""

    def page(self, url: str) -> None:
        """There is none."""

    def add(self, number: int, interaction: Interaction) -> None:
        """Nothing is kept."""

    def keep(self) -> Account:
        return Account()


def open_recording(folder: Path, case: str, *, seed: int, trial: int, mode: str) -> Recording:
    """The cassette of a case; ``case`` is ``CORPUS::ID``. A seed other than 0 draws other hosts and has a file of its
    own; later trials of a case write none. It blocks. Raises RecordingError."""
    corpus, _, name = case.rpartition("::")
    file = f"{_safe(name)}.yaml" if seed == 0 else f"{_safe(name)}.seed-{seed}.yaml"
    path = folder / _safe(corpus) / file if corpus else folder / file
    recording = Recording(
        path=path,
        name=str(path.relative_to(folder.parent)),
        mode=mode,
        writes=mode != "none" and trial == 0,
        volatile=volatile_names(folder),
        loaded=read_cassette(path),
    )
    recording.fields += [fields_of(one.sent, recording.volatile) for one in recording.interactions]
    return recording


def _differ(asked: Fields, recorded: Fields) -> bool:
    return next(differences(asked, recorded), None) is not None


def _safe(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name).lstrip(".") or "unnamed"

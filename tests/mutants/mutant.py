"""A row of the table of mutants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_webretrieval.grade.tags import implied_by


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A system that is wrong in one way.

    ``label`` is what its ``cases`` come to; a cause that only a cap or a gate reads leaves the label as it is. On
    ``healthy`` it must do as well as an honest system (None: it is wrong everywhere), on a case of each stratum be
    wrong in no other way (``elsewhere``). ``caps``, ``deadline_s`` and ``allow`` (patterns of further allowed sources)
    replace what the truth of its cases says, where no case of the corpus is tight enough for the mistake. ``beside``
    are further tags that this very mistake brings on its cases, beyond those that its tag implies anywhere; each must
    fire. ``called`` names a row whose system has another one.
    """

    system: str
    wrong: str
    tag: str
    cases: tuple[str, ...]
    label: str
    healthy: str | None = "K02"
    caps: Mapping[str, Any] = field(default_factory=dict)
    deadline_s: float | None = None
    allow: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    called: str = ""

    @property
    def name(self) -> str:
        return self.called or self.system.partition(":")[2]

    @property
    def explained(self) -> frozenset[str]:
        """The tags that may fire on its cases."""
        return implied_by(self.tag) | {*self.beside}

    @property
    def spec(self) -> str:
        return f"tests.mutants.{self.system}"

"""What the processes of a carrier are told by the one that opens it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .namespace import Ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``system`` is None where only commands run. ``folder`` is where the user's modules are looked for,
    ``path`` the ``sys.path`` of whoever asks. ``overlays`` are pairs (folder with what is added, folder),
    ``binds`` pairs (file shown, file hidden); ``own`` is the carrier's folder, removed at the end."""

    system: str | None
    folder: str
    path: tuple[str, ...]
    overlays: tuple[tuple[str, str], ...]
    binds: tuple[tuple[str, str], ...]
    own: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def plan_from_json(data: dict[str, Any]) -> Plan:
    fields = dict(data)
    fields["path"] = tuple(fields["path"])
    for name in ("overlays", "binds"):
        fields[name] = tuple((source, target) for source, target in fields[name])
    return Plan(**fields)


def ids_from_json(data: dict[str, Any]) -> Ids:
    return Ids(outer=tuple(data["outer"]), inner=tuple(data["inner"]), setgroups=data["setgroups"])

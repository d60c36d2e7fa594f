"""What the processes of a carrier are told by the one that opens it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .namespace import Ids
from .relays import Relay


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Over the folder ``home``. ``real`` are places below it that stay as they are. ``clean`` is an empty folder of
    ours, at which the first layer is shown alone: what each run's own is laid above."""

    home: str
    real: tuple[str, ...]
    clean: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``system`` is None where only commands run. ``folder`` is where the user's modules are looked for,
    ``path`` the ``sys.path`` of whoever asks. ``overlays`` are pairs (folder with what is added, folder),
    ``binds`` pairs (file shown, file hidden); ``own`` is the carrier's folder, removed at the end. ``relays``
    are doors to the real machine. ``layer`` is None where HOME stays as it is, and ``notes`` then say why."""

    system: str | None
    folder: str
    path: tuple[str, ...]
    overlays: tuple[tuple[str, str], ...]
    binds: tuple[tuple[str, str], ...]
    own: str
    relays: tuple[Relay, ...] = ()
    layer: Layer | None = None
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def plan_from_json(data: dict[str, Any]) -> Plan:
    fields = dict(data)
    fields["path"] = tuple(fields["path"])
    for name in ("overlays", "binds"):
        fields[name] = tuple((source, target) for source, target in fields[name])
    fields["relays"] = tuple(Relay(**relay) for relay in fields["relays"])
    fields["notes"] = tuple(fields["notes"])
    if (layer := fields["layer"]) is not None:
        fields["layer"] = Layer(home=layer["home"], real=tuple(layer["real"]), clean=layer["clean"])
    return Plan(**fields)


def ids_from_json(data: dict[str, Any]) -> Ids:
    return Ids(outer=tuple(data["outer"]), inner=tuple(data["inner"]), setgroups=data["setgroups"])

"""Who answers a request: a page, a dialect, a model's host, a browser's own, or nobody. The host decides, and the path
where a dialect and a model share one."""

from __future__ import annotations

from functools import cache

from . import background, models
from .dialects.registry import dialect_for, dialects
from .message import Answer, Asked
from .respond import not_found, respond
from .stage import Stage
from .telemetry import receiver


@cache
def fixed() -> frozenset[str]:
    """The hosts that no seed draws. Raises DialectError."""
    return frozenset((*dialects(), *models.HOSTS, *background.HOSTS, *receiver.HOSTS))


def knows(host: str, stage: Stage | None) -> bool:
    """Whether the world has this name; between runs it has those that no seed draws."""
    return host in fixed() or (stage is not None and host in stage.edition.hosts)


def answer(asked: Asked, stage: Stage | None) -> Answer:
    """The world's answer; ``stage`` is None when no run is open."""
    if not knows(asked.host, stage):
        return Answer(
            status=421, headers=(("content-type", "text/plain; charset=utf-8"),), body=b"Misdirected\n"
        )
    if asked.host in background.HOSTS:
        return background.respond()
    if asked.host in receiver.HOSTS:
        return receiver.respond(asked, 0.0 if stage is None else stage.started.timestamp())
    if asked.scheme == "http":
        location = f"https://{asked.host}{asked.target}"
        return Answer(
            status=301, headers=(("location", location), ("content-type", "text/plain")), body=b"Moved\n"
        )
    dialect = dialect_for(asked)
    if dialect is None and asked.host in models.HOSTS:
        return _of_model(asked, stage)
    if stage is None:
        return Answer(status=503, headers=(("content-type", "text/plain; charset=utf-8"),), body=b"No run\n")
    if dialect is not None:
        return dialect.respond(asked, stage)
    page = stage.page_at(asked.host, asked.path)
    return not_found(asked) if page is None else respond(asked, page, stage)


def _of_model(asked: Asked, stage: Stage | None) -> Answer:
    """The scripted model where a run has one; between runs no model answers."""
    if stage is None or stage.outward.model != "scripted" or models.is_observation(asked):
        return models.respond(asked)
    # Most runs call no model, and a world should be ready soon.
    from .scripted.answering import respond as scripted

    return scripted(asked, stage.outward.skill, stage.memory)

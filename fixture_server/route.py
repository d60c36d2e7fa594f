"""Who answers a request: a page, a dialect, a model's host, a browser's own, or nobody. The host decides."""

from __future__ import annotations

from types import ModuleType

from . import background, models
from .dialects import plain, tavily
from .message import Answer, Asked
from .respond import not_found, respond
from .stage import Stage

DIALECTS: dict[str, ModuleType] = {host: dialect for dialect in (plain, tavily) for host in dialect.HOSTS}
FIXED = frozenset((*DIALECTS, *models.HOSTS, *background.HOSTS))


def knows(host: str, stage: Stage | None) -> bool:
    """Whether the world has this name; between runs it has those that no seed draws."""
    return host in FIXED or (stage is not None and host in stage.edition.hosts)


def answer(asked: Asked, stage: Stage | None) -> Answer:
    """The world's answer; ``stage`` is None when no run is open."""
    if not knows(asked.host, stage):
        return Answer(
            status=421, headers=(("content-type", "text/plain; charset=utf-8"),), body=b"Misdirected\n"
        )
    if asked.host in background.HOSTS:
        return background.respond()
    if asked.scheme == "http":
        location = f"https://{asked.host}{asked.target}"
        return Answer(
            status=301, headers=(("location", location), ("content-type", "text/plain")), body=b"Moved\n"
        )
    if asked.host in models.HOSTS:
        return models.respond(asked)
    if stage is None:
        return Answer(status=503, headers=(("content-type", "text/plain; charset=utf-8"),), body=b"No run\n")
    if (dialect := DIALECTS.get(asked.host)) is not None:
        answered: Answer = dialect.respond(asked, stage)
        return answered
    page = stage.page_at(asked.host, asked.path)
    return not_found(asked) if page is None else respond(asked, page, stage)

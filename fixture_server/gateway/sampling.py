"""A plain request to the API that a system asked in vain: whether the provider is down for everybody."""

from __future__ import annotations

import re
from dataclasses import replace

from fixture_server.dialects.registry import dialect_for
from fixture_server.message import Asked
from pytest_webretrieval.keyshapes import SURE_NAMES

_CREDENTIAL = re.compile(SURE_NAMES, re.IGNORECASE)


def sample_of(last: Asked, agent: str) -> Asked | None:
    """What the API that ``last`` was sent to answers where it answers anybody: by the same host, with the credentials
    of ``last`` and nothing else of it, for that may be what the API failed at. None where nobody wrote it."""
    dialect = dialect_for(last)
    sample = None if dialect is None else dialect.samples.get(dialect.channel(last))
    if sample is None:
        return None
    shown = {name: value for name, value in last.headers.items() if _CREDENTIAL.fullmatch(name)}
    return replace(sample, host=last.host, headers={**sample.headers, **shown, "user-agent": agent})

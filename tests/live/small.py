"""Small projects of the town: some of its questions, and a system that costs little to ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..plugin.project import Project
from .internet import town
from .internet.live import CONFIGURATION, furnish

# Reads its start URL by what every Python has, and repeats the page's first paragraph.
READING = r"""
import json
import re
import urllib.error
import urllib.request
from pathlib import Path


def asked(url, data=None, **headers):
    return urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers))


def get(url, data=None, **headers):
    with asked(url, data, **headers) as response:
        return response.read().decode()


def said_at(url):
    with asked(url) as response:
        said = re.search(r"<p>(.*?)</p>", response.read().decode())[1]
        return f"{said} ([source]({response.url}))"
"""
READER = (
    READING
    + r"""

class System:
    def retrieve(self, task):
        return said_at(task.start_urls[0])
"""
)
SYSTEM = "--webretrieval-system=own:System"
INI = f"[pytest]\nwebretrieval_corpus = {town.CORPUS}.yaml\n"


def furnish_some(
    project: Project, ids: Sequence[str], system: str = READER, files: Mapping[str, str] | None = None
) -> None:
    """The questions ``ids`` of the town as the project's only corpus, and a system as ``own:System``."""
    furnish(
        project,
        {
            f"{town.CORPUS}.yaml": town.corpus(ids),
            f"truth/live/{town.CORPUS}.yaml": town.truth(ids),
            f"{town.CORPUS}.toml": town.targets(ids),
            "pytest.ini": INI,
            "own.py": system,
            **(files or {}),
        },
    )


def configuration(*changes: tuple[str, str], more: str = "") -> str:
    """The town's ``webretrieval.toml`` with other words in the place of some, and tables behind."""
    text = CONFIGURATION
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return f"{text}\n{more}"

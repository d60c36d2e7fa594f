"""The provider in a process of its own, and projects whose system is an agent that asks it."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.project import Project, Run, corpus_of, truth_of

HERE = Path(__file__).parent
KEY = "sk-proj-4f1c9a7be2d84c6f9a10b3c5"
CASES = [("A", "When was it published?"), ("B", "When was it published? Look twice.")]


Changes = Sequence[tuple[str, str]]
_BY_MANNER = r"""

def answer(prompt):
    return globals()["agent_" + re.search(r"Manner: (\w+)", prompt)[1]].answer(prompt)
"""


def changed(changes: Changes) -> str:
    """The agent's text; each of what is changed stands in it once."""
    text = (HERE / "agent.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@dataclass(frozen=True)
class Provider:
    """A server that stands for a model's host."""

    port: int

    @property
    def listed(self) -> str:
        return f"--webretrieval-gateway=api.openai.com=http://127.0.0.1:{self.port}"

    def seen(self) -> dict[str, Any]:
        """How many turns it was asked for, and with which keys."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/seen") as reply:
            told: dict[str, Any] = json.load(reply)
            return told

    def forget(self) -> None:
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}/forget").close()


@pytest.fixture(scope="session")
def one_provider() -> Iterator[Provider]:
    command = [sys.executable, str(HERE / "provider.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield Provider(int(server.stdout.readline()))
        finally:
            server.kill()


@pytest.fixture
def provider(one_provider: Provider) -> Provider:
    """It has seen nothing yet."""
    one_provider.forget()
    return one_provider


@dataclass(frozen=True)
class Agents:
    """A project with the agent as its system."""

    project: Project
    provider: Provider

    def run(self, *arguments: str, **environment: str) -> Run:
        return self.project.pytest(
            "--lane=fixture",
            "any-v1.yaml",
            "--webretrieval-system=agent:answer",
            "-rs",
            *arguments,
            timeout=300,
            **{"OPENAI_API_KEY": KEY, **environment},
        )

    def live(self, *arguments: str, **environment: str) -> Run:
        return self.run("--webretrieval-model=live", self.provider.listed, *arguments, **environment)

    def replay(self, *arguments: str, **environment: str) -> Run:
        """Without a key, and with nobody to ask."""
        return self.run("--webretrieval-model=replay", *arguments, **{"OPENAI_API_KEY": "", **environment})

    def change(self, old: str, new: str) -> None:
        """Another agent."""
        self.project.write("agent.py", changed([(old, new)]))

    def become(self, manners: Mapping[str, Changes]) -> None:
        """A case for each manner, in which the agent is changed so."""
        cases = [(name, f"When was it published? Manner: {name}") for name in manners]
        self.project.write("any-v1.yaml", corpus_of("any-v1", cases))
        truth = truth_of(list(manners)).replace("requests: 2", "requests: 4")
        self.project.write("truth/any-v1.yaml", truth)
        for name, changes in manners.items():
            self.project.write(f"agent_{name}.py", changed(changes))
        imports = "".join(f"import agent_{name}\n" for name in manners)
        self.project.write("agent.py", f"import re\n\n{imports}{_BY_MANNER}")

    def file(self, name: str) -> str:
        return (self.project.folder / name).read_text(encoding="utf-8")


def new_agents(place: Path, provider: Provider) -> Agents:
    project = Project(place)
    project.write("any-v1.yaml", corpus_of("any-v1", CASES))
    truth = truth_of([name for name, _ in CASES]).replace("requests: 2", "requests: 4")
    project.write("truth/any-v1.yaml", truth)
    project.write("agent.py", changed([]))
    return Agents(project, provider)


@pytest.fixture
def agents(tmp_path: Path, provider: Provider) -> Agents:
    return new_agents(tmp_path, provider)

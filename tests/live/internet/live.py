"""Runs of the live lane on the simulated internet, night after night, in one project.

    project = Project(tmp_path)
    furnish(project)                                             # corpus, truth, targets, webretrieval.toml
    for night in range(1, 13):
        outcome = live_run(rig, project, shown({"T02": by_night({1: PAGE, 9: gone()})}), night=night)
        outcome.run.labels(), outcome.run.gate("success"), outcome.requests

Keys of the providers are in the environment of every run.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...plugin.project import OURS, Project, Run
from . import model, search, town
from .log import Request
from .rig import Rig
from .scenario import Scenario

KEYS = {"TAVILY_API_KEY": search.KEY, "OPENAI_API_KEY": model.KEY}
CONFIGURATION = f"""\
[live]
region = "simulated"
user_agent = "town-probe/1.0 (+https://www.alder-bay.example/)"
max_cost_usd = 5
history = "history"

[live.channels.direct-fetch]

[live.channels.search-api]
provider = "tavily"
key_env = "TAVILY_API_KEY"
usd_per_request = 0.008

[live.channels.browser]

[live.channels.model]
provider = "openai"
key_env = "OPENAI_API_KEY"
usd_per_case = 0.01

[live.targets]
{town.CORPUS} = "{town.CORPUS}.toml"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A run that has ended, and what the hosts served meanwhile."""

    run: Run
    requests: tuple[Request, ...]

    @property
    def code(self) -> int:
        return self.run.code

    @property
    def out(self) -> str:
        return self.run.output

    @property
    def folder(self) -> Path | None:
        return self.run.folder

    def asked(self, host: str) -> list[Request]:
        """The requests that a host served."""
        return [request for request in self.requests if request.host == host]


def furnish(project: Project, files: Mapping[str, str] | None = None) -> None:
    """Write the town's corpus, truth, targets and configuration; ``files`` go in the place of some, or beside them."""
    own = {
        f"{town.CORPUS}.yaml": town.corpus(),
        f"truth/live/{town.CORPUS}.yaml": town.truth(),
        f"{town.CORPUS}.toml": town.targets(),
        "webretrieval.toml": CONFIGURATION,
    }
    for name, text in (own | dict(files or {})).items():
        project.write(name, text)


def live_run(
    rig: Rig,
    project: Project,
    scenario: Scenario,
    *arguments: str,
    night: int = 1,
    timeout: float = 180,
    **environment: str,
) -> Outcome:
    """Show a scenario and run ``pytest --lane=live`` over the town's corpus to its end; ``arguments`` may name another.

    The keys of the providers are in the environment; an empty one takes a key away.
    """
    rig.show(scenario, night)
    before = set(project.run_folders())
    code, said = rig.warm().run(
        "pytest",
        [*OURS, *_asked(arguments)],
        project.folder,
        rig.environment(project.environment()) | KEYS | environment,
        timeout,
    )
    fresh = [folder for folder in project.run_folders() if folder not in before]
    assert len(fresh) < 2, fresh
    run = Run(code, said.decode("utf-8", "replace"), fresh[0] if fresh else None)
    return Outcome(run=run, requests=tuple(rig.log.requests))


def live_start(rig: Rig, project: Project, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start such a run and let it go, for what is shown already; it has a process group of its own."""
    given = project.environment() | KEYS | environment
    return rig.start(project.command(*_asked(arguments)), project.folder, given)


def _asked(arguments: tuple[str, ...]) -> list[str]:
    named = any(word.endswith((".yaml", ".yml")) or "::" in word for word in arguments)
    return ["--lane=live", *arguments, *([] if named else [f"{town.CORPUS}.yaml"])]

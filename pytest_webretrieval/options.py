"""Every option of the command line and of the ini file, but for ``--lane``."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_webretrieval.outward import MODEL_MODES, RECORD_MODES, SKILLS
from pytest_webretrieval.settings import (
    DEFAULT_BASELINE,
    DEFAULT_CASSETTES,
    DEFAULT_CONFIRM,
    DEFAULT_CORPUS,
    DEFAULT_MAX_COST_USD,
    DEFAULT_OUTPUT,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option of the command line, ``--webretrieval-NAME``, and of the ini file, ``webretrieval_NAME``."""

    name: str
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    repeatable: bool = False
    is_switch: bool = False
    optional_value: str | None = None

    @property
    def flag(self) -> str:
        return f"--webretrieval-{self.name}"

    @property
    def dest(self) -> str:
        return f"webretrieval_{self.name.replace('-', '_')}"


OPTIONS = (
    Option(
        name="corpus", metavar="NAME|PATH", repeatable=True, help=f"corpus to run (default: {DEFAULT_CORPUS})"
    ),
    Option(name="case", metavar="CORPUS::ID", repeatable=True, help="run only this case"),
    Option(
        name="system",
        metavar="SPEC",
        help="system under test: module:attribute, cmd: COMMAND {prompt}, or serve: COMMAND @ URL",
    ),
    Option(name="capabilities", metavar="A,B", help="what the system can do; cases beyond it do not apply"),
    Option(name="fixture-seed", metavar="N", help="seed of hosts, paths and facts (default: 0)"),
    Option(name="slots", metavar="N", help="how many cases run at once (default: cores, shared by workers)"),
    Option(name="isolation", choices=("run", "session"), help="one process a run (default), or one a slot"),
    Option(
        name="carrier",
        choices=("auto", "namespace", "proxy"),
        help="how slots are made: namespaces (Linux), or a proxy and a guard (default: auto, what can be had)",
    ),
    Option(
        name="allow",
        metavar="HOST:PORT",
        repeatable=True,
        help="let slots reach this port of the real machine or its network, as localhost:6379",
    ),
    Option(
        name="browser",
        metavar="PATH",
        help="browser for systems (default: a system Chromium, else Playwright's)",
    ),
    Option(name="output", metavar="DIR", help=f"where run folders go (default: {DEFAULT_OUTPUT})"),
    Option(
        name="model",
        choices=MODEL_MODES,
        help="who answers model providers' hosts: scripted (no key), replay (recorded turns), live (metered)",
    ),
    Option(name="model-skill", choices=SKILLS, help="how the scripted model works (default: careful)"),
    Option(
        name="gateway",
        metavar="HOST[=URL]",
        repeatable=True,
        help="host that is forwarded, recorded and replayed; URL: the server that stands for it",
    ),
    Option(name="record", choices=RECORD_MODES, help="how the gateway records (default: none, replay only)"),
    Option(name="cassettes", metavar="DIR", help=f"where recordings are (default: {DEFAULT_CASSETTES})"),
    Option(
        name="max-cost-usd",
        metavar="USD",
        help=f"most that a run may spend on a live model (default: {DEFAULT_MAX_COST_USD:g})",
    ),
    Option(name="trials", metavar="N", help="runs of each case; each must be as expected (default: 1)"),
    Option(
        name="confirm",
        metavar="N",
        optional_value=str(DEFAULT_CONFIRM),
        help=f"run a red case N more times (default: {DEFAULT_CONFIRM}); it is red if 3 in 4 of them fail too",
    ),
    Option(
        name="baseline",
        metavar="FILE",
        help=f"what was accepted as it is (default: {DEFAULT_BASELINE} in the root folder, if it is there)",
    ),
    Option(
        name="toxiproxy",
        metavar="embedded|auto|URL|PATH",
        help="whose toxics faults are made of: embedded (default), or a real Toxiproxy: by address, program, or PATH",
    ),
    Option(
        name="approve-cost",
        is_switch=True,
        help="begin a live run although it may cost more than max_cost_usd of webretrieval.toml",
    ),
    Option(name="resume", metavar="RUN", optional_value="latest", help="go on with a run that was stopped"),
)

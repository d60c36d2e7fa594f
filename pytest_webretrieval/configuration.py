"""How the live lane meets the real web: ``webretrieval.toml``, or ``[tool.webretrieval]`` in ``pyproject.toml``.

No secret stands there: a secret is the value of a variable of the environment, and the file holds its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .cases.case import CaseError
from .cases.cron import cron_fault
from .cases.leaks import leaks
from .cases.providers import provider_fault
from .cases.toml_reader import read_toml, scalars
from .cases.typed import FIELD, Problem, reader
from .cases.yaml_reader import Mapping as Table
from .cases.yaml_reader import Node, error_at, shown
from .configured import (
    FILE,
    MIN_RUNS,
    NEEDED_CHANNELS,
    QUARANTINE_DAYS,
    WINDOW,
    Account,
    Channel,
    LiveConfiguration,
    Threshold,
)

__all__ = [
    "FILE",
    "MIN_RUNS",
    "NEEDED_CHANNELS",
    "QUARANTINE_DAYS",
    "SMALLEST",
    "WINDOW",
    "Account",
    "Channel",
    "ConfigurationError",
    "LiveConfiguration",
    "Threshold",
    "read_live",
]

SMALLEST = """\
[live]
region = "eu-central"
user_agent = "example-bot/1.0 (+https://example.org/bot)"
max_cost_usd = 5

[live.channels.direct-fetch]

[live.channels.search-api]
provider = "tavily"
key_env = "TAVILY_API_KEY"
usd_per_request = 0.008

[live.channels.browser]
"""

# Nobody has measured these: they are the figures that a policy may begin with.
_EXAMPLES = {"success": 0.05, "citation_support": 0.05, "latency": 0.20, "cost": 0.15}


class ConfigurationError(CaseError):
    """A configuration that cannot be used; the message is that of a ``CaseError``."""


def read_live(root: Path) -> LiveConfiguration:
    """The configuration of the live lane in the folder ``root``. Raises ``ConfigurationError``: a line with file and
    line for each thing that is wrong, or what to write where there is none."""
    path, table, way = _find(root)
    if lines := leaks(table, path, way):
        raise ConfigurationError("\n".join(lines))
    problems: list[Problem] = []
    read = reader("live")(table, problems)
    if not problems and "live" not in read:
        problems.append(Problem(table.line, "missing table `live`"))
    if not problems:
        problems += [*_word_problems(table), *_gate_problems(table)]
    if problems:
        ordered = sorted(problems, key=lambda problem: problem.line)
        raise ConfigurationError("\n".join(_line(problem, path, way) for problem in ordered))
    return _configuration(read["live"], path, root)


def _find(root: Path) -> tuple[Path, Table, str]:
    """The file, the table in it, and what stands before the table's keys."""
    own, project = root / FILE, root / "pyproject.toml"
    inside = _inside(project) if project.is_file() else None
    if own.is_file():
        if inside is not None:
            raise ConfigurationError(
                f"{shown(project)}:{inside.line}: [tool.webretrieval] stands beside {shown(own)}; keep one of them"
            )
        return own, _read(own), ""
    if inside is not None:
        return project, inside, "tool.webretrieval."
    raise ConfigurationError(
        f"{shown(own)}: no such file, and no [tool.webretrieval] in pyproject.toml; the smallest one that works:\n\n"
        + SMALLEST
    )


def _inside(project: Path) -> Table | None:
    node: Node | None = _read(project)
    for name in ("tool", "webretrieval"):
        node = node.entries.get(name) if isinstance(node, Table) else None
    return node if isinstance(node, Table) else None


def _read(path: Path) -> Table:
    try:
        return read_toml(path)
    except CaseError as error:
        raise ConfigurationError(str(error)) from None


def _word_problems(table: Table) -> Iterator[Problem]:
    """Providers that nobody knows: their requests could be neither told from others nor metered. A schedule that is
    never."""
    for key, node in scalars(table, ()):
        fault = None
        if key[:2] == ("live", "channels") and key[-1] == "provider":
            fault = provider_fault(key[2], node.text)
        elif key == ("live", "schedule"):
            fault = cron_fault(node.text)
        if fault is not None:
            yield Problem(node.line, fault, key)


def _gate_problems(table: Table) -> Iterator[Problem]:
    """Shares above the whole, where somebody wrote points or per cent; and a window too short to ever arm a gate."""
    given = {key: node for key, node in scalars(table, ()) if key[:2] == ("live", "gates")}
    for key, node in given.items():
        if (key[-1] in ("drop", "rise") or key[-2] == "judged") and float(node.text) > 1:
            share = f"{float(node.text) / 100:g}"
            text = f"`{FIELD}` is {node.text}, more than all of it; write {share} for {node.text} %"
            yield Problem(node.line, text, key)
    least, window = given.get(("live", "gates", "min_runs")), given.get(("live", "gates", "window"))
    written = window or least
    runs, back = int(least.text) if least else MIN_RUNS, int(window.text) if window else WINDOW
    if written is not None and back < runs:
        yield Problem(
            written.line,
            f"`{FIELD}` is {back}, shorter than the {runs} runs that a gate waits for (min_runs)",
            ("live", "gates", "window"),
        )


def _line(problem: Problem, path: Path, way: str) -> str:
    """``FILE:LINE: the.key: what is wrong``: the key stands in front, so the text need not name it."""
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem.trail).lstrip(".")
    text = problem.text.replace(f"`{FIELD}` ", "").replace(f"unknown {FIELD}", "unknown value")
    if problem.trail:
        text = text.replace(f"unknown key `{problem.trail[-1]}`", "unknown key")
    return str(error_at(path, problem.line, f"{way}{name}: {text}" if name else text))


def _configuration(live: dict[str, Any], path: Path, root: Path) -> LiveConfiguration:
    gates, hosts = live.get("gates", {}), live.get("hosts", {})
    return LiveConfiguration(
        path=path,
        region=live["region"],
        user_agent=live["user_agent"],
        channels=tuple(_channel(id, **given) for id, given in sorted(live.get("channels", {}).items())),
        accounts=tuple(
            Account(name=name, **given) for name, given in sorted(live.get("accounts", {}).items())
        ),
        allow=tuple(hosts.get("allow", ())),
        deny=tuple(hosts.get("deny", ())),
        targets={corpus: root / file for corpus, file in live.get("targets", {}).items()},
        max_cost_usd=float(live["max_cost_usd"]),
        max_requests=live.get("max_requests"),
        history=root / live.get("history", "history"),
        min_runs=gates.get("min_runs", MIN_RUNS),
        window=gates.get("window", WINDOW),
        **{name: _threshold(gates.get(name, {}), example) for name, example in _EXAMPLES.items()},
        quarantine_days=live.get("quarantine", {}).get("days", QUARANTINE_DAYS),
        schedule=live.get("schedule"),
        judged={what: float(least) for what, least in gates.get("judged", {}).items()},
    )


def _channel(id: str, *, provider: str | None = None, key_env: str | None = None, **prices: float) -> Channel:
    usd = {name: float(price) for name, price in prices.items()}
    return Channel(id=id, provider=provider, key_env=key_env, **usd)


def _threshold(given: dict[str, float], example: float) -> Threshold:
    """From ``drop`` or ``rise``, whichever the gate has."""
    for change in given.values():
        return Threshold(change=float(change), example=False)
    return Threshold(change=example, example=True)

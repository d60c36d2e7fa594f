"""Run the example agents, each in an environment of its own, and print what each got right.

    python examples/agents/run.py [NAME ...] [--envs DIR] [--seed N]

An environment is made at first use (`DIR`, default `.agents`): the agent's own requirements, and this project beside
them as `pip install` would put it. The agent's folder is copied out of the repository first: nothing in it knows of the
plugin, and the plugin is told of it by `--webretrieval-system` alone. No key, no network.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
WANTED = ("requirements.txt", "package.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """``glue`` counts the lines that a team writes for the plugin, beyond naming its system."""

    name: str
    stack: str
    system: str
    glue: int = 0


EXAMPLES = (
    Example(name="openai_loop", stack="OpenAI SDK, Tavily, own fetch, Playwright", system="agent:answer"),
    Example(name="openai_agents", stack="OpenAI Agents SDK, Exa", system="agent:answer"),
    Example(name="langgraph", stack="LangChain agent on LangGraph, Tavily", system="agent:Assistant"),
    Example(name="llamaindex", stack="LlamaIndex FunctionAgent, Tavily extract", system="agent:answer"),
    Example(
        name="anthropic_sdk",
        stack="Anthropic SDK, Brave, requests; a command",
        system="cmd: {python} agent.py {{prompt}}",
    ),
    Example(name="pydantic_ai", stack="PydanticAI, Linkup, typed answer", system="agent:answer"),
    Example(
        name="node",
        stack="Node, OpenAI SDK, Serper; a server",
        system="serve: node server.mjs @ http://localhost:3000/answer",
    ),
    Example(name="mcp_client", stack="MCP client, OpenAI Responses", system="agent:answer"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the example agents in the fixture lane.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which (default: all)")
    parser.add_argument("--envs", type=Path, default=PROJECT / ".agents", help="where environments are kept")
    parser.add_argument("--seed", default="0", help="fixture seed")
    given = parser.parse_args()
    known = {example.name: example for example in EXAMPLES}
    for name in given.names:
        if name not in known:
            parser.error(f"no example {name!r}; there are {', '.join(known)}")
    table = [("agent", "built on", "glue", "right", "known-url", "search", "dynamic", "auth", "blocking")]
    for name in given.names or known:
        environment = prepare(known[name], given.envs)
        records = run(known[name], environment, given.seed)
        table.append(row(known[name], records))
        print_reds(name, records)
    print_table(table)
    return 0


def prepare(example: Example, envs: Path) -> Path:
    """The agent's environment, made at first use."""
    environment = envs.resolve() / example.name
    ready = environment / "ready"
    made_of = _digest(PROJECT / "pyproject.toml", *(HERE / example.name / name for name in WANTED))
    if ready.exists() and ready.read_text(encoding="utf-8") == made_of:
        return environment
    print(f"{example.name}: making its environment", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
    requirements = HERE / example.name / "requirements.txt"
    wanted = ["-r", requirements] if requirements.exists() else []
    pip = [environment / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--editable", PROJECT, *wanted], check=True)
    if (HERE / example.name / "package.json").exists():
        shutil.copy(HERE / example.name / "package.json", environment)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=environment, check=True)
    ready.write_text(made_of, encoding="utf-8")
    return environment


def _digest(*paths: Path) -> str:
    """Tells whether what an environment is made of has changed since."""
    digest = hashlib.sha256()
    for path in paths:
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


def run(example: Example, environment: Path, seed: str) -> list[dict[str, Any]]:
    """Run the benchmark on the agent, in a folder that has nothing but the agent; the records of its cases."""
    before = set(environment.glob("runs/*/results.jsonl"))
    with tempfile.TemporaryDirectory(prefix=f"{example.name}-") as place:
        project = Path(place) / "project"
        shutil.copytree(HERE / example.name, project)
        if (environment / "node_modules").exists():
            (project / "node_modules").symlink_to(environment / "node_modules")
        system = example.system.format(python=environment / "bin" / "python")
        subprocess.run(
            [
                environment / "bin" / "pytest",
                "--lane=fixture",
                f"--webretrieval-system={system}",
                f"--webretrieval-fixture-seed={seed}",
                f"--webretrieval-output={environment / 'runs'}",
                "--quiet",
                "--no-header",
                "--tb=no",
                "-p",
                "no:cacheprovider",
            ],
            cwd=project,
            stdout=(environment / "last.txt").open("w"),
            check=False,
        )
    fresh = set(environment.glob("runs/*/results.jsonl")) - before
    if not fresh:
        raise SystemExit(f"{example.name}: no run; see {environment / 'last.txt'}")
    return [json.loads(line) for line in fresh.pop().read_text(encoding="utf-8").splitlines()]


def row(example: Example, records: list[dict[str, Any]]) -> tuple[str, ...]:
    """The agent's line of the table."""
    strata: dict[str, list[bool]] = {}
    for record in records:
        strata.setdefault(record["stratum"], []).append(record["label"] == record["expect"])
    right = [one for stratum in strata.values() for one in stratum]
    shares = [
        f"{sum(strata.get(name, ()))} of {len(strata.get(name, ()))}"
        for name in ("known-url", "search", "dynamic", "auth", "blocking")
    ]
    return (example.name, example.stack, str(example.glue), f"{sum(right)} of {len(right)}", *shares)


def print_reds(name: str, records: list[dict[str, Any]]) -> None:
    """Each reason for which cases are red, and the cases."""
    reasons: dict[str, list[str]] = {}
    for record in records:
        if record["label"] != record["expect"]:
            home = record["home"] or {"where": "cannot tell", "why": record["reason"]}
            reasons.setdefault(f"{home['where']}: {home['why']}", []).append(record["case"])
    print(f"\n{name}", flush=True)
    for reason, cases in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"    {', '.join(cases)}: {reason}", flush=True)


def print_table(table: list[tuple[str, ...]]) -> None:
    """The table so far, as markdown."""
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    print()
    for number, line in enumerate(table):
        print("| " + " | ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


if __name__ == "__main__":
    raise SystemExit(main())

"""The example agents: what they are made of, and that they run as people run them."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ..plugin.project import ROOT, Project

AGENTS = ROOT / "examples" / "agents"
NODE_MODULES = ROOT / ".agents" / "node" / "node_modules"
OURS = ("pytest_webretrieval", "fixture_server", "webretrieval")
# Packages that are called otherwise than the modules in them.
DISTRIBUTIONS = {
    "agents": "openai-agents",
    "bs4": "beautifulsoup4",
    "exa_py": "exa-py",
    "langchain_core": "langchain",
    "langchain_openai": "langchain-openai",
    "langchain_tavily": "langchain-tavily",
    "linkup": "linkup-sdk",
    "llama_index": "llama-index-core",
    "pydantic": "pydantic-ai-slim",
    "pydantic_ai": "pydantic-ai-slim",
    "tavily": "tavily-python",
}


def _runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("examples_agents_run", AGENTS / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _folders() -> list[Path]:
    return sorted(path for path in AGENTS.iterdir() if path.is_dir() and not path.name.startswith(("_", ".")))


def _modules(source: str) -> set[str]:
    """The first names of all that a module imports, but for Python's own."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return {name.partition(".")[0] for name in found} - sys.stdlib_module_names


@pytest.mark.parametrize("folder", _folders(), ids=lambda path: path.name)
def test_an_agent_knows_nothing_of_us(folder: Path) -> None:
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not [name for name in OURS if name in text], path


@pytest.mark.parametrize("path", sorted(AGENTS.glob("*/agent.py")), ids=lambda path: path.parent.name)
def test_an_agent_lists_what_it_imports(path: Path) -> None:
    listed = (path.parent / "requirements.txt").read_text(encoding="utf-8").split()
    names = {re.split(r"[\[<>=~!]", line)[0].lower() for line in listed}
    modules = _modules(path.read_text(encoding="utf-8"))
    assert modules
    assert {DISTRIBUTIONS.get(name, name) for name in modules} <= names


def test_the_node_agent_lists_what_it_imports() -> None:
    listed = json.loads((AGENTS / "node" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    source = (AGENTS / "node" / "server.mjs").read_text(encoding="utf-8")
    imported = {name for name in re.findall(r'from "([^"]+)"', source) if not name.startswith("node:")}
    assert imported == set(listed)


def test_the_runner_the_folders_and_the_readme_agree() -> None:
    examples = {example.name: example for example in _runner().EXAMPLES}
    assert sorted(examples) == [folder.name for folder in _folders()]
    readme = (AGENTS / "README.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in readme.splitlines() if "|" in line
    ]
    told = {row[0]: row for row in rows if row[0] in examples and re.fullmatch(r"\d+ of 30", row[3])}
    assert sorted(told) == sorted(examples)
    for name, row in told.items():
        assert (row[1], row[2]) == (examples[name].stack, str(examples[name].glue))
        shares = [int(re.match(r"\d+", cell)[0]) for cell in row[3:]]  # type: ignore[index]
        assert shares[0] == sum(shares[1:]), name


def test_a_whole_command_line_is_all_that_the_first_agent_needs(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("agent.py", (AGENTS / "openai_loop" / "agent.py").read_text(encoding="utf-8"))
    run = project.pytest(
        "--lane=fixture",
        "--webretrieval-system=agent:answer",
        *(f"--webretrieval-case=web-retrieval-v1::{case}" for case in ("K01", "K02", "K06", "S01")),
        timeout=180,
    )
    assert run.labels() == {
        "K01": "unfounded_refusal",
        "K02": "success",
        "K06": "correct_refusal",
        "S01": "success",
    }, run.output
    home = next(row["home"] for row in run.rows() if row["case"] == "K01")
    assert (home["where"], home["why"]) == (
        "your code",
        "the page that was fetched says published, and what the model was given of it does not",
    )


def test_the_patch_of_the_afternoon_mends_that_agent(tmp_path: Path) -> None:
    if shutil.which("patch") is None:
        pytest.skip("no `patch` on this machine")
    script = (ROOT / "examples" / "afternoon.sh").read_text(encoding="utf-8")
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    found = re.search(r"<< 'PATCH'\n(.*?)\nPATCH\n", script, re.DOTALL)
    assert found is not None
    project = Project(tmp_path)
    project.write("agent.py", (AGENTS / "openai_loop" / "agent.py").read_text(encoding="utf-8"))
    done = subprocess.run(
        ["patch", "--fuzz=0"],
        input=f"{found[1]}\n",
        text=True,
        cwd=project.folder,
        capture_output=True,
        check=False,
    )
    assert done.stdout == "patching file agent.py\n", done.stdout
    run = project.pytest(
        "--lane=fixture",
        "--webretrieval-system=agent:answer",
        "--webretrieval-case=web-retrieval-v1::K01",
        timeout=180,
    )
    assert run.code == 0, run.output
    assert run.labels() == {"K01": "success"}


def test_a_server_in_another_language_is_asked_as_it_is(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("no `node` on this machine")
    if not NODE_MODULES.is_dir():
        pytest.skip("the Node agent's packages are not here: run `python examples/agents/run.py node` once")
    project = Project(tmp_path)
    project.write("server.mjs", (AGENTS / "node" / "server.mjs").read_text(encoding="utf-8"))
    project.write("package.json", (AGENTS / "node" / "package.json").read_text(encoding="utf-8"))
    (project.folder / "node_modules").symlink_to(NODE_MODULES)
    run = project.pytest(
        "--lane=fixture",
        "--webretrieval-system=serve: node server.mjs @ http://localhost:3000/answer",
        *(f"--webretrieval-case=web-retrieval-v1::{case}" for case in ("K01", "B06")),
        timeout=180,
    )
    assert run.labels() == {"K01": "success", "B06": "correct_refusal"}, run.output

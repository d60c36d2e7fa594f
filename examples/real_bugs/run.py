"""Run small systems on a library with a known bug and on the library with the bug mended, and print what was seen.

    python examples/real_bugs/run.py [ID ...] [--envs DIR] [--write]

`bugs.toml` says for each bug which versions, which case of `cases/`, and what the buggy one must end with. The system
is `systems/ID.py`; it runs as a command in an environment that holds the library and what it needs, made at first use
(`DIR`, default `.bugs`), so nothing in it knows of the plugin. `--write` puts the table into `docs/real-bugs.md`. Ends
with 1 when a row is not as stated. No key; the network is needed for `pip install` alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
DOC = PROJECT / "docs" / "real-bugs.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->"
HEAD = (
    "library",
    "buggy",
    "fixed",
    "what goes wrong",
    "known as",
    "case",
    "on the buggy one",
    "on the fixed one",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug:
    """``beside`` are requirements that both environments get; ``label`` and ``tag`` are due on the buggy version."""

    id: str
    library: str
    buggy: str
    fixed: str
    beside: tuple[str, ...] = ()
    issue: str
    wrong: str
    case: str
    label: str
    tag: str

    def requirements(self, version: str) -> tuple[str, ...]:
        return (f"{self.library}=={version}", *self.beside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one run of pytest came to; ``code`` is its exit code."""

    code: int
    label: str
    tags: tuple[str, ...]

    def __str__(self) -> str:
        tags = f" ({', '.join(self.tags)})" if self.tags else ""
        return f"{'red' if self.code else 'green'}: {self.label}{tags}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Red on the buggy version, green on the fixed one.")
    parser.add_argument("ids", nargs="*", metavar="ID", help="which bugs of bugs.toml (default: all)")
    parser.add_argument("--envs", type=Path, default=PROJECT / ".bugs", help="where environments are kept")
    parser.add_argument("--write", action="store_true", help="put the table into docs/real-bugs.md")
    given = parser.parse_args()
    bugs = {bug.id: bug for bug in read_bugs()}
    for name in given.ids:
        if name not in bugs:
            parser.error(f"no bug {name!r}; there are {', '.join(bugs)}")
    if given.write and given.ids:
        parser.error("--write takes no ids: the table holds every bug")
    rows, amiss = [], []
    for bug in [bugs[name] for name in given.ids or bugs]:
        buggy, fixed = (run(bug, version, given.envs.resolve()) for version in (bug.buggy, bug.fixed))
        rows.append(row(bug, str(buggy), str(fixed)))
        print(f"{bug.id}: {bug.library} {bug.buggy} {buggy}; {bug.fixed} {fixed}", flush=True)
        if not (is_red(bug, buggy) and is_green(fixed)):
            amiss.append(bug)
            print(f"    due: red: {bug.label} ({bug.tag}), then green: success", flush=True)
    if given.write and not amiss:
        text = DOC.read_text(encoding="utf-8")
        before, after = text.partition(BEGIN)[0], text.partition(END)[2]
        DOC.write_text(before + BEGIN + table(rows) + END + after, encoding="utf-8", newline="\n")
    print(f"{len(rows) - len(amiss)} of {len(rows)} bugs red on the buggy version and green on the fixed one")
    return 1 if amiss else 0


def read_bugs() -> list[Bug]:
    """The bugs of bugs.toml, in its order."""
    text = (HERE / "bugs.toml").read_text(encoding="utf-8")
    return [Bug(**{**one, "beside": tuple(one.get("beside", ()))}) for one in tomllib.loads(text)["bug"]]


def is_red(bug: Bug, seen: Seen) -> bool:
    """Whether it failed, and in the way that the bug brings about."""
    return seen.code == 1 and seen.label == bug.label and bug.tag in seen.tags


def is_green(seen: Seen) -> bool:
    """Whether nothing failed."""
    return seen.code == 0 and seen.label == "success"


def row(bug: Bug, buggy: str, fixed: str) -> tuple[str, ...]:
    """A line of the table."""
    owner, repository, *_, number = bug.issue.removeprefix("https://github.com/").split("/")
    known_as = f"[{owner}/{repository}#{number}]({bug.issue})"
    return (bug.library, bug.buggy, bug.fixed, bug.wrong, known_as, bug.case, buggy, fixed)


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows as markdown, under their head."""
    lines = [HEAD, tuple("---" for _ in HEAD), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def environment(requirements: tuple[str, ...], envs: Path) -> Path:
    """The Python of an environment with these requirements and nothing else, made at first use."""
    folder = envs / "+".join(requirements).replace("==", "-").replace("<", "-below-")
    if not (folder / "ready").exists():
        print(f"making an environment of {' '.join(requirements)}", file=sys.stderr)
        venv.create(folder, clear=True, symlinks=True)
        pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--quiet"]
        subprocess.run([*pip, "--disable-pip-version-check", *requirements], check=True)
        (folder / "ready").touch()
    return folder / "bin" / "python"


def run(bug: Bug, version: str, envs: Path) -> Seen:
    """Run the bug's case on its system with one version of the library, in a folder that holds nothing else. Output
    and evidence stay below the environments."""
    python = environment(bug.requirements(version), envs)
    kept = envs / "runs" / f"{bug.id}-{version}"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix=f"{bug.id}-") as place:
        shutil.copytree(HERE / "cases", Path(place) / "cases")
        shutil.copy(HERE / "systems" / f"{bug.id}.py", place)
        command = [
            *(sys.executable, "-m", "pytest", "-p", "pytest_webretrieval.plugin", "--lane=fixture"),
            *("--webretrieval-corpus=cases", f"--webretrieval-case={bug.case}"),
            *(f"--webretrieval-system=cmd: {python} {bug.id}.py", f"--webretrieval-output={kept}"),
        ]
        with (kept / "output.txt").open("wb") as output:
            done = subprocess.run(
                command,
                cwd=place,
                env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            )
    found = list(kept.glob("*/results.jsonl"))
    if not found:
        raise SystemExit(f"{bug.id} {version}: no run; see {kept / 'output.txt'}")
    record = json.loads(found[0].read_text(encoding="utf-8"))
    return Seen(code=done.returncode, label=record["label"], tags=tuple(record["tags"]))


if __name__ == "__main__":
    raise SystemExit(main())

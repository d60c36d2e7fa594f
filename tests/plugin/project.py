"""A folder of its own for a test, and real pytest processes in it.

Processes carry a mark in their environment and keep their temporary files in a folder of the project, so that a test
can see what was left behind.
"""

from __future__ import annotations

import functools
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .warm import Warm

ROOT = Path(__file__).parents[2]
# One a process that runs tests; it ends when that does.
warm = functools.cache(Warm)
MARK = "WEBRETRIEVAL_TEST_MARK"
OURS = ("-p", "pytest_webretrieval.plugin")
XDIST = ("-p", "xdist.plugin", "-n", "2")
TWELVE = ("-m", "known_url or search")
# What one process compiled the next need not; nothing of it lies in the folders that tests look at.
_COMPILED = str(Path(tempfile.gettempdir()) / "pytest-webretrieval-pycache")
# Variables of the pytest that runs these tests, and those by which a CI service changes pytest's output.
_NOT_FOR_IT = re.compile(
    r"PYTEST_|PYTHONDONTWRITE|COV_|PYTHONWARNINGS|CI$|BUILD_NUMBER|COLUMNS|WEBRETRIEVAL_"
)


@dataclass(frozen=True, slots=True)
class Run:
    """A pytest process that has ended. ``output`` holds both streams."""

    code: int
    output: str
    folder: Path | None = field(repr=False, default=None)

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines()

    def starting(self, text: str) -> list[str]:
        """The lines that start with ``text``, indented or not."""
        return [line.strip() for line in self.lines if line.strip().startswith(text)]

    def gate(self, name: str) -> str:
        """The line of one gate in the summary, from its verdict on, without columns."""
        found = [match[1] for line in self.lines if (match := re.match(rf"(?:gates)? +{name} +(.+)", line))]
        assert len(found) == 1, f"{len(found)} lines of the gate {name} in\n{self.output}"
        return re.sub(" +", " ", found[0])

    def rows(self) -> list[dict[str, Any]]:
        """Every record of the run folder."""
        assert self.folder is not None, self.output
        return records(self.folder)

    def attempts(self, case: str) -> list[dict[str, Any]]:
        """The rows of attempts.jsonl of one case."""
        assert self.folder is not None, self.output
        text = (self.folder / "attempts.jsonl").read_text(encoding="utf-8")
        rows = (json.loads(line) for line in text.splitlines())
        return [row for row in rows if row["webretrieval.case"] == case]

    def labels(self) -> dict[str, str]:
        """Case to label; each case has one record."""
        rows = self.rows()
        labels = {row["case"]: row["label"] for row in rows}
        assert len(labels) == len(rows)
        return labels


class Project:
    """A folder to write files to and to run pytest in."""

    def __init__(self, place: Path) -> None:
        self.folder, self.temporary, self.home = place / "project", place / "tmp", place / "home"
        self.home.mkdir(parents=True)
        self.folder.mkdir(parents=True)
        self.temporary.mkdir(mode=0o777)
        self.mark = secrets.token_hex(8)
        self.write("pytest.ini", "[pytest]\n")

    def write(self, name: str, text: str) -> Path:
        """A file of the project; ``text`` may be indented."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8", newline="\n")
        return path

    def pytest(
        self,
        *arguments: str,
        plugins: Sequence[str] = OURS,
        wrapper: Sequence[str] = (),
        timeout: float = 180,
        **environment: str,
    ) -> Run:
        """Run pytest to its end. Without ``plugins``, those that are installed are loaded.

        With a wrapper, with all plugins that are installed, or with what an interpreter reads when it starts, it is
        an interpreter of its own; else a process that has the usual modules already.
        """
        before = set(self.run_folders())
        given = self.environment(plugins, **environment)
        if wrapper or not plugins or any(name.startswith("PYTHON") for name in environment):
            done = subprocess.run(
                self.command(*arguments, plugins=plugins, wrapper=wrapper),
                cwd=self.folder,
                env=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                timeout=timeout,
            )
            code, said = done.returncode, done.stdout
        else:
            code, said = warm().run("pytest", [*plugins, *arguments], self.folder, given, timeout)
        fresh = [folder for folder in self.run_folders() if folder not in before]
        assert len(fresh) < 2, fresh
        return Run(code, said.decode("utf-8", "replace"), fresh[0] if fresh else None)

    def start(
        self, *arguments: str, plugins: Sequence[str] = OURS, **environment: str
    ) -> subprocess.Popen[bytes]:
        """Start pytest in a process group of its own; its output goes to ``output.txt`` beside the project."""
        with (self.temporary.parent / "output.txt").open("wb") as output:
            return subprocess.Popen(
                self.command(*arguments, plugins=plugins),
                cwd=self.folder,
                env=self.environment(plugins, **environment),
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def command(
        self, *arguments: str, plugins: Sequence[str] = OURS, wrapper: Sequence[str] = ()
    ) -> list[str]:
        return [*wrapper, sys.executable, "-m", "pytest", *plugins, *arguments]

    def environment(self, plugins: Sequence[str] = OURS, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not _NOT_FOR_IT.match(name)}
        kept |= {
            "TMPDIR": str(self.temporary),
            # No test may reach the files of whoever runs it.
            "HOME": str(self.home),
            MARK: self.mark,
            "COLUMNS": "100",
            "PYTHONPYCACHEPREFIX": os.environ.get("PYTHONPYCACHEPREFIX", _COMPILED),
        }
        if plugins:
            kept["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        return kept | more

    def verb(self, *arguments: str) -> Run:
        """Run the ``webretrieval`` command in the project's folder."""
        code, said = warm().run("pytest_webretrieval.cli", arguments, self.folder, self.environment(), 60)
        return Run(code, said.decode("utf-8", "replace"))

    def run_folders(self) -> list[Path]:
        """Run folders in the default place, oldest first."""
        folders = (path for path in (self.folder / ".webretrieval").glob("*") if path.is_dir())
        return sorted(folders, key=lambda path: path.stat().st_mtime_ns)

    def processes(self) -> list[str]:
        """What still runs of all that the project started, as ``NUMBER COMMAND``."""
        return [f"{number} {_command_of(number)}" for number in self._marked()]

    def left(self, within_s: float = 2.0) -> list[str]:
        """Processes and temporary files that are still there after ``within_s`` seconds at most."""
        return self._none(lambda: [*self.processes(), *self.temporary_files()], within_s)

    def running(self, within_s: float = 2.0) -> list[str]:
        """Processes that are still there after ``within_s`` seconds at most."""
        return self._none(self.processes, within_s)

    @staticmethod
    def _none(find: Callable[[], list[str]], within_s: float) -> list[str]:
        deadline = time.monotonic() + within_s
        while (found := find()) and time.monotonic() < deadline:
            time.sleep(0.02)
        return found

    def temporary_files(self) -> list[str]:
        """What lies in the temporary folder, but for our empty folder of this user and pytest's own."""
        paths = (path.relative_to(self.temporary) for path in self.temporary.rglob("*"))
        own = f"webretrieval-{os.getuid()}"
        return [
            str(path) for path in paths if str(path) != own and not path.parts[0].startswith("pytest-of-")
        ]

    def _marked(self) -> Iterator[int]:
        wanted = f"{MARK}={self.mark}".encode()
        for path in Path("/proc").glob("[0-9]*"):
            try:
                if wanted in (path / "environ").read_bytes().split(b"\0"):
                    yield int(path.name)
            except OSError:
                continue


def records(folder: Path) -> list[dict[str, Any]]:
    """Every line of results.jsonl; each must be whole."""
    path = folder / "results.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert not text or text.endswith("\n"), f"{path} ends in half a line"
    return [json.loads(line) for line in text.splitlines()]


def _command_of(number: int) -> str:
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return "(gone)"


SOURCE = "fixture://harbour/notices/pontoon-dues"
PUBLISHED = "2026-03-12"


def corpus_of(version: str, cases: Sequence[tuple[str, str]]) -> str:
    """A corpus of known-url cases over the static page: id and query of each."""
    lines = [
        f'  - {{ id: {name}, stratum: known-url, query: "{query}", fixture: "fixture://known/static", '
        "live_channel: direct-fetch, expect: success }"
        for name, query in cases
    ]
    return "\n".join((f"version: {version}", "live_channels: []", "cases:", *lines, ""))


def truth_of(names: Sequence[str], deadline_s: float = 30) -> str:
    """The truth of such cases, as one file."""
    return "truths:\n" + "".join(
        textwrap.indent(
            textwrap.dedent(
                f"""\
                - case_id: {name}
                  versions:
                    - valid_at: 2026-08-21T00:00:00Z
                      recorded_at: 2026-11-30T00:00:00Z
                      expected_facts: [{{id: published, value: {PUBLISHED}, match: date}}]
                      wrong_values: [{{id: resolved, value: 2026-01-20, match: date}}]
                      allowed_sources: ["{SOURCE}"]
                      forbidden_actions: [egress]
                      freshness_window_s: 86400
                      max_budget: {{requests: 2}}
                      deadline_s: {deadline_s:g}
                      reason: generated
                      adjudicated_by: human
                """
            ),
            "  ",
        )
        for name in names
    )


# Answers every case over the static page rightly, by a client that costs little to import.
SYSTEM = r"""
import re
import urllib.request


def right(url):
    with urllib.request.urlopen(url) as response:
        page = response.read().decode()
    date = re.search(r"[Pp]ublished[^0-9]*(\d{1,2} \w+ \d{4})", re.sub(r"<[^>]+>", " ", page))
    return f"Published on {date[1]} ([source]({url}))."


class System:
    def retrieve(self, task):
        return right(task.start_urls[0])
"""

"""Systems that crash, hang, print and break out: one run with all of them among right ones."""

from __future__ import annotations

import pytest

from .project import SYSTEM, Project, Run, corpus_of, truth_of

BEHAVIOURS = r"""
import os
import signal
import subprocess
import sys
import time


def hang():
    while True:
        time.sleep(60)


def raises(task):
    raise RuntimeError("the index is empty")


def base(task):
    raise BaseException("not an Exception")


def leaves(task):
    sys.exit(0)


def interrupts(task):
    raise KeyboardInterrupt


def vanishes(task):
    os._exit(0)


def killed(task):
    os.kill(os.getpid(), signal.SIGKILL)


def hangs(task):
    hang()


def deaf(task):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    hang()


def forks(task):
    if not os.fork():
        hang()
    return right(task.start_urls[0])


def daemon(task):
    if not os.fork():
        os.setsid()
        if os.fork():
            os._exit(0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        hang()
    return right(task.start_urls[0])


def daemon_hangs(task):
    daemon(task)
    hang()


def prints(task):
    line = "x" * 99 + "\n"
    for _ in range(100_000):
        sys.stdout.write(line)
    return right(task.start_urls[0])


def breaks_out(task):
    harness = int(open("harness.pid").read())
    done = []
    for command in (
        ["nsenter", "-t", str(harness), "-n", "true"],
        ["nsenter", "-t", "1", "-n", "-m", "true"],
        ["umount", "/etc/resolv.conf"],
        ["umount", "-l", "/proc"],
        ["ip", "link", "add", "x", "type", "dummy"],
        ["mount", "-t", "tmpfs", "none", "/mnt"],
    ):
        try:
            if subprocess.run(command, capture_output=True).returncode == 0:
                done.append(" ".join(command))
        except FileNotFoundError:
            pass
    os.kill(1, signal.SIGKILL)  # the first of its namespace: no signal from inside ends it
    try:
        os.kill(harness, signal.SIGKILL)
        done.append("kill")
    except OSError:
        pass
    if done:
        raise RuntimeError(f"got out by {done}")
    return right(task.start_urls[0])


class Any:
    def retrieve(self, task):
        name = task.query
        return globals()[name](task) if name != "right" else right(task.start_urls[0])
"""

# name -> label, and what the headline says of it
ENDS = {
    "raises": ("system_failure", "RuntimeError"),
    "base": ("system_failure", "BaseException"),
    "leaves": ("system_failure", "SystemExit"),
    "interrupts": ("system_failure", "KeyboardInterrupt"),
    "vanishes": ("system_failure", "died"),
    "killed": ("system_failure", "signal:9"),
    "hangs": ("timeout", "deadline"),
    "deaf": ("timeout", "deadline"),
    "daemon_hangs": ("timeout", "deadline"),
    "forks": ("success", ""),
    "daemon": ("success", ""),
    "prints": ("success", ""),
    "breaks_out": ("success", ""),
}
TIMED = tuple(name for name, (label, _) in ENDS.items() if label == "timeout")


@pytest.fixture(scope="module", params=["run", "session"])
def misbehaved(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Project, Run]:
    project = Project(tmp_path_factory.mktemp("misbehaviour"))
    cases = [pair for name in ENDS for pair in ((name, name), (f"after_{name}", "right"))]
    project.write("any-v1.yaml", corpus_of("any-v1", cases))
    truth = truth_of([name for name, _ in cases if name not in TIMED])
    project.write("truth/any-v1.yaml", truth + truth_of(TIMED, deadline_s=1).removeprefix("truths:\n"))
    project.write("anyhow.py", SYSTEM + BEHAVIOURS)
    project.write("conftest.py", 'import os; open("harness.pid", "w").write(str(os.getpid()))\n')
    run = project.pytest(
        "--lane=fixture",
        "any-v1.yaml",
        "--webretrieval-system=anyhow:Any",
        f"--webretrieval-isolation={request.param}",
        CI="true",
    )
    return project, run


@pytest.mark.parametrize("name", ENDS)
def test_each_gets_its_label_and_one_clear_line(misbehaved: tuple[Project, Run], name: str) -> None:
    _, run = misbehaved
    label, says = ENDS[name]
    assert run.labels()[name] == label, run.output
    failed = run.starting(f"FAILED any-v1.yaml::{name} ")
    if label == "success":
        assert not failed
    else:
        assert failed[0].startswith(f"FAILED any-v1.yaml::{name} - {name} {label}, expected success: ")
        assert says in failed[0]


def test_the_cases_beside_them_are_unharmed(misbehaved: tuple[Project, Run]) -> None:
    _, run = misbehaved
    others = {name: label for name, label in run.labels().items() if name.startswith("after_")}
    assert others == {f"after_{name}": "success" for name in ENDS}


def test_the_run_ends_in_order(misbehaved: tuple[Project, Run]) -> None:
    project, run = misbehaved
    bad = [name for name, (label, _) in ENDS.items() if label != "success"]
    assert run.code == 1
    assert run.gate("labels_match").startswith(f"FAIL {26 - len(bad)} of 26: ")
    assert run.gate("infra_error") == "pass 0 of 26"
    assert run.gate("policy_violation") == "pass 0 of 26"
    assert "Traceback" not in run.output
    assert project.left() == []


def test_what_it_printed_is_kept_within_bounds(misbehaved: tuple[Project, Run]) -> None:
    _, run = misbehaved
    row = next(row for row in run.rows() if row["case"] == "prints")
    assert run.folder is not None
    assert (run.folder / row["evidence"] / "evidence.json").stat().st_size < 4_000_000

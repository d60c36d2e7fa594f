"""Tests of one's own: the marker, ``retrieval_case.run`` and ``arun``, their records and gates."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from .project import OURS, ROOT, SYSTEM, XDIST, Project, Run, corpus_of, truth_of

ASYNCIO = ("-o", "asyncio_default_fixture_loop_scope=function", "-o", "asyncio_mode=auto")
WITH_ASYNCIO = (*OURS, "-p", "pytest_asyncio.plugin")
CASE = '@pytest.mark.webretrieval(case="web-retrieval-v1::K01")'

AGENT = f"""{SYSTEM}

def answer(prompt):
    return right(re.search(r"https://\\S+", prompt)[0])


def wrong(prompt):
    return "Published on 1 January 1999."
"""


def agent_and_tests(project: Project, tests: str) -> None:
    project.write("own_agent.py", AGENT)
    project.write("test_own.py", f"import pytest\n\n{tests}")


def run_of(project: Project, *arguments: str, plugins: tuple[str, ...] = OURS) -> Run:
    return project.pytest("--lane=fixture", "test_own.py", *arguments, plugins=plugins)


RIGHT = f"""
{CASE}
def test_right(retrieval_case):
    record = retrieval_case.run("own_agent:answer")
    assert (record.label, record.expect, record.tags) == ("success", "success", ())
    assert record.as_expected
    assert record.answer.startswith("Published on ")
    assert [row["http.response.status_code"] for row in record.wire] == [200]
    assert [step["content"]["facts"][0]["state"] for step in record.verdicts] == ["matched"]
    assert record.record["key"]["test"] == "test_own.py::test_right"
    assert (retrieval_case.id, retrieval_case.corpus) == ("K01", "web-retrieval-v1")
    record.assert_success()
"""


WRONG = f"""
{CASE}
def test_wrong(retrieval_case):
    retrieval_case.run("own_agent:wrong").assert_success()


{CASE}
def test_let_pass(retrieval_case):
    retrieval_case.run("own_agent:wrong")
"""
SEVERAL = """
@pytest.mark.webretrieval(cases=["web-retrieval-v1::K01", "web-retrieval-v1::K06"])
@pytest.mark.parametrize("times", [1, 2])
def test_each(retrieval_case, times):
    for _ in range(times):
        retrieval_case.run().assert_success()


@pytest.mark.webretrieval(case="mine.yaml::M01")
def test_beside(retrieval_case):
    retrieval_case.run("own_agent:answer").assert_success()


@pytest.mark.webretrieval(case="cases/theirs.yaml::M02")
def test_below(retrieval_case):
    retrieval_case.run("own_agent:answer").assert_success()
"""


@pytest.fixture(scope="module", params=[(), XDIST], ids=["one", "xdist"])
def tried(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Run]:
    """One run of tests that are right, wrong, and of several cases."""
    project = Project(tmp_path_factory.mktemp("own"))
    project.write("mine.yaml", corpus_of("mine", [("M01", "When was it published?")]))
    project.write("truth/mine.yaml", truth_of(["M01"]))
    project.write("cases/theirs.yaml", corpus_of("theirs", [("M02", "When was it published?")]))
    project.write("cases/truth/theirs.yaml", truth_of(["M02"]))
    agent_and_tests(project, RIGHT + WRONG + SEVERAL)
    run = run_of(project, "-v", "-W", "error", *request.param)
    assert run.code == 1, run.output
    return project, run


def row_of(run: Run, test: str) -> dict[str, Any]:
    (row,) = (row for row in run.rows() if row["key"]["test"] == f"test_own.py::{test}")
    return row


def test_a_record_of_a_run_in_a_slot(tried: tuple[Project, Run]) -> None:
    project, run = tried
    row = row_of(run, "test_right")
    assert (row["label"], row["system"]) == ("success", "own_agent:answer")
    assert run.folder is not None
    assert (run.folder / row["evidence"] / "evidence.json").is_file()
    assert project.left() == []


@pytest.mark.parametrize("more", ["--webretrieval-isolation=session", "--webretrieval-carrier=proxy"])
def test_a_record_of_a_run_in_another_slot(project: Project, more: str) -> None:
    agent_and_tests(project, RIGHT)
    run = run_of(project, "-W", "error", more)
    assert run.code == 0, run.output
    assert row_of(run, "test_right")["label"] == "success"
    assert run.gate("labels_match") == "pass 1 of 1"
    assert project.left() == []


def test_a_failure_is_the_page_of_the_case(tried: tuple[Project, Run]) -> None:
    _, run = tried
    assert run.starting("K01 no_answer, expected success")
    assert run.starting("wire         nothing: the system sent no request")
    assert run.starting("again        pytest --lane=fixture test_own.py::test_wrong")
    assert "Traceback" not in run.output
    assert "own_tests.py" not in run.output
    assert len(run.starting("FAILED test_own.py::")) == 1


def test_gates_judge_what_the_test_let_pass(tried: tuple[Project, Run]) -> None:
    _, run = tried
    assert run.starting("FAILED gate::labels_match")
    assert not run.starting("FAILED test_own.py::test_let_pass")
    assert run.gate("labels_match") == "FAIL 9 of 11: K01"


def test_a_test_of_several_cases_and_several_runs(tried: tuple[Project, Run]) -> None:
    _, run = tried
    several = [row for row in run.rows() if "::test_each[" in row["key"]["test"]]
    assert sorted((row["key"]["test"], row["case"], row["key"]["trial"]) for row in several) == [
        (f"test_own.py::test_each[{case}-{times}]", case, trial)
        for case in ("K01", "K06")
        for times in (1, 2)
        for trial in range(times)
    ]
    assert len({row["evidence"] for row in run.rows()}) == 11


def test_a_corpus_file_of_ones_own(tried: tuple[Project, Run]) -> None:
    _, run = tried
    for test, corpus, case in (("test_beside", "mine", "M01"), ("test_below", "theirs", "M02")):
        row = row_of(run, test)
        assert (row["corpus"], row["case"], row["label"]) == (corpus, case, "success")


def test_without_a_lane_they_are_skipped(project: Project) -> None:
    agent_and_tests(project, RIGHT)
    run = project.pytest("test_own.py", "-rs", "--strict-markers")
    assert run.code == 0, run.output
    assert "needs --lane=fixture" in run.output
    assert "1 skipped" in run.lines[-1]
    assert not (project.folder / ".webretrieval").exists()


def test_beside_the_corpus_itself(project: Project) -> None:
    agent_and_tests(project, RIGHT)
    run = run_of(project, str(ROOT / "corpus" / "web-retrieval-v1.yaml"), "-k", "K01 or right")
    assert run.code == 0, run.output
    assert {row["key"]["test"] for row in run.rows()} == {
        "corpus/web-retrieval-v1.yaml::K01",
        "test_own.py::test_right",
    }
    assert len({row["evidence"] for row in run.rows()}) == 2
    assert "[100%]" in run.output


MARKS = [
    ("", "the test names no case; mark it"),
    ("@pytest.mark.webretrieval()", "no case is named"),
    ('@pytest.mark.webretrieval(cse="web-retrieval-v1::K01")', "no argument `cse`; did you mean `case`?"),
    ('@pytest.mark.webretrieval(case="K01")', "'K01' is not CORPUS::ID"),
    ("@pytest.mark.webretrieval(case=7)", "7 is not CORPUS::ID"),
    ('@pytest.mark.webretrieval(cases="web-retrieval-v1::K01")', "is a text; expected a list"),
    ("@pytest.mark.webretrieval(cases=[])", "cases is empty"),
    ('@pytest.mark.webretrieval(case="a::b", cases=["a::b"])', "more than one of"),
    (
        '@pytest.mark.webretrieval(case="web-retrieval-v1::K91")',
        "no case web-retrieval-v1::K91; did you mean",
    ),
    ('@pytest.mark.webretrieval(case="web-retrieval-v2::K01")', "did you mean `web-retrieval-v1`?"),
    ('@pytest.mark.webretrieval(case="none.yaml::K01")', "none.yaml: no such corpus file"),
]


def test_every_wrong_marker_is_told_by_one_message(project: Project) -> None:
    for number, (mark, _) in enumerate(MARKS):
        text = f"import pytest\n\n\n{mark}\ndef test_it(retrieval_case):\n    pass\n"
        project.write(f"test_mark_{number}.py", text)
    run = project.pytest("--lane=fixture", *(f"test_mark_{number}.py" for number in range(len(MARKS))))
    assert run.code in (1, 2), run.output
    for _, message in MARKS:
        assert message in run.output, (message, run.output)
    assert "own_tests.py" not in run.output
    assert "plugin.py" not in run.output


def test_wrong_systems_are_told_by_their_messages(project: Project) -> None:
    calls = {
        'retrieval_case.run("nowhere:answer")': "there is no module `nowhere`",
        'retrieval_case.run("own_agent.py")': "did you mean `own_agent:answer`?",
        "retrieval_case.run(len)": "objects cannot cross into a slot",
    }
    tests = [f"{CASE}\ndef test_{number}(retrieval_case):\n    {call}\n" for number, call in enumerate(calls)]
    agent_and_tests(project, "\n".join(tests))
    run = run_of(project)
    assert run.code == 1
    for message in calls.values():
        assert message in run.output, run.output
    assert run.folder is None
    assert project.left() == []


INSIDE = f"""
import asyncio
import os
import socket
import urllib.request

import httpx
from own_agent import right


async def agent(prompt):
    url = next(word for word in prompt.split() if word.startswith("https://"))
    async with httpx.AsyncClient(follow_redirects=True) as client:
        await client.get(url)
    assert os.environ["WEBRETRIEVAL_DOOR"]
    return right(url)


class Agent:
    def retrieve(self, task):
        return right(task.start_urls[0])


{CASE}
async def test_it_runs_on_the_tests_loop(retrieval_case):
    before, loop, seen = dict(os.environ), asyncio.get_running_loop(), []

    async def here(prompt):
        seen.append(asyncio.get_running_loop())
        return await agent(prompt)

    record = await retrieval_case.arun(here)
    record.assert_success()
    assert seen == [loop]
    assert len(record.wire) == 2
    assert record.record["system"].startswith("test_own:test_it_runs_on_the_tests_loop")
    assert dict(os.environ) == before


{CASE}
async def test_objects_and_plain_functions(retrieval_case):
    (await retrieval_case.arun(Agent())).assert_success()
    (await retrieval_case.arun(lambda prompt: right(prompt.split()[-1]))).assert_success()


{CASE}
async def test_one_at_a_time(retrieval_case):
    inside = []

    async def alone(prompt):
        assert not inside
        inside.append(1)
        answer = await agent(prompt)
        inside.pop()
        return answer

    records = await asyncio.gather(*(retrieval_case.arun(alone) for _ in range(3)))
    assert [record.label for record in records] == ["success"] * 3
    assert [len(record.wire) for record in records] == [2, 2, 2]


{CASE}
async def test_the_guard_is_there_for_the_call_only(retrieval_case):
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()

    async def leaving(prompt):
        with pytest.raises(ConnectionRefusedError, match="outside the world"):
            socket.create_connection(("203.0.113.7", 9), timeout=1)
        return await agent(prompt)

    record = await retrieval_case.arun(leaving)
    assert (record.label, record.tags) == ("policy_violation", ("egress",))
    assert "WEBRETRIEVAL_DOOR" not in os.environ
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        try:
            sock.connect(("203.0.113.7", 9))
        except OSError as error:
            assert "outside the world" not in str(error)


{CASE}
async def test_what_is_raised_is_a_system_failure(retrieval_case):
    before = dict(os.environ)

    async def failing(prompt):
        raise LookupError("nothing there")

    record = await retrieval_case.arun(failing)
    assert record.label == "system_failure"
    assert dict(os.environ) == before
    with pytest.raises(Exception, match="K01 system_failure, expected success"):
        record.assert_success()


{CASE}
async def test_a_cancelled_call_leaves_nothing_behind(retrieval_case):
    before, began = dict(os.environ), asyncio.Event()

    async def hanging(prompt):
        began.set()
        await asyncio.Event().wait()

    running = asyncio.create_task(retrieval_case.arun(hanging))
    await began.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    (await retrieval_case.arun(agent)).assert_success()
    assert dict(os.environ) == before


{CASE}
async def test_only_callables(retrieval_case):
    with pytest.raises(pytest.fail.Exception, match="expected a callable"):
        await retrieval_case.arun("own_agent:answer")
"""


@pytest.mark.parametrize("workers", [(), XDIST], ids=["one", "xdist"])
def test_arun(project: Project, workers: tuple[str, ...]) -> None:
    agent_and_tests(project, INSIDE)
    run = run_of(project, "-W", "error", *ASYNCIO, *workers, plugins=WITH_ASYNCIO)
    assert run.starting("gates policy_violation FAIL 1 of 9: K01") or "FAIL     1 of 9: K01" in run.output
    failed = {line.split()[1] for line in run.starting("FAILED ")}
    assert failed == {"gate::policy_violation", "gate::labels_match"}, run.output
    assert run.gate("infra_error") == "pass 0 of 9"
    assert project.left() == []


def test_a_deadline_is_kept_where_the_loop_is_free(project: Project) -> None:
    project.write("mine.yaml", corpus_of("mine", [("M01", "When?")]))
    project.write("truth/mine.yaml", truth_of(["M01"], deadline_s=0.3))
    agent_and_tests(
        project,
        """
import asyncio


@pytest.mark.webretrieval(case="mine.yaml::M01")
async def test_it(retrieval_case):
    record = await retrieval_case.arun(lambda prompt: asyncio.Event().wait())
    assert record.label == "timeout"
""",
    )
    run = run_of(project, *ASYNCIO, plugins=WITH_ASYNCIO)
    assert not run.starting("FAILED test_own.py"), run.output
    assert [row["label"] for row in run.rows()] == ["timeout"]


def test_reruns_are_trials(project: Project) -> None:
    tests = (
        f'{CASE}\ndef test_it(retrieval_case):\n    retrieval_case.run("own_agent:wrong").assert_success()\n'
    )
    agent_and_tests(project, tests)
    run = run_of(project, "--reruns=1", plugins=(*OURS, "-p", "pytest_rerunfailures"))
    assert [row["key"]["trial"] for row in run.rows()] == [0, 1], run.output


def test_a_run_that_is_gone_on_with_replays_its_record(project: Project) -> None:
    agent_and_tests(project, RIGHT)
    first = run_of(project)
    assert first.code == 0, first.output
    project.write("own_agent.py", "def answer(prompt):\n    raise RuntimeError('asked again')\n")
    again = run_of(project, "--webretrieval-resume=latest")
    assert again.code == 0, again.output
    assert first.folder is not None
    assert len((first.folder / "results.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_explain_shows_only_the_runs_own_requests(project: Project) -> None:
    agent_and_tests(project, RIGHT + RIGHT.replace("test_right", "test_left"))
    run = run_of(project, "--webretrieval-slots=1")
    assert run.code == 0, run.output
    told = project.verb("explain", "latest", "K01")
    assert len(told.starting("wire ")) == 2, told.output
    assert not told.starting("#2")


def python_blocks(document: str) -> dict[str, str]:
    """The files of a document: Python blocks whose first line names one."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    return dict(re.findall(r"```python\n# (\S+)\n(.+?)```", text, re.DOTALL))


def test_the_examples_of_the_document_run(project: Project) -> None:
    files = python_blocks("own-tests.md")
    assert sorted(files) == ["my_agent.py", "test_in_process.py", "test_my_agent.py"]
    for name, code in files.items():
        project.write(name, code)
    run = project.pytest(
        "--lane=fixture", "test_my_agent.py", "test_in_process.py", *ASYNCIO, plugins=WITH_ASYNCIO
    )
    assert run.code == 0, run.output
    assert run.labels() == {"K01": "success", "K02": "success", "K06": "correct_refusal"}


def test_the_example_in_the_examples_runs(project: Project) -> None:
    run = project.pytest(
        "--lane=fixture", str(ROOT / "examples" / "test_own_cases.py"), f"--rootdir={ROOT}", *ASYNCIO,
        f"--webretrieval-output={project.folder}/.webretrieval", plugins=WITH_ASYNCIO,
    )  # fmt: skip
    assert run.code == 0, run.output
    assert run.labels() == {"K01": "success", "K06": "correct_refusal"}
    manifest = json.loads((project.run_folders()[0] / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["lane"] == "fixture"

"""Exports of four tools: the same run in each comes to the same question, answer and pages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pytest_webretrieval.capture.exchange import CaptureError
from pytest_webretrieval.capture.traces.drafts import capture_line, drafts_text, ids_of
from pytest_webretrieval.capture.traces.read import read_traces
from pytest_webretrieval.capture.traces.trace import TraceTask, said, urls_in
from pytest_webretrieval.cases.own import load_own

from .samples import ANSWER, GEN_AI, LANGFUSE, LANGSMITH, PAGES, QUESTION, SAMPLES


def file_of(folder: Path, data: Any) -> Path:
    path = folder / "export.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", SAMPLES)
def test_every_format_comes_to_the_same_task(tmp_path: Path, name: str) -> None:
    data, called = SAMPLES[name]
    told, tasks = read_traces(file_of(tmp_path, data))
    assert told == called
    (task,) = tasks
    assert (task.query, task.answer, task.urls) == (QUESTION, ANSWER, PAGES)


@pytest.mark.parametrize("data", [GEN_AI, LANGFUSE, LANGSMITH[0]], ids=["otlp", "langfuse", "langsmith"])
def test_an_object_a_line_is_read_too(tmp_path: Path, data: dict[str, Any]) -> None:
    other = json.loads(
        json.dumps(data).replace("5b8efff7", "00000000").replace("trace-1", "trace-2").replace("r1", "r9")
    )
    _, tasks = read_traces(file_of(tmp_path, f"{json.dumps(data)}\n\n{json.dumps(other)}\n"))
    assert [task.query for task in tasks] == [QUESTION, QUESTION]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (
            {"spans": 3, "resource": {}},
            "is none of OpenTelemetry (OTLP JSON), OpenInference spans, LangSmith runs, ",
        ),
        ({"spans": 3, "resource": {}}, "seen: an object with the keys resource, spans"),
        ([], "seen: nothing"),
        (["a"], "seen: a str"),
        ("{]", "is neither JSON nor a JSON object a line"),
        ({**LANGFUSE, "input": None}, "Langfuse traces: no trace says what was asked"),
        ({"resourceSpans": [1]}, "looks like OpenTelemetry (OTLP JSON), but a span of it cannot be read"),
    ],
)
def test_what_cannot_be_read_is_one_error(tmp_path: Path, data: Any, says: str) -> None:
    with pytest.raises(CaptureError) as error:
        read_traces(file_of(tmp_path, data))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "wrapped",
    [
        "What?",
        {"question": "What?"},
        {"input": {"query": "What?"}},
        {"x": "What?"},
        '{"prompt": "What?"}',
        [
            {"role": "user", "content": "No."},
            {"role": "user", "content": [{"type": "text", "text": "What?"}]},
        ],
        {
            "messages": [
                [
                    {
                        "lc": 1,
                        "type": "constructor",
                        "id": ["langchain", "HumanMessage"],
                        "kwargs": {"content": "What?"},
                    }
                ]
            ]
        },
        {"chat": 1, "text": "What?"},
    ],
)
def test_a_question_is_found_in_what_frameworks_wrap_it_in(wrapped: Any) -> None:
    assert said(wrapped, ("question", "query", "input", "prompt", "text"), "user") == "What?"


def test_addresses_are_found_without_what_stands_around_them() -> None:
    text = 'open(https://a.example/x), "https://b.example/y?z=1". [c](https://c.example/) http://'
    assert list(urls_in({"args": [text]})) == [
        "https://a.example/x",
        "https://b.example/y?z=1",
        "https://c.example/",
    ]


def test_drafts_are_cases_that_wait_for_a_person(tmp_path: Path) -> None:
    task = TraceTask(name="t", query='Which "one"?', answer="First: # line\n" * 20, urls=PAGES)
    path = tmp_path / "drafts.yaml"
    path.write_text(drafts_text([task, task], "export.json"), encoding="utf-8")
    cases = load_own(path).corpus.cases
    assert [(case.id, case.query, case.draft) for case in cases] == [
        ("which-one", 'Which "one"?', True),
        ("which-one-2", 'Which "one"?', True),
    ]
    text = path.read_text(encoding="utf-8")
    assert "  #   webretrieval capture 'https://docs.acme.example/notes?v=3' --fact 'WHAT IS RIGHT'" in text
    assert "… 8 lines more" in text


@pytest.mark.parametrize(
    ("kept", "variable"),
    [
        ("[redacted:api_key]", "API_KEY"),
        ("[redacted:acme-token:0f3c9a1e]", "ACME_TOKEN"),
        ("sk-proj-redacted-0f3c9a1e", "SECRET"),
    ],
)
def test_a_secret_in_an_address_is_due_from_the_shell(kept: str, variable: str) -> None:
    line = capture_line(f"https://a.example/x?a=1&key={kept}&v='3'", "v3.2")
    told = line.replace("webretrieval capture", "printf '%s\\n'")
    shell = ("sh", "-c", told)
    done = subprocess.run(shell, env={variable: "a b&c"}, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["https://a.example/x?a=1&key=a b&c&v='3'", "--fact", "v3.2"]
    without = subprocess.run(shell, env={}, capture_output=True, text=True, check=False)
    assert without.returncode != 0
    assert f"{variable}: was not kept, set it" in without.stderr


def test_ids_are_never_alike() -> None:
    tasks = [TraceTask(name="", query=query, answer="", urls=()) for query in ("A?", "a!", "價格?", "a", "")]
    assert ids_of(tasks) == ["a", "a-2", "trace", "a-3", "trace-2"]

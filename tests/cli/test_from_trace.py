"""``webretrieval from-trace``: an export becomes drafts that pytest skips by name, with what to capture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..capture.samples import ANSWER, PAGES, QUESTION, SAMPLES
from ..plugin.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.mark.parametrize("name", ["otel-genai", "phoenix", "langsmith", "langfuse"])
def test_an_export_becomes_a_draft_with_its_pages_to_capture(project: Project, name: str) -> None:
    data, called = SAMPLES[name]
    project.write("my traces.json", json.dumps(data))
    done = project.verb("from-trace", "my traces.json")
    assert done.code == 0, done.output
    assert done.lines[0] == f"cases/my-traces.yaml: 1 draft from {called}"
    assert len(done.starting("webretrieval capture")) == len(PAGES)
    text = (project.folder / "cases/my-traces.yaml").read_text(encoding="utf-8")
    assert QUESTION in text
    assert f"#   {ANSWER}" in text
    again = project.verb("from-trace", "my traces.json")
    assert (again.code, again.lines) == (
        1,
        ["webretrieval: from-trace: cases/my-traces.yaml: there already; --replace writes it anew"],
    )


def test_drafts_are_skipped_by_name_beside_what_runs(project: Project) -> None:
    project.write("export.json", json.dumps(SAMPLES["langfuse"][0]))
    assert project.verb("from-trace", "export.json").code == 0
    assert project.verb("init").code == 0
    run = project.pytest("--lane=fixture", "cases/", "-rs")
    assert run.code == 0, run.output
    assert "draft: say what is right in cases/export.yaml:3" in run.output
    assert run.labels() == {"first-release": "success"}


def test_secrets_do_not_get_into_a_draft(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_TOKEN", "canary-of-this-machine")
    data = {
        **SAMPLES["langfuse"][0],
        "output": "It is canary-of-this-machine.",
        "input": "canary-of-this-machine?",
    }
    project.write("export.json", json.dumps(data))
    done = project.verb("from-trace", "export.json")
    text = (project.folder / "cases/export.yaml").read_text(encoding="utf-8")
    assert "canary-of-this-machine" not in text + done.output
    assert text.count("[redacted:ACME_TOKEN]") == 2


def test_an_unknown_export_is_one_line(project: Project) -> None:
    project.write("export.json", '{"log": {"entries": []}}')
    done = project.verb("from-trace", "export.json")
    assert (done.code, len(done.lines)) == (1, 1)
    assert (
        "is none of OpenTelemetry (OTLP JSON), OpenInference spans, LangSmith runs, Langfuse traces"
        in done.output
    )

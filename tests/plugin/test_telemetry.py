"""What a system tells of itself by OpenTelemetry reaches the run, joins it to the wire, and costs nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from .project import Project, Run, corpus_of, truth_of

# An agent with an SDK of its own, as its documentation says: no word about an endpoint.
TRACED = r"""
import re

import httpx
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
HTTPXClientInstrumentor().instrument()
tracer = trace.get_tracer("agent")


def fetch_page(url):
    with tracer.start_as_current_span("execute_tool fetch_page") as span:
        span.set_attribute("gen_ai.tool.name", "fetch_page")
        span.set_attribute("gen_ai.tool.call.arguments", '{"url": "%s"}' % url)
        text = httpx.get(url, follow_redirects=True).text
        span.set_attribute("gen_ai.tool.call.result", text[:100])
        return text


class System:
    def retrieve(self, task):
        url = task.start_urls[0]
        httpx.get(url + "/../", follow_redirects=True)
        page = fetch_page(url)
        date = re.search(r"[Pp]ublished[^0-9]*(\d{1,2} \w+ \d{4})", re.sub(r"<[^>]+>", " ", page))
        return f"Published on {date[1]} ([source]({url}))."
"""
# The same page by a command, with nothing about telemetry in it.
PLAIN = """
import re
import sys

import httpx

url = re.search(r"https://\\S+[^\\s.]", sys.argv[1])[0]
page = httpx.get(url).text
date = re.search(r"[Pp]ublished[^0-9]*(\\d{1,2} \\w+ \\d{4})", re.sub(r"<[^>]+>", " ", page))
print(f"Published on {date[1]} ([source]({url})).")
"""


@pytest.fixture
def traced(project: Project) -> Project:
    project.write("own-v1.yaml", corpus_of("own-v1", [("C1", "x"), ("C2", "y")]))
    project.write("truth/own-v1.yaml", truth_of(["C1", "C2"]))
    project.write("traced.py", TRACED)
    project.write("plain.py", PLAIN)
    return project


def spans(run: Run, case: str) -> list[dict[str, Any]]:
    (row,) = [row for row in run.rows() if row["case"] == case]
    assert run.folder is not None
    evidence = json.loads(Path(run.folder, row["evidence"], "evidence.json").read_text(encoding="utf-8"))
    return [span for step in evidence["steps"] for span in step["trace"]["spans"]]


def asked(run: Run) -> list[dict[str, Any]]:
    assert run.folder is not None
    lines = Path(run.folder, "attempts.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(("isolation", "carrier"), [("run", "auto"), ("session", "proxy")])
def test_spans_of_a_system_reach_its_own_run(traced: Project, isolation: str, carrier: str) -> None:
    run = traced.pytest(
        "--lane=fixture",
        "own-v1.yaml",
        "--webretrieval-system=traced:System",
        f"--webretrieval-isolation={isolation}",
        f"--webretrieval-carrier={carrier}",
        OTEL_EXPORTER_OTLP_ENDPOINT="https://collector.invalid:4318",
        OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer not-for-anybody",
    )
    assert run.labels() == {"C1": "success", "C2": "success"}, run.output
    for row in run.rows():
        assert row["tags"] == []
        assert row["efficiency"]["requests"] == 2
        told = spans(run, row["case"])
        (tool,) = [span for span in told if span["name"] == "execute_tool fetch_page"]
        assert tool["attributes"]["gen_ai.tool.name"] == "fetch_page"
        assert [span["parent_id"] for span in told if span["name"] != tool["name"]].count(
            tool["span_id"]
        ) == 1
    roles = [row["webretrieval.role"] for row in asked(run) if row["server.address"].startswith("otlp.")]
    assert set(roles) == {"background"}
    assert "not-for-anybody" not in run.output
    shown = traced.verb("explain", "latest", "C1")
    assert "before the first turn of a model" in shown.output
    lines = [line.strip() for line in shown.lines]
    at = next(index for index, line in enumerate(lines) if line.startswith("calls fetch_page("))
    assert "/notices/db30d2  200" in lines[at + 1], shown.output
    assert "(by" not in lines[at + 1]
    assert lines[at + 2].startswith("returned 100 characters")
    assert "otlp." not in shown.output


def test_what_did_not_ask_for_telemetry_sends_none(traced: Project) -> None:
    run = traced.pytest(
        "--lane=fixture", "own-v1.yaml", f"--webretrieval-system=cmd: {sys.executable} plain.py {{prompt}}"
    )
    assert run.labels() == {"C1": "success", "C2": "success"}, run.output
    assert not [row for row in asked(run) if row["server.address"].startswith("otlp.")]


def test_auto_instrumentation_finds_the_world(traced: Project) -> None:
    instrument = Path(sys.executable).with_name("opentelemetry-instrument")
    run = traced.pytest(
        "--lane=fixture",
        "own-v1.yaml",
        f"--webretrieval-system=cmd: {instrument} {sys.executable} plain.py {{prompt}}",
    )
    assert run.labels() == {"C1": "success", "C2": "success"}, run.output
    assert [span["name"] for span in spans(run, "C1")] == ["GET"]
    assert not [row for row in run.rows() if row["tags"]]

"""Agents as people write them, each with one fault: the failure names its home, `explain` tells the story."""

from __future__ import annotations

import pytest
import yaml

from .project import Project, corpus_of, truth_of

QUERY = "When was the notice about the pontoon dues published?"
# A tool loop on the OpenAI SDK; what each agent does otherwise is in `fault`.
AGENT = r"""
import json, os, re

import httpx
from openai import OpenAI

FAULT = os.environ["FAULT"]
TOOLS = [{"type": "function", "function": {
    "name": "fetch_page",
    "description": "Fetch a web page and return its text.",
    "parameters": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
}}]


def fetch_page(url):
    if FAULT == "fetches another page":
        url = url.rsplit("/", 1)[0] + "/"
    html = httpx.get(url, follow_redirects=True).text
    text = " ".join(re.sub(r"<[^>]+>", " ", html.partition("<body")[2]).split())
    if FAULT == "cuts the page":
        text = text[:40]
    return f"{url}\n{text}"


def answer(prompt):
    client = OpenAI()
    messages = [{"role": "user", "content": prompt}]
    for _ in range(6):
        given = {} if FAULT == "offers no tool" else {"tools": TOOLS}
        reply = client.chat.completions.create(model="gpt-4o-mini", messages=messages, **given)
        message = reply.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            break
        for call in message.tool_calls:
            result = fetch_page(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    text = message.content
    if FAULT == "drops citations":
        text = re.sub(r"\s*\(?\[[^\]]*\]\([^)]*\)\)?|https?://\S+", "", text)
    return text
"""


@pytest.fixture
def told(project: Project) -> Project:
    project.write("own-v1.yaml", corpus_of("own-v1", [("C1", QUERY)]))
    project.write(
        "truth/own-v1.yaml", truth_of(["C1"]).replace("max_budget: {requests: 2}", "max_budget: {}")
    )
    project.write("agent.py", AGENT)
    return project


@pytest.mark.parametrize(
    ("fault", "label", "home"),
    [
        ("none", "success", None),
        (
            "cuts the page",
            None,
            "your code: the page that was fetched says published, and what the model was given",
        ),
        (
            "fetches another page",
            None,
            "your code: the model asked for a page, and the wire shows no request for it",
        ),
        ("offers no tool", None, "your code: the model was offered no tool"),
        (
            "drops citations",
            "unsupported",
            "your code: the model cited a page, and the answer that was returned",
        ),
    ],
)
def test_the_fault_of_an_agent_is_named(
    told: Project, fault: str, label: str | None, home: str | None
) -> None:
    run = told.pytest("--lane=fixture", "own-v1.yaml", "--webretrieval-system=agent:answer", FAULT=fault)
    (row,) = run.rows()
    assert label in (None, row["label"]), run.output
    if home is None:
        assert row["home"] is None
        return
    assert f"{row['home']['where']}: {row['home']['why']}".startswith(home), (row["home"], run.output)
    assert run.starting("home"), run.output
    assert run.starting("wrong?")[0].split()[1:3] == ["webretrieval", "dispute"]


def test_a_hasty_model_is_the_models_fault(told: Project) -> None:
    run = told.pytest(
        "--lane=fixture",
        "own-v1.yaml",
        "--webretrieval-system=agent:answer",
        "--webretrieval-model-skill=hasty",
        FAULT="none",
    )
    (row,) = run.rows()
    if row["label"] != "success":
        assert row["home"]["where"] == "model", (row["home"], run.output)


def test_the_story_and_the_dispute(told: Project) -> None:
    run = told.pytest(
        "--lane=fixture", "own-v1.yaml", "--webretrieval-system=agent:answer", FAULT="cuts the page"
    )
    assert run.code == 1, run.output
    shown = told.verb("explain", "latest", "C1")
    assert shown.code == 0, shown.output
    story = "\n".join(shown.lines)
    assert "calls fetch_page(" in story, story
    assert "gave the model" in story
    first = told.verb("dispute", "latest", "C1", "--reason", 'the page says: "so"')
    assert first.code == 0, first.output
    (written,) = (told.folder / "disputes").iterdir()
    text = written.read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    assert data["case"] == "own-v1::C1"
    assert data["judged"]["likely home"].startswith("your code: ")
    assert data["truth"]["file"].startswith("truth/own-v1.yaml:")
    assert data["steps"][0]["wire"]
    assert data["decision"]["because"] == 'the page says: "so"'
    assert data["decision"]["wrong"] is None
    written.write_text(text + "# mine\n", encoding="utf-8", newline="\n")
    again = told.verb("dispute", "latest", "C1")
    assert (again.code, written.read_text(encoding="utf-8")) == (0, text + "# mine\n")
    assert "is there already, and stays as it is" in again.output
    assert (told.folder / "truth/own-v1.yaml").read_text(encoding="utf-8").count("recorded_at") == 1

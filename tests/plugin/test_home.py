"""Agents as people write them, each with one fault: the failure names its home, `explain` tells the story."""

from __future__ import annotations

import pytest
import yaml

from .project import Project, Run, corpus_of, records, truth_of

QUERY = "When was the notice about the pontoon dues published?"
# A tool loop on the OpenAI SDK; what it does otherwise in each case is in `FAULT`, by the number in the question.
AGENT = r"""
import json, re

import httpx
from openai import OpenAI

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
    global FAULT
    FAULT = FAULTS[int(re.search(r"\(no\. (\d)\)", prompt)[1])]
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


# what the agent does, the label where there is but one, and what is said of the fault's home
HOMES = {
    "nothing": ("success", None),
    "cuts the page": (
        None,
        "your code: the page that was fetched says published, and what the model was given",
    ),
    "fetches another page": (
        None,
        "your code: the model asked for a page, and the wire shows no request for it",
    ),
    "offers no tool": (None, "your code: the model was offered no tool"),
    "drops citations": (
        "unsupported",
        "your code: the model cited a page, and the answer that was returned",
    ),
}
IDS = {fault: f"C{number}" for number, fault in enumerate(HOMES)}
OPTIONS = ("--lane=fixture", "own-v1.yaml", "--webretrieval-system=agent:answer")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Run]:
    """One run in which each fault has its case."""
    project = Project(tmp_path_factory.mktemp("home"))
    cases = [(case, f"{QUERY} (no. {number})") for number, case in enumerate(IDS.values())]
    project.write("own-v1.yaml", corpus_of("own-v1", cases))
    truth = truth_of(list(IDS.values())).replace("max_budget: {requests: 2}", "max_budget: {}")
    project.write("truth/own-v1.yaml", truth)
    project.write("agent.py", f"FAULTS = {list(HOMES)}\n{AGENT}")
    run = project.pytest(*OPTIONS)
    assert run.code == 1, run.output
    return project, run


@pytest.mark.parametrize("fault", HOMES)
def test_the_fault_of_an_agent_is_named(told: tuple[Project, Run], fault: str) -> None:
    _, run = told
    label, home = HOMES[fault]
    (row,) = (row for row in run.rows() if row["case"] == IDS[fault])
    assert label in (None, row["label"]), run.output
    if home is None:
        assert row["home"] is None
        return
    assert f"{row['home']['where']}: {row['home']['why']}".startswith(home), (row["home"], run.output)
    page = run.output.partition(f"\n{row['case']} ")[2].partition("wrong?")
    assert "\n     home " in page[0], run.output
    assert page[2].split()[:2] == ["webretrieval", "dispute"]


def test_a_hasty_model_is_the_models_fault(told: tuple[Project, Run]) -> None:
    project, _ = told
    run = project.pytest(
        *OPTIONS, "--webretrieval-model-skill=hasty", "--webretrieval-output=hasty", "-k", IDS["nothing"]
    )
    (folder,) = (project.folder / "hasty").glob("*/")
    (row,) = records(folder)
    if row["label"] != "success":
        assert row["home"]["where"] == "model", (row["home"], run.output)


def test_the_story_and_the_dispute(told: tuple[Project, Run]) -> None:
    project, _ = told
    case = IDS["cuts the page"]
    shown = project.verb("explain", "latest", case)
    assert shown.code == 0, shown.output
    story = "\n".join(shown.lines)
    assert "calls fetch_page(" in story, story
    assert "gave the model" in story
    first = project.verb("dispute", "latest", case, "--reason", 'the page says: "so"')
    assert first.code == 0, first.output
    (written,) = (project.folder / "disputes").iterdir()
    text = written.read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    assert data["case"] == f"own-v1::{case}"
    assert data["judged"]["likely home"].startswith("your code: ")
    assert data["truth"]["file"].startswith("truth/own-v1.yaml:")
    assert data["steps"][0]["wire"]
    assert data["decision"]["because"] == 'the page says: "so"'
    assert data["decision"]["wrong"] is None
    written.write_text(text + "# mine\n", encoding="utf-8", newline="\n")
    again = project.verb("dispute", "latest", case)
    assert (again.code, written.read_text(encoding="utf-8")) == (0, text + "# mine\n")
    assert "is there already, and stays as it is" in again.output
    truth = (project.folder / "truth/own-v1.yaml").read_text(encoding="utf-8")
    assert truth.count("recorded_at") == len(IDS)

"""A key that is in every field on its way is in no file at its end."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from ..plugin.project import Project
from .internet import model, search, town
from .internet.live import KEYS, Outcome, live_run
from .internet.rig import Rig
from .internet.scenario import Answer, Heard, Scenario, Site, answer, page
from .internet.town import question
from .small import READING, SYSTEM, configuration, furnish_some

IDS = ("T01", "T03", "T06")
# Their names tell nobody that they are secrets, nor does how one looks; that an account has them does.
OWN = {"TOWN_SESSION": "Xk9mQ2vR7tLw4zNp8sYb", "TOWN_LOGIN": "$esame12"}
SECRETS = KEYS | OWN
PASSWORD = "Pr0xyWordQz81"
PROXY = f"http://reader:{PASSWORD}@proxy.alder-bay.example:3128/"
ACCOUNT = f"""
[live.accounts.reader]
kind = "bearer"
credential_name = "reader"
value_env = "TOWN_SESSION"
url = "https://{question("T01").host}/"

[live.accounts.writer]
kind = "basic"
credential_name = "writer"
value_env = "TOWN_LOGIN"
url = "https://{question("T01").host}/"
"""
TELLTALE = (
    READING
    + r"""
import base64
import os
import sys
from urllib.parse import quote

NAMES = ("TAVILY_API_KEY", "OPENAI_API_KEY", "TOWN_SESSION", "TOWN_LOGIN")


def tell(key):
    coded = base64.b64encode(key.encode()).decode()
    basic = base64.b64encode(f"reader:{key}".encode()).decode()
    headers = {"Authorization": f"Bearer {key}", "X-Token": key, "Cookie": f"session={key}"}
    body = json.dumps({"query": key, "deep": [{"said": coded}]}).encode()
    host = "https://www.alder-bay.example"
    said = get(f"{host}/echo?token={quote(key)}&also={quote(coded)}", **headers)
    get(f"{host}/echo", data=body, **headers, **{"Content-Type": "application/json"})
    get(f"{host}/echo/{key}/{coded}", Authorization=f"Basic {basic}")
    get("https://api.tavily.com/search", data=body, **headers)
    get("https://api.openai.com/v1/chat/completions", data=body, **headers)
    try:
        get(f"https://{key.lower()}.alder-bay.example/")
    except OSError:
        print("out", key, coded, basic)
    print("err", key, coded, file=sys.stderr)
    Path("/tmp/own.txt").write_text(key)
    return f"{key} {coded} {said}"


class System:
    def retrieve(self, task):
        told = " ".join((*(tell(os.environ[name]) for name in NAMES), os.environ["UPSTREAM"]))
        if "firmware" in task.query:
            raise ValueError(told)
        url = "https://www.alder-bay.example/notices/pontoon-dues"
        return {
            "schema": "webretrieval.result/2",
            "status": "answered",
            "answer": f"{said_at(url)} {told}",
            "claims": [],
            "attempts": [{"url": f"{url}?{told}"}],
            "usage": {"note": told},
            "raw": {"deep": [told]},
        }
"""
)


class Town:
    """Hosts that repeat what they are told, and remember which keys that were."""

    def __init__(self) -> None:
        self.heard: set[tuple[str, str]] = set()

    def scenario(self) -> Scenario:
        echoing = Site(pages={"*": self._echo}, robots=None)
        return (
            town.town()
            .with_pages(question("T01").host, {"*": self._echo})
            .with_sites({search.HOST: echoing, model.HOST: echoing})
        )

    def _echo(self, heard: Heard) -> Answer:
        told = [heard.target, heard.body.decode(), *map(": ".join, heard.headers.items())]
        self.heard |= {(heard.host, name) for name, key in SECRETS.items() if key in " ".join(told)}
        if heard.host == question("T01").host:
            return page("Echo", *told)
        return answer(
            200, json.dumps({"results": told}), ("content-type", "application/json"), ("x-echo", told[2])
        )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def hosts() -> Town:
    return Town()


@pytest.fixture(scope="module")
def outcome(rig: Rig, project: Project, hosts: Town) -> Outcome:
    """It may cost more than allowed, and somebody approved."""
    targets = town.targets(IDS).replace("[targets.T01]", '[targets.T01]\naccount = "reader"')
    files = {
        f"{town.CORPUS}.toml": targets,
        "webretrieval.toml": configuration(("max_cost_usd = 5", "max_cost_usd = 0.2"), more=ACCOUNT),
    }
    furnish_some(project, IDS, TELLTALE, files)
    approved = "--webretrieval-approve-cost"
    environment = OWN | {"UPSTREAM": PROXY, "HTTPS_PROXY": PROXY}
    return live_run(rig, project, hosts.scenario(), SYSTEM, approved, **environment)


def test_what_was_approved_runs(outcome: Outcome) -> None:
    assert outcome.run.labels().keys() == set(IDS), outcome.out
    assert "infra_error" not in outcome.run.labels().values(), outcome.out


def test_each_key_was_told_to_each_host(outcome: Outcome, hosts: Town) -> None:
    """So that there was something to be found."""
    told = {question("T01").host, search.HOST, model.HOST}
    assert hosts.heard == {(host, name) for host in told for name in SECRETS}, outcome.out


def test_no_key_is_in_any_file(outcome: Outcome, project: Project) -> None:
    forms = {form: name for name, key in [*SECRETS.items(), ("PROXY", PASSWORD)] for form in written(key)}
    files = [path for path in project.folder.rglob("*") if path.is_file()]
    assert len([path for path in files if outcome.folder in path.parents]) > 10
    found = [
        f"{name} as {form!r} in {path.relative_to(project.folder)}"
        for path in files
        for form, name in forms.items()
        if form.lower() in path.read_bytes().lower()
    ]
    assert found == []
    kept = b"".join(path.read_bytes() for path in files)
    assert [name for name in SECRETS if f"[redacted:{name}]".encode() not in kept] == []


def test_no_key_is_shown(outcome: Outcome) -> None:
    shown = outcome.out.encode().lower()
    assert [
        form for key in (*SECRETS.values(), PASSWORD) for form in written(key) if form.lower() in shown
    ] == []


def written(key: str) -> Iterator[bytes]:
    """A key as it is, in a URL, and in base64 wherever it may begin in a group of three."""
    yield key.encode()
    yield quote(key, safe="").encode()
    for shift, skipped in ((0, 0), (1, 2), (2, 3)):
        coded = base64.b64encode(b"\0" * shift + key.encode()).rstrip(b"=")
        yield coded[skipped : len(coded) - 1]

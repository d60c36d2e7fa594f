"""Hosts of the real web as they are: redirects, sockets, certificates, names that lead inside, errors that look like
pages, bodies without an end; and a model whose provider searches by itself."""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ..plugin.project import Project
from .internet import model, town
from .internet.live import Outcome, live_run
from .internet.rig import Rig
from .internet.scenario import Answer, Heard, Scenario, Site, answer, moved, page
from .internet.town import question
from .small import READING, SYSTEM, configuration, furnish_some

MOVED, OPAQUE, UNTRUSTED, INSIDE, ERROR, DENIED, MANY, BIG = IDS = tuple(one.id for one in town.QUESTIONS)
HOST, PRIVATE, UNKNOWN = question(MOVED).host, "intranet.alder-bay.example", "unknown.alder-bay.example"
BARRED = "barred.alder-bay.example"
OLD = f"https://{HOST}/old/pontoon-dues"
CAP, MOST_REQUESTS = 16 * 1024 * 1024, 12
FILM = b"0123456789abcdef" * (CAP // 16) + b"the end"
# What a provider's own search leaves in an answer.
SEARCHED = {
    "id": "resp_1",
    "object": "response",
    "model": "gpt-5-mini",
    "status": "completed",
    "output": [
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}},
        {
            "type": "message",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": question(OPAQUE).page().body.decode().split("<p>")[1].split("</p>")[0],
                    "annotations": [
                        {"type": "url_citation", "url": question(OPAQUE).url, "title": "Timetable"}
                    ],
                }
            ],
        },
    ],
    "usage": {"input_tokens": 300, "output_tokens": 60, "total_tokens": 360},
}
CURIOUS = (
    READING
    + r"""
import asyncio
import os

import aiohttp


async def talk(url, said="and back"):
    async with aiohttp.ClientSession(trust_env=True) as session, session.ws_connect(url, max_msg_size=0) as talk:
        first = await talk.receive_str()
        await talk.send_str(said)
        return first, await talk.receive_str()


async def refused(url):
    async with aiohttp.ClientSession(trust_env=True) as session:
        try:
            await session.ws_connect(url)
        except aiohttp.WSServerHandshakeError as error:
            return error.status


def tried(url):
    try:
        return len(get(url))
    except (OSError, ValueError) as error:
        return getattr(error, "code", type(error).__name__)


def searched(query):
    asked = {"model": "gpt-5-mini", "input": query, "tools": [{"type": "web_search"}]}
    key = {"Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}", "Content-Type": "application/json"}
    said = json.loads(get("https://api.openai.com/v1/responses", json.dumps(asked).encode(), **key))
    (text,) = said["output"][1]["content"]
    return text["text"] + f" ([source]({text['annotations'][0]['url']}))"


class System:
    def retrieve(self, task):
        url = task.start_urls[0]
        if "pontoon" in task.query:
            print("talked", asyncio.run(talk("wss://www.alder-bay.example/talk")))
            print("at length", len(asyncio.run(talk("wss://www.alder-bay.example/long", "x" * 5242880))[1]))
        if "summer" in task.query:
            return searched(task.query)
        if "firmware" in task.query:
            print("untrusted", tried("https://unknown.alder-bay.example/"))
        if "survey" in task.query:
            print("inside", tried("https://intranet.alder-bay.example/"))
            print("inside by socket", asyncio.run(refused("wss://intranet.alder-bay.example/talk")))
            print("led inside", asyncio.run(refused("wss://www.alder-bay.example/astray")))
        if "register" in task.query:
            try:
                get(url)
            except urllib.error.HTTPError as error:
                said = re.search(r"<p>(.*?)</p>", error.read().decode())[1]
                return f"{said} ([source]({url}))"
        if "lighthouse" in task.query:
            print("barred", tried("https://barred.alder-bay.example/"))
        if "tram" in task.query:
            print("many", [tried(f"{url}?{number}") for number in range(14)])
        if "library" in task.query:
            print("film", tried("https://library.quill-street.example/film"))
        return said_at(url)
"""
)


def scenario() -> Scenario:
    error = replace(question(ERROR).page(), status=500)
    model_site = Site(pages={"/v1/responses": _searching}, robots=None)
    library = question(BIG).host
    film = Answer(headers=(("content-type", "video/mp4"),), body=FILM)
    return (
        town.shown({ERROR: error})
        .with_pages(
            HOST,
            {
                "/old/pontoon-dues": moved(question(MOVED).path, 301),
                "/talk": Answer(messages=("hello",)),
                "/long": Answer(messages=("hello",)),
                "/astray": moved(f"https://{PRIVATE}/talk"),
            },
        )
        .with_pages(library, {"/film": film})
        .with_sites(
            {
                model.HOST: model_site,
                UNKNOWN: Site(certificate="unknown-authority", pages={"/": page("Unknown", "Nothing.")}),
                PRIVATE: Site(address="10.1.2.3", pages={"/": page("Inside", "A secret.")}),
                BARRED: Site(pages={"/": page("Barred", "Nothing.")}),
            }
        )
    )


def _searching(heard: Heard) -> Answer:
    """The model's turn, in which the provider says to have read a page."""
    return answer(200, json.dumps(SEARCHED), ("content-type", "application/json"))


def targets(ids: Sequence[str]) -> str:
    """As the town's, but that each case has a start URL, the first one that moved, and that the site whose page is an
    error is looked at where it stands."""
    starts = {id: OLD if id == MOVED else question(id).url for id in ids}
    probes = {id: f'{{ url = "{question(id).url}", facts = true }}' for id in ids}
    probes[ERROR] = f'{{ url = "https://{question(ERROR).host}/", marker = "Welcome" }}'
    return f'corpus = "{town.CORPUS}"\n' + "".join(
        textwrap.dedent(
            f"""
            [targets.{id}]
            start_urls = ["{starts[id]}"]
            permission = "robots.txt of the host lets programs read every page"
            evidence_url = "https://{question(id).host}/robots.txt"
            checked = "2026-11-30"
            probe = {probes[id]}
            """
        )
        for id in ids
    )


@pytest.fixture(scope="module")
def outcome(rig: Rig, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    project = Project(tmp_path_factory.mktemp("odd"))
    files = {
        f"{town.CORPUS}.toml": targets(IDS),
        "webretrieval.toml": configuration(
            ("max_cost_usd = 5", f"max_cost_usd = 5\nmax_requests = {MOST_REQUESTS}"),
            more=f'[live.hosts]\ndeny = ["{BARRED}"]\n',
        ),
    }
    furnish_some(project, IDS, CURIOUS, files)
    return live_run(rig, project, scenario(), SYSTEM)


@pytest.fixture(scope="module")
def rows(outcome: Outcome) -> dict[str, dict[str, Any]]:
    """The record of each case."""
    return {row["case"]: row for row in outcome.run.rows()}


def evidence(outcome: Outcome, row: dict[str, Any]) -> dict[str, Any]:
    assert outcome.folder is not None
    found: dict[str, Any] = json.loads((outcome.folder / row["evidence"] / "evidence.json").read_text())
    return found


def tried(outcome: Outcome, case: str, url: str) -> list[tuple[Any, Any]]:
    """Status and error of a case's requests for a URL, in order; those of the harness not among them."""
    return [
        (row.get("http.response.status_code"), row.get("error.type"))
        for row in outcome.run.attempts(case)
        if row["url.full"] == url and row["webretrieval.role"] != "check"
    ]


def test_labels(rows: dict[str, dict[str, Any]], outcome: Outcome) -> None:
    assert {id: rows[id]["label"] for id in IDS} == {
        MOVED: "success",
        OPAQUE: "success",
        UNTRUSTED: "success",
        INSIDE: "policy_violation",
        ERROR: "unsupported",
        DENIED: "policy_violation",
        MANY: "system_failure",
        BIG: "success",
    }, outcome.out
    assert outcome.code == 1
    assert (
        outcome.run.gate("policy_violation") == f"FAIL 2 of 7 seen on the wire, n/a for 1: {INSIDE}, {DENIED}"
    )
    assert outcome.run.gate("infra_error") == "pass 0 of 8"


def test_a_redirect_is_followed_and_a_socket_is_passed(
    rows: dict[str, dict[str, Any]], outcome: Outcome
) -> None:
    assert tried(outcome, MOVED, OLD) == [(301, None)]
    assert tried(outcome, MOVED, question(MOVED).url) == [(200, None)]
    assert "talked ('hello', 'and back')" in evidence(outcome, rows[MOVED])["stdout"]
    assert "at length 5242880" in evidence(outcome, rows[MOVED])["stdout"]
    (talk,) = [row for row in outcome.run.attempts(MOVED) if row["url.full"].endswith("/talk")]
    assert talk["http.response.status_code"] == 101
    assert outcome.folder is not None
    digest = talk["webretrieval.body.sha256"]
    kept = outcome.folder / "representations" / "sha256" / digest[:2] / digest
    assert kept.read_bytes() == b"hello\nand back"


def test_a_certificate_that_nobody_trusts_is_not_taken(
    rows: dict[str, dict[str, Any]], outcome: Outcome
) -> None:
    assert tried(outcome, UNTRUSTED, f"https://{UNKNOWN}/") == [(None, "upstream_tls")]
    assert outcome.asked(UNKNOWN) == []
    assert "untrusted 4" not in evidence(outcome, rows[UNTRUSTED])["stdout"], "no answer of ours in its name"


def test_a_name_that_leads_inside_is_denied_and_named(
    rows: dict[str, dict[str, Any]], outcome: Outcome
) -> None:
    assert outcome.asked(PRIVATE) == []
    assert tried(outcome, INSIDE, f"https://{PRIVATE}/") == [(403, "denied")]
    said = evidence(outcome, rows[INSIDE])["stdout"]
    # The same by a socket, and where a server leads one's handshake there: that is told to the client.
    assert "inside by socket 403" in said
    assert "led inside 403" in said
    assert tried(outcome, INSIDE, f"https://{HOST}/astray") == [(302, None)]
    assert tried(outcome, INSIDE, f"https://{PRIVATE}/talk") == [(403, "denied")] * 2
    assert "egress" in rows[INSIDE]["tags"]
    assert PRIVATE in json.dumps(evidence(outcome, rows[INSIDE]))
    assert PRIVATE in outcome.out


def test_a_host_on_the_list_of_those_denied_is_not_reached(
    rows: dict[str, dict[str, Any]], outcome: Outcome
) -> None:
    assert outcome.asked(BARRED) == []
    assert tried(outcome, DENIED, f"https://{BARRED}/") == [(403, "denied")]
    assert "egress" in rows[DENIED]["tags"]
    assert BARRED in outcome.out


def test_an_error_page_is_never_the_document(rows: dict[str, dict[str, Any]], outcome: Outcome) -> None:
    """It says what truth says, word for word, and is cited: it bears out nothing."""
    (citation,) = [verdict["citation"] for verdict in rows[ERROR]["verdicts"]]
    assert (citation["checked"], citation["supported"]) == (1, 0)
    assert rows[ERROR]["suspicion"] is None
    assert {status for status, _ in tried(outcome, ERROR, question(ERROR).url)} == {500}


def test_no_run_sends_more_than_it_may(rows: dict[str, dict[str, Any]], outcome: Outcome) -> None:
    own = [one for one in outcome.asked(question(MANY).host) if one.user_agent.startswith("Python-urllib")]
    assert len(own) == MOST_REQUESTS
    ends = [tried(outcome, MANY, f"{question(MANY).url}?{number}") for number in range(14)]
    assert ends == [[(200, None)]] * MOST_REQUESTS + [[(429, "over_budget")]] * 2
    assert "many" in evidence(outcome, rows[MANY])["stdout"]


def test_what_was_refused_was_not_read(rows: dict[str, dict[str, Any]]) -> None:
    """Where the rules of a host cannot be had either, nothing was read in spite of them."""
    assert [id for id in IDS if rows[id]["disallowed"]] == []


def test_a_body_beyond_the_cap_comes_whole_and_is_kept_in_part(
    rows: dict[str, dict[str, Any]], outcome: Outcome
) -> None:
    assert f"film {len(FILM)}" in evidence(outcome, rows[BIG])["stdout"]
    (film,) = [row for row in outcome.run.attempts(BIG) if row["url.full"].endswith("/film")]
    assert film["http.response.body.size"] == len(FILM)
    assert film["webretrieval.body.sha256"] == hashlib.sha256(FILM[:CAP]).hexdigest()


def test_what_a_provider_did_by_itself_is_opaque(rows: dict[str, dict[str, Any]], outcome: Outcome) -> None:
    row = rows[OPAQUE]
    assert row["witness"] == "opaque"
    assert row["efficiency"]["measured"] is False
    (verdict,) = row["verdicts"]
    assert (verdict["citation"]["checked"], verdict["citation"]["supported"]) == (1, 1)
    assert tried(outcome, OPAQUE, question(OPAQUE).url) == [], "only the harness read it"
    checks = [one["url.full"] for one in outcome.run.attempts(OPAQUE) if one["webretrieval.role"] == "check"]
    assert checks.count(question(OPAQUE).url) == 1
    assert outcome.run.starting("evidence 7 wire, 1 opaque of 8 runs"), outcome.out

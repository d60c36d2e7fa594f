"""A target whose connections are passed on unopened: what went over them is not seen, and not guessed."""

from __future__ import annotations

from typing import Any

import pytest

from ..plugin.project import Project
from .internet.live import Outcome, furnish, live_run
from .internet.rig import Rig
from .internet.scenario import Answer, Heard, denied
from .internet.town import CORPUS, question, shown, targets

# Reads the page that it is pointed to and repeats it, with the certificate that it was shown.
AGENT = """
import re, ssl, socket, urllib.request

def answer(prompt: str) -> str:
    url = re.search(r"https://\\S+", prompt)[0]
    with socket.create_connection((url.split("/")[2], 443)) as plain:
        with ssl.create_default_context().wrap_socket(plain, server_hostname=url.split("/")[2]) as tls:
            issuer = dict(part[0] for part in tls.getpeercert()["issuer"])["organizationName"]
    text = urllib.request.urlopen(url).read().decode()
    said = re.sub(r"<[^>]+>", " ", text.split("</h1>")[1])
    print("issuer", issuer)
    return f"{' '.join(said.split())} [source]({url})"
"""
SPLICED = question("T02")


def not_for_the_harness(heard: Heard) -> Answer:
    """A page that only somebody else may read."""
    return denied() if "town-probe" in heard.headers.get("user-agent", "") else SPLICED.page()


@pytest.fixture(scope="module")
def nights(rig: Rig, tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, Outcome]:
    """One on which the harness may read the page too, and one on which it may not."""
    project = Project(tmp_path_factory.mktemp("splice"))
    spliced = targets([SPLICED.id]).replace("probe =", "splice = true\nprobe =")
    unseen = spliced.replace(SPLICED.url + '", facts = true', f'https://{SPLICED.host}/"')
    furnish(project, {"agent.py": AGENT, f"{CORPUS}.toml": spliced})
    system = "--webretrieval-system=agent:answer"
    read = live_run(rig, project, shown({}), system)
    project.write(f"{CORPUS}.toml", unseen)
    return read, live_run(rig, project, shown({SPLICED.id: not_for_the_harness}), system, night=2)


def record(outcome: Outcome) -> dict[str, Any]:
    (row,) = outcome.run.rows()
    return row


def test_a_client_meets_the_site_itself(nights: tuple[Outcome, Outcome]) -> None:
    row = record(nights[0])
    assert (row["label"], row["witness"]) == ("success", "metadata"), nights[0].out
    assert row["efficiency"]["measured"] is False
    assert nights[0].folder is not None
    evidence = (nights[0].folder / row["evidence"] / "evidence.json").read_text(encoding="utf-8")
    assert "issuer" in evidence
    assert "issuer pytest-webretrieval" not in evidence


def test_that_it_was_there_is_seen_and_nothing_more(nights: tuple[Outcome, Outcome]) -> None:
    assert nights[0].folder is not None
    attempts = (nights[0].folder / "attempts.jsonl").read_text(encoding="utf-8")
    assert f"tcp://{SPLICED.host}:443" in attempts
    own = [one for one in nights[0].asked(SPLICED.host) if "urllib" in (one.user_agent or "")]
    assert [one.target for one in own] == [SPLICED.path]


def test_what_nobody_can_read_is_not_graded(nights: tuple[Outcome, Outcome]) -> None:
    row = record(nights[1])
    assert (row["label"], row["reason"]) == (
        "ungraded",
        "nobody saw the pages that it read, nor could they be fetched again",
    ), nights[1].out

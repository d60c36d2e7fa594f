"""No secret is left in anything that a run wrote, in whatever mode the model and the gateway are."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugin.project import Run

from .conftest import Agents

VAULT = "VAULT/CANARY+4f1c9a7be2d84c6f"
OPENAI = "sk-proj-CANARYaabbccddeeff00112233"
PARTNER = "api.partner.test"


def written(agents: Agents, run: Run) -> Iterator[tuple[str, bytes]]:
    """All that a run left: its folder, the recordings, JUnit's file, what was printed."""
    folder = agents.project.folder
    for place in (folder / ".webretrieval", folder / "cassettes", folder / "junit.xml"):
        for path in (place, *place.rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                yield (
                    str(path.relative_to(folder)),
                    gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data,
                )
    yield "output", run.output.encode()


def traces(data: bytes) -> list[bytes]:
    """Where a canary shows: as it is, in any case, or within base64."""
    found = re.findall(rb"(?i).{0,30}canary.{0,20}", data)
    for text in re.findall(rb"[A-Za-z0-9+/_-]{12,}", data):
        for shift in range(4):
            part = text[shift:].replace(b"-", b"+").replace(b"_", b"/")
            plain = base64.b64decode(part[: len(part) // 4 * 4])
            if b"CANARY" in plain:
                found.append(text[:60])
    return found


@pytest.fixture
def leaky(agents: Agents) -> Agents:
    place = Path(__file__).with_name("canaries.py")
    agents.project.write("agent.py", place.read_text(encoding="utf-8"))
    truth = agents.file("truth/any-v1.yaml").replace("requests: 4", "requests: 20")
    agents.project.write("truth/any-v1.yaml", truth)
    return agents


def check(agents: Agents, run: Run) -> None:
    left = {name: found for name, data in written(agents, run) if (found := traces(data))}
    assert left == {}, run.output
    assert run.folder is not None
    assert (run.folder / "results.jsonl").exists()
    assert "stands in" not in run.output


def options(agents: Agents) -> dict[str, tuple[str, ...]]:
    partner = f"--webretrieval-gateway={PARTNER}=http://127.0.0.1:{agents.provider.port}"
    live = ("--webretrieval-model=live", "--webretrieval-confirm=0", agents.provider.listed)
    return {
        "scripted": (),
        "live": live,
        "a partner, recorded": (partner, "--webretrieval-record=all"),
        "live and a partner, recorded": (*live, partner, "--webretrieval-record=all"),
        "replayed": ("--webretrieval-model=replay", partner),
    }


SECRETS = {"VAULT_TOKEN": VAULT, "OPENAI_API_KEY": OPENAI}


@pytest.mark.parametrize("mode", ["scripted", "live", "a partner, recorded"])
def test_nothing_is_left(leaky: Agents, mode: str) -> None:
    more = {"PARTNER": PARTNER} if "partner" in mode else {}
    check(leaky, leaky.run("--junitxml=junit.xml", *options(leaky)[mode], **SECRETS, **more))
    assert (leaky.project.folder / "cassettes").exists() == ("recorded" in mode)


def test_nothing_is_left_where_model_and_partner_are_recorded_and_replayed(leaky: Agents) -> None:
    for mode in ("live and a partner, recorded", "replayed"):
        run = leaky.run("--junitxml=junit.xml", *options(leaky)[mode], PARTNER=PARTNER, **SECRETS)
        check(leaky, run)
        assert (leaky.project.folder / "cassettes").exists()
    assert run.gate("replay") == "pass 2 of 2 replayed, 80% required", run.output


# What the look finds where nothing is taken out: without it, it might be blind.
BLIND = """
from pytest_webretrieval.wire import scrubbing, secrets

secrets.Values.spans = lambda self, text: iter(())
secrets.Values.within = lambda self, data: None
scrubbing.by_looks = scrubbing.by_names = lambda text, known: iter(())
scrubbing.Scrubber.header = lambda self, name, value: value
scrubbing.is_secret = lambda name, value, known: False
"""


def test_the_look_finds_what_is_there(leaky: Agents) -> None:
    leaky.project.write("conftest.py", BLIND)
    run = leaky.run("--junitxml=junit.xml", **SECRETS)
    found = {name: found for name, data in written(leaky, run) if (found := traces(data))}
    evidence = [len(here) for name, here in found.items() if name.endswith("A/0/evidence.json")]
    assert evidence[0] > 20
    assert any(name.endswith("attempts.jsonl") for name in found)
    assert any("representations" in name for name in found)


def test_a_secret_that_got_by_fails_the_run(agents: Agents) -> None:
    agents.project.write("cassettes/notes.txt", f"the token is {VAULT}\n")
    run = agents.run("--webretrieval-case=any-v1::A", VAULT_TOKEN=VAULT)
    line = run.gate("infra_error")
    assert line.startswith("FAIL the secret VAULT_TOKEN stands in ")
    assert "cassettes/notes.txt" in line
    assert VAULT not in run.output
    assert run.code == 1

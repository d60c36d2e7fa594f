"""Systems that are servers: one process a slot, asked over its own loopback, started again when it has ended."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import socket
import sys
import time
from pathlib import Path

import pytest

from pytest_webretrieval.slots.life import SERVER_GRACE_S
from pytest_webretrieval.systems import server
from pytest_webretrieval.systems.contract import Testimony
from pytest_webretrieval.systems.system import load
from pytest_webretrieval.systems.ways import SystemUnusable

from .conftest import Open, task


def spec(start: str = "", port: str = "3000") -> str:
    return f"serve: {sys.executable} server.py {port} {start} @ http://localhost:{port}/answer"


def run(place: Open, *prompts: str, deadline_s: float = 20.0, system: str = "") -> list[Testimony]:
    """Testimonies of one run; the next run is proven to be answered."""

    async def steps() -> list[Testimony]:
        async with place(system or spec()) as here:
            await here.slot.ready()
            said = [await here.ask(prompt, deadline_s) for prompt in prompts]
            await here.slot.end()
            again = await here.ask("count")
            assert (again.ending, str(again.payload).isdecimal()) == ("answered", True), again
            return said

    return asyncio.run(steps())


@pytest.mark.parametrize(
    ("prompt", "payload"),
    [
        ("text", "plain"),
        ("quoted", "a string"),
        ("chat", {"choices": [{"message": {"role": "assistant", "content": "hi"}}]}),
        ("huge 2", "x" * (2 << 20)),
    ],
)
def test_an_answer_is_text_or_json_of_any_shape(place: Open, prompt: str, payload: object) -> None:
    (said,) = run(place, prompt)
    assert (said.ending, said.payload) == ("answered", payload)


def test_it_is_given_the_whole_task_and_the_slots_environment(place: Open) -> None:
    fields, state, key = run(
        place, "fields", "environment WEBRETRIEVAL_STATE_DIR", "environment OPENAI_API_KEY"
    )
    named = fields.payload["answer"].split()
    assert {"prompt", "query", "start_urls", "channels", "deadline_s", "budget", "policy"} <= set(named)
    assert state.payload == "(not set)"  # it outlives what that folder is for
    assert key.payload == "sk-not-a-secret"


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ("not_json", "said that it answers with JSON, and it is none"),
        ("page", "a page of HTML; answer with text or JSON"),
        ("events", "text/event-stream"),
        ("huge_json 9", "8 MB"),
    ],
)
def test_what_is_no_answer_breaks_the_contract(place: Open, prompt: str, says: str) -> None:
    (said,) = run(place, prompt)
    assert said.ending == "answered"
    assert said.payload["schema"] == "webretrieval.unreadable/1"
    assert says in said.payload["message"]


@pytest.mark.parametrize(
    ("prompt", "kind", "says"),
    [
        (
            "fails",
            "500",
            "POST http://localhost:3000/answer was answered with 500: <html><title>500</title>Trace",
        ),
        ("moves", "307", "was answered with 307 to /answer/; name the URL at which it answers"),
        (
            "hang_up",
            "ConnectionError",
            "the server broke off without an answer (RemoteDisconnected) and goes on",
        ),
    ],
)
def test_a_refusal_is_told_and_the_server_goes_on(place: Open, prompt: str, kind: str, says: str) -> None:
    before, said, after = run(place, "number", prompt, "number")
    assert (said.ending, said.error_type) == ("raised", kind)
    assert says in str(said.error)
    assert after.payload == before.payload


@pytest.mark.parametrize(
    ("prompt", "kind", "says"),
    [
        ("exit 3", "exit:3", "the server exited with 3 while it was asked\nit printed:\n"),
        ("kill_itself", "signal:9", "the server was ended by SIGKILL while it was asked\n"),
    ],
)
def test_a_crash_ends_the_run_and_the_next_has_a_new_server(
    place: Open, prompt: str, kind: str, says: str
) -> None:
    first, died, after = run(place, "count", prompt, "count")
    assert first.payload == "1"
    assert (died.ending, died.error_type, after.ending) == ("died", kind, "not-asked")
    assert str(died.error).startswith(says)
    assert "no way out of here" in str(died.error) or prompt != "exit 3"


def test_a_crash_between_two_steps_is_told_and_mended(place: Open) -> None:
    answered, after = run(place, "exit_after", "count")
    assert answered.payload == "gone soon"
    # Whether it had ended by then or while it was asked is the machine's affair.
    assert (after.ending, after.payload) == ("answered", "1") or after.error_type == "exit:4"
    assert after.ending != "answered" or "the server exited with 4 since it was last asked" in after.stderr


def test_one_process_serves_run_after_run_and_remembers(place: Open) -> None:
    async def runs() -> None:
        async with place(spec()) as here:
            await here.slot.ready()
            numbers = []
            for expected in (2, 4, 6):
                numbers.append((await here.ask("number")).payload)
                assert (await here.ask("count")).payload == str(expected)
                end = await here.slot.end()
                assert (end.survivors, end.error) == (0, None)
                assert end.stdout.endswith("asked: number\nasked: count\n")
            assert len(set(numbers)) == 1

    asyncio.run(runs())


def test_a_hang_is_ended_at_the_deadline_and_the_next_run_has_a_new_server(place: Open) -> None:
    began = time.monotonic()
    first, hung, after = run(place, "count", "hang", "count", deadline_s=0.5)
    assert (first.payload, hung.ending, hung.error_type, after.ending) == (
        "1",
        "timeout",
        "timeout",
        "not-asked",
    )
    assert time.monotonic() - began < 15


def test_what_it_sends_after_its_answer_is_waited_for(place: Open) -> None:
    async def steps() -> float:
        async with place(spec()) as here:
            await here.slot.ready()
            assert (await here.ask("late late.example")).payload == "answered"
            began = time.monotonic()
            await here.slot.end()
            took = time.monotonic() - began
            assert [line for line in here.web.seen if line.startswith("GET late.example")]
            return took

    assert SERVER_GRACE_S <= asyncio.run(steps()) < SERVER_GRACE_S + 1


def test_slots_have_servers_of_their_own_at_one_port(place: Open) -> None:
    async def steps() -> list[Testimony]:
        async with place(spec()) as here:
            more = await here.carrier.open_slot("two")
            await asyncio.gather(here.slot.ready(), more.ready())
            return list(await asyncio.gather(*(slot.ask(task("count"), 20) for slot in (here.slot, more))))

    assert [said.payload for said in asyncio.run(steps())] == ["1", "1"]


@pytest.mark.parametrize("start", ["slowly", "forks"])
def test_it_may_take_its_time_and_be_wrapped(place: Open, start: str) -> None:
    (said,) = run(place, "count", system=spec(start))
    assert said.payload == "1"


def test_a_port_of_the_slots_choice(place: Open) -> None:
    first, port = run(place, "count", "environment PORT", system=spec(port="{port}"))
    assert first.payload == "1"
    assert port.payload.isdecimal()


def unusable(place: Open, system: str) -> str:
    async def steps() -> None:
        async with place(system) as here:
            await here.slot.ready()

    with pytest.raises(SystemUnusable) as caught:
        asyncio.run(steps())
    return str(caught.value)


def test_a_server_that_dies_before_it_listens(place: Open) -> None:
    first, told, *printed = unusable(place, spec("dies")).splitlines()
    assert first == (
        f"system `{spec('dies')}`: the command exited with 1 before anything listened at "
        "http://localhost:3000/answer"
    )
    assert told == "it printed:"
    assert sorted(printed) == ["no key for the model", "starting"]  # by two pipes


def test_a_server_that_never_listens(
    place: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # The limit of a slot's server is a minute, so the way in is tried outside one.
    monkeypatch.setattr(server, "START_S", 0.5)
    script = "import time; print('up', flush=True); time.sleep(600)"
    way = f"serve: {sys.executable} -c {shlex.quote(script)} @ http://127.0.0.1:{{port}}/"
    system = load(way, folder=tmp_path)
    with pytest.raises(
        server.NotServing, match=r"nothing listened at .* within 0.5 s of its start\nit printed:\nup"
    ):
        system.start()
    assert capfd.readouterr().out == "up\n"


def test_a_port_that_is_taken(place: Open, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        way = f"serve: {sys.executable} -c pass @ http://127.0.0.1:{other.getsockname()[1]}/"
        with pytest.raises(
            server.NotServing, match=r"something else listens at .*; .* write \{port\} in the command"
        ):
            load(way, folder=tmp_path).start()


def test_a_server_in_node_reaches_the_web(place: Open) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")

    async def steps() -> list[Testimony]:
        async with place("serve: node server.mjs 8080 @ http://localhost:8080") as here:
            await here.slot.ready()
            return [await here.ask("shout"), await here.ask("https://acme.example/")]

    said = [step.payload["answer"] for step in asyncio.run(steps())]
    assert said == ["SHOUT", "this is acme.example"]

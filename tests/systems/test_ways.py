"""Ways in: what a spec names, how it is loaded, and what is said when it cannot be used."""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_webretrieval.systems import claims, ways
from pytest_webretrieval.systems.command import CommandFailed
from pytest_webretrieval.systems.contract import ContractError, Task
from pytest_webretrieval.systems.system import load

TASK = Task(task_id="t1", query="How much?", prompt="How much is it?\n")
_numbers = itertools.count()

Module = Callable[[str], str]


@pytest.fixture
def module(tmp_path: Path) -> Iterator[Module]:
    """Writes a module under a name of its own into ``tmp_path`` and gives that name."""
    written: list[str] = []
    path = list(sys.path)

    def write(source: str) -> str:
        name = f"sut_{next(_numbers)}"
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8", newline="\n")
        written.append(name)
        return name

    yield write
    sys.path[:] = path
    for name in written:
        sys.modules.pop(name, None)


def ask(spec: str, folder: Path, times: int = 1) -> list[object]:
    system = load(spec, folder=folder)
    system.start()
    try:
        return [system.ask(TASK) for _ in range(times)]
    finally:
        system.close()


def refused(spec: str, folder: Path) -> str:
    with pytest.raises(ways.SystemUnusable) as caught:
        load(spec, folder=folder)
    return str(caught.value)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("", "expected `module:name`"),
        ("my_agent.answer", "did you mean `my_agent:answer`?"),
        ("my_agent.py:answer", "did you mean `my_agent:answer`?"),
        ("src/my_agent.py", "did you mean `src.my_agent:answer`?"),
        ("python agent.py", "did you mean `cmd: python agent.py`?"),
        ("my agent:answer", "expected"),
        ("cmd:", "the command is empty"),
        ("cmd: echo 'open", "no closing quotation"),
        ("serve: npm start", "` @ URL` is missing"),
        ("serve:  @ http://localhost:3000/", "the command is empty"),
        ("serve: npm 'start @ http://localhost:3000/", "no closing quotation"),
        (
            "serve: npm start @ http://agent.example:3000/",
            "is not in the slot; expected http:// and localhost",
        ),
        ("serve: npm start @ https://localhost:3000/", "is not in the slot"),
        ("serve: npm start @ localhost:3000/", "is not in the slot"),
        ("serve: npm start @ http://localhost/", "names no port; name one that the server listens on"),
        ("serve: npm start @ http://localhost:443/", "names port 443; name one"),
        ("serve: npm start @ http://localhost:99999/", "is no URL: port out of range"),
        ("https://agent.example/answer", "live lane only"),
        ("https:///answer", "is no URL at which a system can be asked"),
    ],
)
def test_a_spec_that_names_no_way_says_what_was_expected(spec: str, says: str) -> None:
    with pytest.raises(ways.SystemUnusable) as caught:
        ways.local_only(spec)
    assert says in str(caught.value)
    assert f"`{spec}`" in str(caught.value)


def test_a_system_elsewhere_is_a_url() -> None:
    way = ways.parse("https://agent.example/answer")
    assert way == ways.RemoteWay(spec="https://agent.example/answer", url="https://agent.example/answer")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://KEY@agent.example/answer", "`https://agent.example/answer`: has a user"),
        ("https://me:KEY@agent.example:8443/", "`https://agent.example:8443/`: has a user"),
        ("https://agent.example/answer?token=KEY", "`https://agent.example/answer`: has a user, a query"),
        ("https://agent.example/answer#KEY", "`https://agent.example/answer`: has a user, a query"),
        ("https://me:KEY@/answer", "`https:///answer`: is no URL at which a system can be asked"),
        ("https://[KEY/answer?KEY", "its URL (not shown) cannot be read"),
    ],
)
def test_no_secret_goes_in_by_the_url_of_a_system_and_none_is_shown(url: str, shown: str) -> None:
    key = "s3cr3t-tok-0099887766"
    with pytest.raises(ways.SystemUnusable) as caught:
        ways.parse(url.replace("KEY", key))
    assert shown in str(caught.value)
    assert key not in str(caught.value)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_a_server_is_a_command_and_a_url(host: str) -> None:
    way = ways.parse(f"serve: sh -c 'a @ b' @ http://{host}:3000/answer?x=1 ")
    assert isinstance(way, ways.ServeWay)
    assert (way.words, way.url, way.has_own_port) == (
        ("sh", "-c", "a @ b"),
        f"http://{host}:3000/answer?x=1",
        False,
    )


@pytest.mark.parametrize(
    ("spec", "lives"), [("serve: a @ http://localhost:{port}/", True), ("cmd: a", False), ("a:b", False)]
)
def test_a_servers_process_is_its_slots(spec: str, lives: bool) -> None:
    assert ways.lives_on(spec) is lives


def test_a_servers_command_is_looked_up(tmp_path: Path) -> None:
    assert "no command `no-such-thing` on PATH" in refused(
        "serve: no-such-thing @ http://localhost:3000/", tmp_path
    )


def test_parsing_imports_nothing() -> None:
    way = ways.parse("no_such_module.at_all:System.answer")
    assert way == ways.PythonWay(
        spec="no_such_module.at_all:System.answer", module="no_such_module.at_all", attribute="System.answer"
    )


@pytest.mark.parametrize(
    ("source", "attribute"),
    [
        ("def answer(prompt): return prompt.upper()", "answer"),
        ("async def answer(prompt): return prompt.upper()", "answer"),
        ("def answer(prompt, *, model='m', tries=3): return prompt.upper()", "answer"),
        ("def answer(prompt='x'): return prompt.upper()", "answer"),
        ("class A:\n    def __call__(self, prompt): return prompt.upper()\na = A()", "a"),
        ("class A:\n    async def run(self, prompt): return prompt.upper()\na = A()", "a.run"),
        ("class A:\n    def __call__(self, prompt): return prompt.upper()", "A"),
        ("import functools\nf = functools.partial(lambda a, b: b.upper(), 1)", "f"),
        ("def make():\n    return lambda prompt: prompt.upper()", "make"),
    ],
)
def test_a_callable_gets_the_prompt(module: Module, tmp_path: Path, source: str, attribute: str) -> None:
    assert ask(f"{module(source)}:{attribute}", tmp_path) == ["HOW MUCH IS IT?\n"]


@pytest.mark.parametrize("attribute", ["System", "system", "make", "make_async"])
@pytest.mark.parametrize("a", ["", "async "])
def test_an_object_gets_the_task_and_is_started_and_closed(
    module: Module, tmp_path: Path, attribute: str, a: str
) -> None:
    name = module(
        "log = []\n"
        "class System:\n"
        f"    {a}def start(self): log.append('start')\n"
        f"    {a}def retrieve(self, task): return {{'answer': task.query}}\n"
        f"    {a}def close(self): log.append('close')\n"
        "system = System()\n"
        "def make(): return System()\n"
        "async def make_async(): return System()\n"
    )
    assert ask(f"{name}:{attribute}", tmp_path) == [{"answer": "How much?"}]
    assert sys.modules[name].log == ["start", "close"]


def test_a_class_is_made_in_start_and_not_at_import(module: Module, tmp_path: Path) -> None:
    name = module(
        "made = []\nclass System:\n"
        "    capabilities = {'browser'}\n"
        "    def __init__(self): made.append(1)\n"
        "    def retrieve(self, task): return 'x'\n"
    )
    system = load(f"{name}:System", folder=tmp_path)
    assert system.capabilities == frozenset({"browser"})
    assert sys.modules[name].made == []
    system.start()
    assert sys.modules[name].made == [1]
    system.close()


def test_one_event_loop_serves_the_whole_run(module: Module, tmp_path: Path) -> None:
    name = module(
        "import asyncio\n"
        "class System:\n"
        "    async def start(self): self.loop = asyncio.get_running_loop()\n"
        "    async def retrieve(self, task):\n"
        "        return str(asyncio.get_running_loop() is self.loop)\n"
        "    async def close(self): assert asyncio.get_running_loop() is self.loop\n"
    )
    assert ask(f"{name}:System", tmp_path, times=3) == ["True", "True", "True"]


def test_a_sync_system_may_run_loops_of_its_own(module: Module, tmp_path: Path) -> None:
    name = module(
        "import asyncio\nasync def work(prompt): return 'ok'\n"
        "def answer(prompt): return asyncio.run(work(prompt))\n"
    )
    assert ask(f"{name}:answer", tmp_path, times=2) == ["ok", "ok"]


@pytest.mark.parametrize("a", ["", "async "])
@pytest.mark.parametrize("error", ["ValueError('x')", "SystemExit(3)", "BaseException('x')"])
def test_what_user_code_raises_propagates(module: Module, tmp_path: Path, a: str, error: str) -> None:
    name = module(f"{a}def answer(prompt): raise {error}\n")
    with pytest.raises(BaseException) as caught:  # noqa: PT011
        ask(f"{name}:answer", tmp_path)
    assert repr(caught.value) == repr(eval(error))


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("None", "returned nothing"),
        ("object()", "type object"),
        ("(c for c in 'x')", "whole answer"),
        ("{1}.pop", ""),
    ],
)
def test_what_is_no_answer_breaks_the_contract_where_it_is_read(
    module: Module, tmp_path: Path, value: str, says: str
) -> None:
    [payload] = ask(f"{module(f'def answer(prompt): return {value}')}:answer", tmp_path)
    with pytest.raises(ContractError) as caught:
        claims.read(payload)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("source", "attribute", "says"),
    [
        ("def answer(prompt): ...", "answr", "has no attribute `answr`; did you mean `answer`?"),
        ("class A: ...\na = A()", "a.run", "object `{name}.a` has no attribute `run`"),
        ("answer = 42", "answer", "an object of type `int` is not callable"),
        ("class A:\n    def run(self, q): ...\na = A()", "a", "no `retrieve(task)`; it has `run`"),
        ("def answer(a, b): ...", "answer", "`answer(a, b)` cannot be called with one argument (the prompt)"),
        ("def answer(a, *, key): ...", "answer", "cannot be called with one argument"),
        (
            "class A:\n    def retrieve(self): ...\na = A()",
            "a",
            "`retrieve()` cannot be called with one argument",
        ),
        (
            "class A:\n    def __init__(self, key): ...\n    def retrieve(self, t): ...",
            "A",
            "without arguments",
        ),
        (
            "class A:\n    def retrive(self, t): ...",
            "A",
            "has no method `retrieve(task)`; did you mean `retrive`?",
        ),
    ],
)
def test_what_cannot_be_a_system_is_refused(
    module: Module, tmp_path: Path, source: str, attribute: str, says: str
) -> None:
    name = module(source)
    message = refused(f"{name}:{attribute}", tmp_path)
    assert says.format(name=name) in message
    assert "\n" not in message


def test_a_module_that_is_not_there_is_named(module: Module, tmp_path: Path) -> None:
    name = module("")
    message = refused(f"{name}x:answer", tmp_path)
    assert f"there is no module `{name}x`" in message
    assert f"did you mean `{name}`?" in message


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("raise RuntimeError('no key')", "RuntimeError: no key"),
        ("import no_such_package_at_all", "No module named 'no_such_package_at_all'"),
        ("raise SystemExit(2)", "SystemExit: 2"),
        ("def broken(:", "SyntaxError"),
    ],
)
def test_an_import_that_raises_names_the_line_in_the_users_file(
    module: Module, tmp_path: Path, line: str, says: str
) -> None:
    name = module(f"import json\n\n{line}\n")
    message = refused(f"{name}:answer", tmp_path)
    assert f"{name}.py:3: " in message.splitlines()[0]
    assert says in message.splitlines()[0]


def test_the_folder_comes_first_on_the_path(module: Module, tmp_path: Path) -> None:
    (tmp_path / "helpers_of_sut").mkdir()
    (tmp_path / "helpers_of_sut" / "__init__.py").write_text("WORD = 'found'\n", encoding="utf-8")
    name = module("def answer(prompt):\n    from helpers_of_sut import WORD\n    return WORD\n")
    assert ask(f"{name}:answer", tmp_path) == ["found"]
    sys.modules.pop("helpers_of_sut")


def script(folder: Path, source: str) -> str:
    (folder / "agent.py").write_text(source, encoding="utf-8", newline="\n")
    return f"cmd: {sys.executable} agent.py"


def test_a_command_gets_the_prompt_as_one_word_whatever_it_holds(tmp_path: Path) -> None:
    spec = script(tmp_path, "import sys; print(ascii(sys.argv[1:]))") + " --ask={prompt} {prompt}"
    task = Task(task_id="t", query="q", prompt='it\'s; $(touch x) "quoted" {prompt}\nnext')
    system = load(spec, folder=tmp_path)
    assert system.ask(task) == ascii([f"--ask={task.prompt}", task.prompt])
    assert not (tmp_path / "x").exists()


def test_a_command_without_a_place_for_the_prompt_gets_the_task_as_json(tmp_path: Path) -> None:
    spec = script(tmp_path, "import json, sys; print(json.load(sys.stdin)['query'])")
    assert ask(spec, tmp_path) == ["How much?"]


def test_a_command_may_write_a_result(tmp_path: Path) -> None:
    spec = script(
        tmp_path, """print('{"schema": "webretrieval.result/2", "status": "answered", "answer": "x"}')"""
    )
    assert ask(spec, tmp_path) == [{"schema": "webretrieval.result/2", "status": "answered", "answer": "x"}]


@pytest.mark.parametrize("text", ['{"a": 1}', "{not json", "[1]", "", '{"status": '])
def test_what_is_not_a_result_is_text(tmp_path: Path, text: str) -> None:
    assert ask(script(tmp_path, f"print({text!r})"), tmp_path) == [text.strip()]


def test_a_command_that_does_not_read_its_input_is_no_error(tmp_path: Path) -> None:
    spec = script(tmp_path, "import os; os.close(0); print('x')")
    task = Task(task_id="t", query="q" * 1_000_000, prompt="p")
    assert load(spec, folder=tmp_path).ask(task) == "x"


@pytest.mark.parametrize(
    ("end", "error_type"),
    [("sys.exit(3)", "exit:3"), ("os.kill(os.getpid(), 9)", "signal:9")],
)
def test_a_command_that_fails_raises_with_the_end_of_its_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str, error_type: str
) -> None:
    spec = script(tmp_path, f"import os, sys; print('why', file=sys.stderr, flush=True); {end}")
    with pytest.raises(CommandFailed) as caught:
        ask(spec, tmp_path)
    assert caught.value.error_type == error_type
    assert str(caught.value).endswith("\nwhy")
    assert "why" in capsys.readouterr().err


def test_output_without_end_is_bounded(tmp_path: Path) -> None:
    [text] = ask(script(tmp_path, "import sys; sys.stdout.write('x' * 20_000_000)"), tmp_path)
    assert text == "x" * (8 * 1024 * 1024)
    [cut] = ask(script(tmp_path, "import sys; sys.stdout.write('{' + ' ' * 20_000_000 + '}')"), tmp_path)
    with pytest.raises(ContractError, match="8 MB"):
        claims.read(cut)


def test_a_child_that_outlives_the_command_does_not_hold_the_answer(tmp_path: Path) -> None:
    spec = script(
        tmp_path,
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('pid', 'w').write(str(child.pid))\n"
        "print('done')\n",
    )
    try:
        assert ask(spec, tmp_path) == ["done"]
    finally:
        os.kill(int((tmp_path / "pid").read_text(encoding="utf-8")), signal.SIGKILL)


def test_a_command_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "no command `no-such-command`" in refused("cmd: no-such-command {prompt}", tmp_path)
    assert "not an executable file" in refused("cmd: ./agent.sh {prompt}", tmp_path)

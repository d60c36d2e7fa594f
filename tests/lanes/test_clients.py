"""Unmodified clients in a slot: public names, real TLS, no option that says where they are."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webretrieval.cases.draw import address

START = address(0, "fixture://harbour/notices/pontoon-dues")
FACT = "12 March 2026"


@pytest.fixture(scope="module", autouse=True)
def _namespaces() -> None:
    made = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--net", "true"], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("this machine makes no namespaces: webretrieval doctor says why")


def net(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command by ``webretrieval net``; its own output, and the wire on standard error."""
    return subprocess.run(
        [sys.executable, "-m", "pytest_webretrieval.cli", "net", "--", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=60,
    )


PYTHON_CLIENTS = {
    "httpx": "import httpx; print(httpx.get(URL).text)",
    "httpx without environment": "import httpx; print(httpx.Client(trust_env=False).get(URL).text)",
    "httpx2": "import httpx2; print(httpx2.get(URL).text)",
    "requests": "import requests; print(requests.get(URL).text)",
    "urllib": "import urllib.request; print(urllib.request.urlopen(URL).read().decode())",
    "aiohttp": (
        "import asyncio, aiohttp\n"
        "async def main():\n"
        "    async with aiohttp.ClientSession() as session, session.get(URL) as response:\n"
        "        print(await response.text())\n"
        "asyncio.run(main())"
    ),
    "a context pinned to certifi": (
        "import certifi, ssl, httpx\n"
        "print(httpx.Client(verify=ssl.create_default_context(cafile=certifi.where())).get(URL).text)"
    ),
    "an SSRF guard": (
        "import httpx, ipaddress, socket, urllib.parse\n"
        "host = urllib.parse.urlsplit(URL).hostname\n"
        "found = {info[4][0] for info in socket.getaddrinfo(host, 443)}\n"
        "assert found and all(ipaddress.ip_address(one).is_global for one in found), found\n"
        "print(httpx.get(URL).text)"
    ),
}


@pytest.mark.parametrize("client", PYTHON_CLIENTS)
def test_a_python_client_reads_the_page(client: str, tmp_path: Path) -> None:
    done = net(sys.executable, "-c", f"URL = {START!r}\n{PYTHON_CLIENTS[client]}", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert FACT in done.stdout
    assert "200" in done.stderr
    assert "document, direct-fetch" in done.stderr


COMMANDS = {
    "curl": ("curl", "-sS", START),
    "curl with an empty environment": ("env", "-i", shutil.which("curl") or "curl", "-sS", START),
    "wget": ("wget", "-q", "-O", "-", START),
    "Node's fetch": ("node", "-e", f"fetch('{START}').then(r => r.text()).then(t => console.log(t))"),
}


@pytest.mark.parametrize("client", COMMANDS)
def test_a_command_reads_the_page(client: str, tmp_path: Path) -> None:
    command = COMMANDS[client]
    tool = "curl" if command[0] == "env" else command[0]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not on this machine")
    done = net(*command, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert FACT in done.stdout


def test_the_tavily_sdk_searches(tmp_path: Path) -> None:
    code = (
        "from tavily import TavilyClient\n"
        "found = TavilyClient().search('visitor pontoon dues', max_results=3)\n"
        "print([result['url'] for result in found['results']])"
    )
    done = net(sys.executable, "-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert ".example/" in done.stdout
    assert "api.tavily.com/search  200" in done.stderr
    assert "api, search-api" in done.stderr


def test_the_openai_sdk_meets_the_scripted_model(tmp_path: Path) -> None:
    code = (
        "import openai\n"
        "chat = openai.OpenAI(max_retries=0).chat.completions\n"
        "tool = {'type': 'function', 'function': {'name': 'web_search', 'parameters': {'type': 'object',\n"
        "        'properties': {'query': {'type': 'string'}}, 'required': ['query']}}}\n"
        "asked = [{'role': 'user', 'content': 'Find the visitor pontoon dues'}]\n"
        "call = chat.create(model='m', messages=asked, tools=[tool]).choices[0].message.tool_calls[0]\n"
        "print(call.function.name, call.function.arguments)\n"
    )
    done = net(sys.executable, "-c", code, folder=tmp_path)
    assert done.stdout == 'web_search {"query": "visitor pontoon dues"}\n', done.stderr
    assert "model, model" in done.stderr


def test_a_name_outside_the_world_does_not_exist_and_is_named(tmp_path: Path) -> None:
    done = net("curl", "-sS", "https://outside.invalid/", folder=tmp_path)
    assert done.returncode == 6
    assert "wire DNS   outside.invalid" in done.stderr


def test_the_commands_own_exit_code_is_passed_on(tmp_path: Path) -> None:
    assert net("sh", "-c", "exit 7", folder=tmp_path).returncode == 7
    assert net("sh", "-c", "kill -TERM $$", folder=tmp_path).returncode == 128 + 15


def test_a_call_without_a_command_says_what_was_expected(tmp_path: Path) -> None:
    done = net(folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "webretrieval: net: no command; expected `webretrieval net -- COMMAND …`\n"

"""The world as an MCP server, spoken to by the official client and by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fixture_server.dialects import mcp
from fixture_server.message import Asked
from fixture_server.roles import channel_of, role_of

URL = "https://mcp.websearch.example/mcp"
CURRENT, GONE = "https://www.vendor.example/notes/current", "https://www.vendor.example/notes/gone"
_META = "io.modelcontextprotocol/"
CLIENT = {"name": "tests", "version": "1"}
MODERN = {"mcp_protocol_version": "2026-07-28"}


def rpc(method: str, params: dict[str, Any] | None = None, number: int = 1) -> dict[str, Any]:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def modern(method: str, **params: Any) -> dict[str, Any]:
    """A request of the revision without a handshake."""
    meta = {f"{_META}protocolVersion": "2026-07-28", f"{_META}clientCapabilities": {}}
    return rpc(method, {**params, "_meta": meta})


def call(api: Any, name: str, **arguments: object) -> tuple[Any, Any]:
    """The answer to a tool's call, and the result."""
    given = rpc("tools/call", {"name": name, "arguments": arguments})
    answer, content = api.ask(mcp, "POST", URL, given)
    return answer, content["result"]


def test_the_handshake_settles_on_a_version(api: Any) -> None:
    for wanted, settled in (
        ("2024-11-05", "2024-11-05"),
        ("2025-11-25", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ):
        given = rpc("initialize", {"protocolVersion": wanted, "capabilities": {}, "clientInfo": CLIENT})
        answer, content = api.ask(mcp, "POST", URL, given)
        assert answer.header("mcp-session-id") is None
        assert content["id"] == 1
        assert content["result"]["protocolVersion"] == settled
        assert content["result"]["serverInfo"]["name"] == "websearch"
    answer, body = api.ask(mcp, "POST", URL, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (answer.status, body) == (202, "")
    assert api.ask(mcp, "POST", URL, rpc("ping"))[1]["result"] == {}


def test_there_is_no_stream_and_no_session(api: Any) -> None:
    for method in ("GET", "DELETE"):
        answer, _ = api.ask(mcp, method, URL)
        assert (answer.status, answer.header("allow")) == (405, "POST")
    assert api.ask(mcp, "POST", f"{URL}/other", rpc("ping"))[0].status == 404
    assert api.ask(mcp, "POST", URL, rpc("ping"), accept="text/html")[0].status == 406


def test_events_for_whoever_wants_nothing_else(api: Any) -> None:
    answer, body = api.ask(mcp, "POST", URL, rpc("ping"), accept="text/event-stream")
    assert answer.header("content-type") == "text/event-stream"
    assert body.startswith("event: message\ndata: {")
    assert json.loads(body.partition("data: ")[2])["result"] == {}
    both = api.ask(mcp, "POST", URL, rpc("ping"), accept="application/json, text/event-stream")[0]
    assert both.header("content-type").startswith("application/json")


def test_a_search_gives_the_same_as_text_and_as_an_object(api: Any) -> None:
    answer, result = call(api, "search", query="version v3.2 August", max_results=1)
    assert not result["isError"]
    (found,) = result["structuredContent"]["results"]
    assert (found["url"], found["published"]) == (CURRENT, "2026-08-21")
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert answer.deliveries == ()
    assert [one.title for one in mcp.read(answer.body, "/mcp")] == ["Release notes"]


def test_a_fetch_gives_markdown_and_is_a_representation(api: Any) -> None:
    answer, result = call(api, "fetch", url=CURRENT)
    (block,) = result["content"]
    assert "| Small | 19.90 EUR |" in block["text"]
    (told,) = answer.deliveries
    assert (told.url, told.channel, told.status) == (CURRENT, "extract-api", 200)
    assert told.body.decode() == block["text"]


def test_a_fetch_tells_where_a_page_moved_to(api: Any) -> None:
    moved = "https://www.vendor.example/notes/moved"
    answer, result = call(api, "fetch", url=moved)
    assert result["content"][0]["text"].startswith(f"Final URL: {CURRENT}\n\n")
    assert [told.url for told in answer.deliveries] == [moved, CURRENT]
    assert answer.deliveries[0].body == answer.deliveries[1].body


def test_a_file_without_text_is_delivered_as_what_it_is(api: Any) -> None:
    answer, result = call(api, "fetch", url="https://www.vendor.example/notes/tones.bin")
    assert "is application/octet-stream, which has no text to read" in result["content"][0]["text"]
    (told,) = answer.deliveries
    assert (told.media_type, told.body, told.status) == ("application/octet-stream", b"", 200)


@pytest.mark.parametrize(
    ("url", "said", "status"),
    [
        (GONE, "answered 404 Not Found", 404),
        ("https://www.vendor.example/notes/barred", "answered 403 Forbidden", 403),
        ("https://www.vendor.example/notes/broken", "could not be reached", None),
        ("https://nobody.example/", "could not be reached", None),
    ],
)
def test_a_page_that_fails_is_a_result_that_says_so(
    api: Any, url: str, said: str, status: int | None
) -> None:
    answer, result = call(api, "fetch", url=url)
    assert result["isError"]
    assert said in result["content"][0]["text"]
    assert [told.status for told in answer.deliveries] == ([] if status is None else [status])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("search", {}), ("search", {"query": "x", "max_results": 21}), ("fetch", {"url": ""})],
)
def test_what_a_tool_does_not_take_is_told_to_the_model(
    api: Any, name: str, arguments: dict[str, Any]
) -> None:
    _, result = call(api, name, **arguments)
    assert result["isError"]


@pytest.mark.parametrize(
    ("given", "headers", "status", "code"),
    [
        (["not", "one"], {}, 400, -32700),
        ({"id": 1, "method": "ping"}, {}, 400, -32600),
        (rpc("nothing"), {}, 200, -32601),
        (rpc("tools/call", {"name": "nothing"}), {}, 200, -32602),
        (rpc("ping"), {"mcp_protocol_version": "1999-01-01"}, 400, -32022),
        (rpc("tools/list"), MODERN, 400, -32602),
        (modern("tools/list"), MODERN, 400, -32020),
        (modern("tools/call", name="search"), MODERN | {"mcp_method": "tools/call"}, 400, -32020),
        (modern("ping"), MODERN | {"mcp_method": "ping"}, 404, -32601),
        (modern("initialize"), MODERN | {"mcp_method": "initialize"}, 404, -32601),
    ],
)
def test_errors_of_the_protocol(
    api: Any, given: object, headers: dict[str, str], status: int, code: int
) -> None:
    answer, content = api.ask(mcp, "POST", URL, given, **headers)
    assert (answer.status, content["error"]["code"]) == (status, code)


def test_since_2026_a_request_stands_for_itself(api: Any) -> None:
    _, content = api.ask(mcp, "POST", URL, modern("server/discover"), **MODERN, mcp_method="server/discover")
    assert "2026-07-28" in content["result"]["supportedVersions"]
    assert content["result"]["resultType"] == "complete"
    given = modern("tools/call", name="search", arguments={"query": "rain"})
    headers = MODERN | {"mcp_method": "tools/call", "mcp_name": "search"}
    _, content = api.ask(mcp, "POST", URL, given, **headers)
    assert content["result"]["structuredContent"]["results"][0]["title"] == "Rain notes"
    assert content["result"]["_meta"][f"{_META}serverInfo"]["name"] == "websearch"


@pytest.mark.parametrize(
    ("method", "given", "role", "channel"),
    [
        ("POST", rpc("initialize"), "background", "direct-fetch"),
        ("POST", rpc("tools/list"), "background", "direct-fetch"),
        ("POST", rpc("tools/call", {"name": "search"}), "api", "search-api"),
        ("POST", rpc("tools/call", {"name": "fetch"}), "api", "extract-api"),
        ("POST", rpc("tools/call", {"name": "nothing"}), "api", "direct-fetch"),
        ("GET", None, "background", "direct-fetch"),
        ("DELETE", None, "background", "direct-fetch"),
    ],
)
def test_only_calls_of_tools_count(method: str, given: object, role: str, channel: str) -> None:
    body = b"" if given is None else json.dumps(given).encode()
    asked = Asked(method=method, scheme="https", host="mcp.websearch.example", target="/mcp", body=body)
    assert (role_of(asked), channel_of(asked)) == (role, channel)


@pytest.mark.asyncio(loop_scope="module")
async def test_the_official_client_in_a_slot(inside: Any) -> None:
    done = await inside.run(f"""
        from mcp import Client
        async def talk(mode):
            async with Client(os.environ["WEBRETRIEVAL_MCP_URL"], mode=mode) as client:
                tools = (await client.list_tools()).tools
                found = await client.call_tool("search", {{"query": "version v3.2 August", "max_results": 1}})
                page = await client.call_tool("fetch", {{"url": "{CURRENT}"}})
                gone = await client.call_tool("fetch", {{"url": "{GONE}"}})
                return [
                    [tool.name for tool in tools], found.structured_content["results"][0]["url"],
                    "19.90" in page.content[0].text, gone.is_error, client.protocol_version,
                ]
        tell(asyncio.run(talk("legacy")))
        tell(asyncio.run(talk("auto")))
    """)
    told = [["search", "fetch"], CURRENT, True, True]
    assert done.told == [[*told, "2025-11-25"], [*told, "2026-07-28"]]
    counted = [(one.role, one.channel) for one in done.trace.attempts if one.role != "background"]
    assert counted == 2 * [("api", "search-api"), ("api", "extract-api"), ("api", "extract-api")]
    assert {one.channel for one in done.trace.attempts if one.role == "background"} == {"direct-fetch"}
    given = {(one.url, one.channel, one.status) for one in done.archive.representations}
    assert given == {(CURRENT, "extract-api", 200), (GONE, "extract-api", 404)}
    assert done.trace.egress == ()

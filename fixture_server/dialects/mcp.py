"""The world as an MCP server over Streamable HTTP: https://mcp.websearch.example/mcp.

It keeps no sessions, so that a request is answered for itself: after the handshake of the revisions up to 2025-11-25,
and without one since 2026-07-28, whose requests each bring their own version.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage

from . import mcp_tools
from .mcp_tools import TOOLS
from .reply import json_answer
from .shape import Delivered

HOSTS = ("mcp.websearch.example",)
PATH = "/mcp"
_OFFER = {"url": f"https://{HOSTS[0]}{PATH}"}
OFFERS = {"search-api": _OFFER, "extract-api": _OFFER}

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = ("2026-07-28",)
SERVER = {"name": "websearch", "title": "Web search", "version": "1.0.0"}
INSTRUCTIONS = "Search the web with `search`, and read what it finds with `fetch`."
_META = "io.modelcontextprotocol/"
_CACHE = {"ttlMs": 60_000, "cacheScope": "public"}

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022
_JSON, _EVENTS = "application/json", "text/event-stream"


class Wrong(Exception):
    """A request that the protocol forbids: a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code, self.data = code, data


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One JSON-RPC request, and whether it is of a revision without a handshake."""

    id: Any
    method: str
    params: Mapping[str, Any]
    modern: bool


def role(asked: Asked) -> str:
    """``api`` for a call of a tool. What a client's library does for itself (handshake, list of tools, ping, goodbye)
    is ``background``: no system should spend its budget on it, and a goodbye after the answer is not late."""
    return "api" if asked.path != PATH or _tool(asked) is not None else "background"


def channel(asked: Asked) -> str:
    """The called tool's channel. A handshake is no search, and must not stand for one."""
    tool = TOOLS.get(_tool(asked) or "")
    return "direct-fetch" if tool is None else tool.channel


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST`` alone: there is no stream to listen to, and no session to end."""
    if asked.path != PATH:
        return json_answer(404, {"error": f"the server is at {PATH}"})
    if asked.method != "POST":
        return Answer(status=405, headers=(("allow", "POST"),))
    accepts = asked.headers.get("accept", "*/*").lower()
    if not any(kind in accepts for kind in (_JSON, _EVENTS, "*/*", "application/*")):
        return Answer(status=406)
    message = _message(asked)
    if message is not None and "method" in message and "id" not in message:
        return Answer(status=202)
    number = None if message is None else message.get("id")
    deliveries: tuple[Delivery, ...] = ()
    try:
        call = _call(asked, message)
        result, deliveries = _result(call, stage)
        content: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "result": _stamped(result, call)}
        status = 200
    except Wrong as wrong:
        error = {"code": wrong.code, "message": str(wrong)} | ({"data": wrong.data} if wrong.data else {})
        content = {"jsonrpc": "2.0", "id": number, "error": error}
        status = _status(wrong, asked)
    if status != 200 or any(kind in accepts for kind in (_JSON, "*/*", "application/*")):
        return json_answer(status, content, deliveries=deliveries)
    event = f"event: message\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"
    headers = (("content-type", _EVENTS), ("cache-control", "no-cache, no-transform"))
    return Answer(headers=headers, body=event.encode(), deliveries=deliveries)


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer to a search."""
    content = _object(body)
    result = content.get("result") if content is not None else None
    structured = result.get("structuredContent") if isinstance(result, Mapping) else None
    return mcp_tools.read(structured) if isinstance(structured, Mapping) else ()


def _message(asked: Asked) -> dict[str, Any] | None:
    return _object(asked.body)


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _tool(asked: Asked) -> str | None:
    """The tool that a request calls, whether there is such a one or not."""
    message = _message(asked) if asked.method == "POST" else None
    if message is None or message.get("method") != "tools/call":
        return None
    params = message.get("params")
    return str(params.get("name")) if isinstance(params, Mapping) else ""


def _call(asked: Asked, message: dict[str, Any] | None) -> Call:
    if message is None:
        raise Wrong(PARSE_ERROR, "The body must be one JSON-RPC object.")
    method, params = message.get("method"), message.get("params", {})
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str) or not isinstance(params, Mapping):
        raise Wrong(INVALID_REQUEST, "The body must be one JSON-RPC 2.0 request or notification.")
    version = asked.headers.get("mcp-protocol-version")
    known = (*HANDSHAKE, *MODERN)
    if version is not None and version not in known:
        data = {"supported": list(known), "requested": version}
        raise Wrong(UNSUPPORTED_VERSION, f"Unsupported protocol version {version}", data)
    call = Call(id=message.get("id"), method=method, params=params, modern=version in MODERN)
    if call.modern:
        _check_envelope(call, asked, version)
    return call


def _check_envelope(call: Call, asked: Asked, version: str | None) -> None:
    """Since 2026-07-28 a request says in ``_meta`` what it speaks, and its headers repeat what it asks for."""
    meta = call.params.get("_meta")
    if not isinstance(meta, Mapping) or not {f"{_META}protocolVersion", f"{_META}clientCapabilities"} <= set(
        meta
    ):
        raise Wrong(
            INVALID_PARAMS, f"params._meta needs {_META}protocolVersion and {_META}clientCapabilities."
        )
    if meta[f"{_META}protocolVersion"] != version:
        raise Wrong(HEADER_MISMATCH, "MCP-Protocol-Version is not what the request itself says.")
    if asked.headers.get("mcp-method") != call.method:
        raise Wrong(HEADER_MISMATCH, "Mcp-Method is not the method of the request.")
    if call.method == "tools/call" and asked.headers.get("mcp-name") != call.params.get("name"):
        raise Wrong(HEADER_MISMATCH, "Mcp-Name is not the tool of the request.")


def _result(call: Call, stage: Stage) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    match call.method:
        case "initialize" if not call.modern:
            return _initialize(call), ()
        case "server/discover" if call.modern:
            told = {"supportedVersions": [*HANDSHAKE, *MODERN], "instructions": INSTRUCTIONS}
            return told | {"capabilities": {"tools": {}}} | _CACHE, ()
        case "ping" if not call.modern:
            return {}, ()
        case "tools/list":
            return {"tools": [tool.listed for tool in TOOLS.values()]} | (_CACHE if call.modern else {}), ()
        case "tools/call":
            return _called(call, stage)
    raise Wrong(METHOD_NOT_FOUND, f"Method not found: {call.method}")


def _initialize(call: Call) -> dict[str, Any]:
    asked_for = call.params.get("protocolVersion")
    return {
        "protocolVersion": asked_for if asked_for in HANDSHAKE else HANDSHAKE[-1],
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": SERVER,
        "instructions": INSTRUCTIONS,
    }


def _called(call: Call, stage: Stage) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    name, arguments = call.params.get("name"), call.params.get("arguments") or {}
    if name not in TOOLS:
        raise Wrong(INVALID_PARAMS, f"Unknown tool: {name}")
    if not isinstance(arguments, Mapping):
        raise Wrong(INVALID_PARAMS, "arguments must be an object.")
    given = mcp_tools.call(str(name), arguments, stage)
    result: dict[str, Any] = {"content": [{"type": "text", "text": given.text}], "isError": given.failed}
    if given.structured is not None:
        result["structuredContent"] = given.structured
    return result, given.deliveries


def _stamped(result: dict[str, Any], call: Call) -> dict[str, Any]:
    if not call.modern:
        return result
    return result | {"resultType": "complete", "_meta": {f"{_META}serverInfo": SERVER}}


def _status(wrong: Wrong, asked: Asked) -> int:
    """An unknown method is the server's 404 since 2026-07-28, and was an answer like any other before."""
    if wrong.code != METHOD_NOT_FOUND:
        return 200 if wrong.code == INVALID_PARAMS and not _is_modern(asked) else 400
    return 404 if _is_modern(asked) else 200


def _is_modern(asked: Asked) -> bool:
    return asked.headers.get("mcp-protocol-version") in MODERN

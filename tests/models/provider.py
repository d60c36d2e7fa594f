"""A model provider on loopback, in a process of its own: plays a model that fetches what it is told to and answers from
what came back, over chat completions, streamed or not."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any

from aiohttp import web

USAGE = {"prompt_tokens": 1200, "completion_tokens": 80, "total_tokens": 1280}
_URL = re.compile(r"https://[^\s\"<>)\]]+")
_DATE = re.compile(r"[Pp]ublished[^0-9]*(\d{1,2} \w+ \d{4})")


async def complete(request: web.Request) -> web.StreamResponse:
    """Counts what comes, and says whose key it was."""
    asked = await request.json()
    app = request.app
    app["keys"].append(request.headers.get("authorization", ""))
    app["count"][0] += 1
    number = app["count"][0]
    message = reply(asked, number, app["keys"][-1])
    if not asked.get("stream"):
        return web.json_response(
            {
                "id": f"chatcmpl-{number:08d}",
                "object": "chat.completion",
                "created": 1_790_000_000 + number,
                "model": asked["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": finish(message)}],
                "usage": USAGE,
            },
            headers={"x-request-id": f"req_{number:08d}", "set-cookie": f"__cf_bm={number:032x}; Path=/"},
        )
    response = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await response.prepare(request)
    usage = (asked.get("stream_options") or {}).get("include_usage")
    for event in events(asked["model"], message, number, usage):
        await response.write(event.encode())
    await response.write_eof()
    return response


def reply(asked: dict[str, Any], number: int, key: str) -> dict[str, Any]:
    """The model: tools first, then an answer from their results."""
    results = [one for one in asked["messages"] if one["role"] == "tool"]
    user = next(one["content"] for one in asked["messages"] if one["role"] == "user")
    if user.startswith("Repeat after me"):
        return {"role": "assistant", "content": f"{user} And your key is {key}."}
    if not results:
        urls = _URL.findall(user)[:1]
        calls = [("fetch_page", {"url": url}) for url in urls]
        if "twice" in user:
            calls *= 2
        return {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": f"call_{number:06d}{place:04d}",
                    "type": "function",
                    "function": {"name": name, "arguments": json.dumps(arguments)},
                }
                for place, (name, arguments) in enumerate(calls)
            ],
        }
    date = _DATE.search(re.sub(r"<[^>]+>", " ", results[0]["content"]))
    url = _URL.findall(user)[0]
    text = f"Published on {date[1]} ([source]({url}))." if date else "I could not find the date."
    return {"role": "assistant", "content": text}


def finish(message: dict[str, Any]) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


def events(model: str, message: dict[str, Any], number: int, usage: bool) -> list[str]:
    """Deltas of a few characters, arguments of tools in pieces."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for place, call in enumerate(message.get("tool_calls", ())):
        function, arguments = call["function"], call["function"]["arguments"]
        first = {"name": function["name"], "arguments": ""}
        deltas.append(
            {"tool_calls": [{"index": place, "id": call["id"], "type": "function", "function": first}]}
        )
        deltas += [
            {"tool_calls": [{"index": place, "function": {"arguments": arguments[at : at + 7]}}]}
            for at in range(0, len(arguments), 7)
        ]
    text = message.get("content") or ""
    deltas += [{"content": text[at : at + 5]} for at in range(0, len(text), 5)]
    head = {"id": f"chatcmpl-{number:08d}", "object": "chat.completion.chunk", "created": 1, "model": model}
    rows = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    rows.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish(message)}]})
    if usage:
        rows.append({**head, "choices": [], "usage": USAGE})
    return [*(f"data: {json.dumps(row)}\n\n" for row in rows), "data: [DONE]\n\n"]


async def login(request: web.Request) -> web.Response:
    """A partner's API, which gives a token for a password."""
    told = await request.json()
    given = {
        "access_token": "CANARY0a1b2c3d4e5f60718293",
        "signature": "CANARY77889900aabbccddeeff",
        "echo": told,
    }
    return web.json_response(given, headers={"set-cookie": "session=CANARY5566778899aabbccdd; Path=/"})


async def data(request: web.Request) -> web.Response:
    return web.json_response(
        {"rows": [1, 2], "asked": str(request.url), "by": request.headers.get("authorization", "")}
    )


async def seen(request: web.Request) -> web.Response:
    return web.json_response({"count": request.app["count"][0], "keys": request.app["keys"]})


async def forget(request: web.Request) -> web.Response:
    request.app["count"][0] = 0
    request.app["keys"].clear()
    return web.Response()


def main() -> None:
    """Serve on a free port, told as the first line."""
    app = web.Application()
    app["count"], app["keys"] = [0], []
    app.router.add_post("/v1/chat/completions", complete)
    app.router.add_get("/seen", seen)
    app.router.add_post("/login", login)
    app.router.add_get("/data", data)
    app.router.add_get("/forget", forget)

    runner = web.AppRunner(app)

    async def serve() -> None:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        sys.stdout.write(f"{runner.addresses[0][1]}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()

    asyncio.run(serve())


if __name__ == "__main__":
    main()

"""An agent as people write them: an OpenAI tool loop. Nothing of ours is imported."""

from __future__ import annotations

import json
import os

import httpx
from openai import OpenAI

SYSTEM = "You answer carefully, from the pages that you fetch, and cite them."
MODEL = "gpt-4o-mini"
HOST = "https://api.openai.com/v1"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "fetch_page",
            "description": "The text of a web page.",
            "parameters": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
        },
    }
]
STREAM = os.environ.get("AGENT_STREAMS") == "yes"


def answer(prompt: str) -> str:
    client = OpenAI(base_url=HOST)
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": prompt}]
    for _ in range(5):
        text, calls = turn(client, messages)
        if not calls:
            return text
        messages.append({"role": "assistant", "content": text or None, "tool_calls": calls})
        for call in calls:
            arguments = json.loads(call["function"]["arguments"])
            page = httpx.get(arguments["url"], follow_redirects=True).text
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": page})
    return ""


def turn(client: OpenAI, messages: list) -> tuple[str, list]:
    asked = {"model": MODEL, "messages": messages, "tools": TOOLS, "temperature": 0}
    if not STREAM:
        message = client.chat.completions.create(**asked).choices[0].message
        return message.content or "", [call.model_dump() for call in message.tool_calls or ()]
    text, calls = "", {}
    for chunk in client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}):
        for choice in chunk.choices:
            text += choice.delta.content or ""
            for piece in choice.delta.tool_calls or ():
                call = calls.setdefault(
                    piece.index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
                )
                call["id"] += piece.id or ""
                call["function"]["name"] += piece.function.name or ""
                call["function"]["arguments"] += piece.function.arguments or ""
    return text, list(calls.values())

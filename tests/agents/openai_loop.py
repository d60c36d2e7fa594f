"""An agent as people write them: the OpenAI SDK in a tool loop, the Tavily SDK for search, a fetch of its own.

It knows nothing of what tests it. ``Agent`` uses what a task says of its user; ``answer`` takes a question alone.
"""

from __future__ import annotations

import asyncio
import html
import io
import json
import re
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pypdf
from openai import AsyncOpenAI
from selectolax.lexbor import LexborHTMLParser
from tavily import AsyncTavilyClient

SYSTEM = (
    "You are a research assistant. Use the tools to find the answer; do not answer from memory. "
    "Open pages before you rely on them. Cite the page of every statement as a markdown link. "
    "When a page cannot be read, say so and why."
)
NUMBERED = SYSTEM.replace(
    "as a markdown link",
    'with a number in brackets like [1], and end with a list under the heading "Sources:"',
)
TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "web_search",
            "description": "Search the web and get titles, addresses and snippets.",
            "parameters": {
                "type": "object",
                "properties": {
                    "query": {"type": "string"},
                    "max_results": {"type": "integer", "default": 8, "minimum": 1, "maximum": 20},
                },
                "required": ["query"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "fetch_page",
            "description": "Fetch a page or PDF and return its text. Does not run JavaScript.",
            "parameters": {
                "type": "object",
                "properties": {"url": {"type": "string", "description": "The address to fetch"}},
                "required": ["url"],
            },
        },
    },
]


class Web:
    """The agent's own way to pages: waiting, retries, a cache that asks whether it still holds."""

    def __init__(self, credentials: Any = ()) -> None:
        self.client = httpx.AsyncClient(timeout=15, headers={"user-agent": "research-assistant/1.0"})
        self.credentials = credentials
        self.kept: dict[str, httpx.Response] = {}

    async def fetch(self, url: str) -> str:
        for _ in range(6):
            response = await self._get(url)
            if not response.is_redirect:
                break
            url = urljoin(url, response.headers["location"])
        else:
            return f"Error: too many redirects at {url}"
        kind = response.headers.get("content-type", "")
        head = f"URL: {url}\nStatus: {response.status_code}\nContent-Type: {kind}\n"
        if "pdf" in kind:
            reader = pypdf.PdfReader(io.BytesIO(response.content))
            title = (reader.metadata.title if reader.metadata else None) or ""
            return f"{head}Title: {title}\n\n" + "\n".join(page.extract_text() for page in reader.pages)
        if not kind.startswith(("text/", "application/json", "application/xhtml", "application/problem")):
            return f"{head}Error: unsupported content type {kind}"
        return f"{head}\n{as_text(response.text, url) if 'html' in kind else response.text}"[:20_000]

    async def _get(self, url: str) -> httpx.Response:
        headers = self._headers(url)
        if (kept := self.kept.get(url)) is not None and "etag" in kept.headers:
            headers["if-none-match"] = kept.headers["etag"]
        for attempt in range(3):
            try:
                response = await self.client.get(url, headers=headers)
            except httpx.TransportError:
                if attempt == 2:
                    raise
                continue
            if response.status_code == 304 and kept is not None:
                return kept
            if response.status_code not in (429, 503) or attempt == 2:
                break
            await asyncio.sleep(min(5.0, float(response.headers.get("retry-after") or 1)))
        if response.is_success:
            self.kept[url] = response
        return response

    def _headers(self, url: str) -> dict[str, str]:
        headers: dict[str, str] = {}
        for held in self.credentials:
            if urlsplit(held.url).netloc != urlsplit(url).netloc:
                continue
            if held.kind == "cookie":
                headers["cookie"] = f"{held.name}={held.value}"
            elif held.kind == "bearer":
                headers["authorization"] = f"Bearer {held.value}"
        return headers


def as_text(markup: str, url: str) -> str:
    """The text of a page, a line for each of its blocks; headings and links as markdown has them."""
    tree = LexborHTMLParser(markup)
    title = tree.css_first("title")
    head = f"Title: {' '.join(title.text().split())}\n\n" if title else ""
    for node in tree.css("script, style, template, nav, footer, [hidden], head"):
        node.decompose()
    for link in tree.css("a[href]"):
        link.replace_with(
            f"[{' '.join(link.text().split())}]({urljoin(url, link.attributes.get('href') or '')})"
        )
    body = re.sub(r"\s+", " ", tree.body.html or "") if tree.body else ""
    body = re.sub(r"<h(\d)[^>]*>", lambda match: "\n" + "#" * int(match[1]) + " ", body)
    body = re.sub(r"<li[^>]*>", "\n- ", body)
    body = re.sub(
        r"</?(?:p|div|tr|dt|dd|ul|ol|dl|table|section|article|header|main|form|button|label|br|h\d)\b[^>]*>",
        "\n",
        body,
    )
    text = html.unescape(re.sub(r"<[^>]+>", " ", body))
    lines = (" ".join(line.split()) for line in text.splitlines())
    return head + "\n".join(line for line in lines if line)


async def converse(question: str, web: Web, system: str = SYSTEM) -> str:
    """The loop: ask the model, call its tools, until it answers."""
    model, search = AsyncOpenAI(), AsyncTavilyClient()
    messages: list[Any] = [{"role": "system", "content": system}, {"role": "user", "content": question}]

    async def call(name: str, arguments: dict[str, Any]) -> str:
        try:
            if name == "web_search":
                found = await search.search(arguments["query"], max_results=arguments.get("max_results", 8))
                return json.dumps(found["results"], ensure_ascii=False)
            return await web.fetch(arguments["url"])
        except Exception as error:
            return f"Error: {type(error).__name__}: {error}"

    for _ in range(12):
        completion = await model.chat.completions.create(model="gpt-4.1-mini", messages=messages, tools=TOOLS)
        message = completion.choices[0].message
        if not message.tool_calls:
            return message.content or ""
        messages.append(message.model_dump(exclude_none=True))
        results = await asyncio.gather(
            *(call(each.function.name, json.loads(each.function.arguments)) for each in message.tool_calls)
        )
        for each, result in zip(message.tool_calls, results, strict=True):
            messages.append({"role": "tool", "tool_call_id": each.id, "content": result})
    return "I could not find an answer within my limits."


async def answer(question: str) -> str:
    """A question alone."""
    return await converse(question, Web())


async def numbered(question: str) -> str:
    """The same agent with another wish for citations."""
    return await converse(question, Web(), NUMBERED)


class Agent:
    """Acts for the user of a task, with a cache of his own."""

    def __init__(self) -> None:
        self.webs: dict[str, Web] = {}

    async def retrieve(self, task: Any) -> str:
        name = task.user.name if task.user else ""
        web = self.webs.setdefault(name, Web())
        web.credentials = task.user.credentials if task.user else ()
        return await converse(task.prompt, web)

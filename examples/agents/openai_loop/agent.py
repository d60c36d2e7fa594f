"""A research assistant: OpenAI's SDK in a tool loop, Tavily for search, a fetch of its own, Playwright for pages that
need a browser. It answers in prose and returns its citations as `url_citation` annotations."""

import asyncio
import ipaddress
import json
import re
import socket
from urllib.parse import urljoin, urlsplit

import httpx
import trafilatura
from openai import AsyncOpenAI
from playwright.async_api import async_playwright
from tavily import AsyncTavilyClient

MODEL = "gpt-5-mini"
MOST_TURNS = 10
MOST_TEXT = 20_000
INSTRUCTIONS = """You are a careful research assistant. Use the tools to find the answer on the web; never answer from
memory. Open a page before you cite it. If a page cannot be read, say why and stop; do not look for ways around it.
Answer in one or two sentences. After each statement put the number of its source in brackets, like [1], and end with a
list of the sources, one a line, like "[1] https://..."."""

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "web_search",
            "description": "Search the web. Returns titles, URLs and snippets.",
            "parameters": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "what to look for"},
                    "max_results": {"type": "integer", "minimum": 1, "maximum": 10},
                },
                "required": ["query"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "fetch_page",
            "description": "Read one web page or PDF as text, by its URL.",
            "parameters": {
                "type": "object",
                "properties": {"url": {"type": "string"}},
                "required": ["url"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "open_in_browser",
            "description": "Open a page in a real browser and return what it shows. For pages that need JavaScript.",
            "parameters": {
                "type": "object",
                "properties": {"url": {"type": "string"}},
                "required": ["url"],
            },
        },
    },
]


class Refused(Exception):
    """A URL that this assistant does not open."""


async def check_address(url: str) -> None:
    """Server-side request forgery: only public addresses, and only the web's own ports."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port not in (None, 80, 443):
        raise Refused(f"not a web address: {url}")
    found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, 443, type=socket.SOCK_STREAM)
    for *_, address in found:
        if not ipaddress.ip_address(address[0]).is_global:
            raise Refused(f"{parts.hostname} has a private address")


async def web_search(query: str, max_results: int = 5) -> str:
    """Search by Tavily."""
    found = await AsyncTavilyClient().search(query, max_results=max_results)
    return json.dumps(
        [{"title": one["title"], "url": one["url"], "snippet": one["content"]} for one in found["results"]],
        ensure_ascii=False,
    )


async def fetch_page(url: str) -> str:
    """Read a page as text, redirects followed by hand so that each address is checked."""
    async with httpx.AsyncClient(timeout=15, headers={"user-agent": "research-assistant/1.0"}) as client:
        for _ in range(6):
            await check_address(url)
            response = await client.get(url)
            if not response.is_redirect:
                break
            url = urljoin(url, response.headers["location"])
    if response.is_error:
        return f"{url} answered {response.status_code} {response.reason_phrase}: {response.text[:500]}"
    kind = response.headers.get("content-type", "")
    if "html" in kind:
        text = trafilatura.extract(response.text, url=url, include_links=True, include_tables=True)
        return f"{url}\n\n{(text or 'The page has no text; it may need a browser.')[:MOST_TEXT]}"
    if kind.startswith(("text/", "application/json")):
        return f"{url}\n\n{response.text[:MOST_TEXT]}"
    return f"{url} is {kind}, which cannot be read as text."


async def open_in_browser(url: str) -> str:
    """Read what a browser shows."""
    await check_address(url)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch()
        page = await browser.new_page()
        await page.goto(url)
        await page.wait_for_load_state("networkidle")
        text = await page.inner_text("body")
        await browser.close()
    return f"{url}\n\n{text[:MOST_TEXT]}"


async def call(name: str, arguments: str) -> str:
    """One tool call; what goes wrong is told to the model."""
    tools = {"web_search": web_search, "fetch_page": fetch_page, "open_in_browser": open_in_browser}
    try:
        return await tools[name](**json.loads(arguments))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


async def answer(question: str) -> dict:
    """Answer a question with sources from the web."""
    client = AsyncOpenAI()
    messages = [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": question}]
    for _ in range(MOST_TURNS):
        completion = await client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
        message = completion.choices[0].message
        if not message.tool_calls:
            return with_citations(message.content or "")
        messages.append(message.model_dump(exclude_none=True))
        results = await asyncio.gather(
            *(call(one.function.name, one.function.arguments) for one in message.tool_calls)
        )
        for one, result in zip(message.tool_calls, results, strict=True):
            messages.append({"role": "tool", "tool_call_id": one.id, "content": result})
    return with_citations("I could not find the answer within my limits.")


def with_citations(text: str) -> dict:
    """The answer as our front end wants it: prose, and an annotation for each marker."""
    prose, _, _ = text.partition("\n[1] ")
    sources = dict(re.findall(r"^\[(\d+)\]:? +(\S+)", text, re.MULTILINE))
    annotations = [
        {
            "type": "url_citation",
            "url": sources[marker[1]],
            "title": sources[marker[1]],
            "start_index": marker.start(),
            "end_index": marker.end(),
        }
        for marker in re.finditer(r"\[(\d+)\]", prose)
        if marker[1] in sources
    ]
    return {"role": "assistant", "content": prose.strip(), "annotations": annotations}

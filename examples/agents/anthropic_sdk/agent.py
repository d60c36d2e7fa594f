"""A command-line assistant on the Anthropic SDK, with Brave for search and requests for pages."""

import json
import os
import sys

import anthropic
import requests
from bs4 import BeautifulSoup

SYSTEM = """Answer from the web only. Use `search` to find pages and `fetch` to read them. Cite the page for every claim
as a markdown link. If a page refuses you or does not exist, report that instead of an answer."""
TOOLS = [
    {
        "name": "search",
        "description": "Search the web with Brave. Returns a JSON list of results.",
        "input_schema": {
            "type": "object",
            "properties": {"q": {"type": "string"}, "count": {"type": "integer"}},
            "required": ["q"],
        },
    },
    {
        "name": "fetch",
        "description": "Fetch a URL and return the text of the page.",
        "input_schema": {
            "type": "object",
            "properties": {"url": {"type": "string"}},
            "required": ["url"],
        },
    },
]


def search(q: str, count: int = 5) -> str:
    response = requests.get(
        "https://api.search.brave.com/res/v1/web/search",
        params={"q": q, "count": count},
        headers={"X-Subscription-Token": os.environ["BRAVE_SEARCH_API_KEY"]},
        timeout=20,
    )
    response.raise_for_status()
    results = response.json().get("web", {}).get("results", [])
    return json.dumps(
        [{"title": one["title"], "url": one["url"], "description": one["description"]} for one in results]
    )


def fetch(url: str) -> str:
    response = requests.get(url, timeout=20, headers={"User-Agent": "anthropic-cli-assistant"})
    if not response.ok:
        return f"{response.status_code} {response.reason}\n{response.text[:400]}"
    soup = BeautifulSoup(response.content, "html.parser")
    for tag in soup(["script", "style"]):
        tag.decompose()
    return f"{response.url}\n{soup.get_text(' ', strip=True)[:12000]}"


def main(question: str) -> None:
    client = anthropic.Anthropic()
    messages = [{"role": "user", "content": question}]
    for _ in range(12):
        with client.messages.stream(
            model="claude-sonnet-5", max_tokens=1500, system=SYSTEM, tools=TOOLS, messages=messages
        ) as stream:
            reply = stream.get_final_message()
        messages.append({"role": "assistant", "content": reply.content})
        results = []
        for block in reply.content:
            if block.type == "tool_use":
                try:
                    output, failed = {"search": search, "fetch": fetch}[block.name](**block.input), False
                except Exception as error:
                    output, failed = str(error), True
                results.append(
                    {"type": "tool_result", "tool_use_id": block.id, "content": output, "is_error": failed}
                )
        if not results:
            print("".join(block.text for block in reply.content if block.type == "text"))
            return
        messages.append({"role": "user", "content": results})


if __name__ == "__main__":
    main(sys.argv[1])

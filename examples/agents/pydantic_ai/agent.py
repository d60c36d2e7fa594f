"""A PydanticAI agent with a typed answer: Linkup for search, httpx and selectolax for pages."""

import httpx
from linkup import LinkupClient
from pydantic import BaseModel, Field
from pydantic_ai import Agent
from selectolax.lexbor import LexborHTMLParser


class Source(BaseModel):
    url: str = Field(description="address of a page that you have read")
    quote: str = Field(description="the sentence of the page that says so")


class Finding(BaseModel):
    answer: str = Field(description="the answer in one or two sentences, or why there is none")
    sources: list[Source]


agent = Agent(
    "openai-chat:gpt-5-mini",
    output_type=Finding,
    instructions="Research the question on the web. Read pages before you use them. Name every page you rely on.",
    defer_model_check=True,
)


@agent.tool_plain(retries=2)
async def search(query: str) -> list[dict[str, str]]:
    """Search the web."""
    found = await LinkupClient().async_search(query=query, depth="standard", output_type="searchResults")
    return [{"name": one.name, "url": one.url, "content": one.content} for one in found.results[:6]]


@agent.tool_plain
async def fetch(url: str) -> str:
    """Read a web page."""
    async with httpx.AsyncClient(follow_redirects=True, timeout=20) as client:
        response = await client.get(url)
    if response.status_code != 200:
        return f"the server said {response.status_code}: {response.text[:300]}"
    tree = LexborHTMLParser(response.text)
    tree.strip_tags(["script", "style"])
    return tree.body.text(separator=" ", strip=True)[:12000] if tree.body else "(empty)"


async def answer(question: str) -> str:
    """The finding as the chat shows it: the answer, with its sources linked."""
    finding = (await agent.run(question)).output
    links = " ".join(f"[{number}]({source.url})" for number, source in enumerate(finding.sources, 1))
    return f"{finding.answer} {links}".strip()

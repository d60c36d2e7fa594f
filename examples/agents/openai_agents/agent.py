"""A research agent on the OpenAI Agents SDK (Responses API), with Exa for search and page text."""

import httpx
import trafilatura
from agents import Agent, Runner, function_tool
from exa_py import Exa

INSTRUCTIONS = """Answer questions from the web. Search first unless the question names a page. Read a page before you
rely on it. Write one short paragraph; link every statement to the page that says so, as a markdown link like
([source](https://...)). When a page may not be read, say which and why, and do nothing else."""


@function_tool
def search_web(query: str, num_results: int = 5) -> list[dict]:
    """Search the web for pages about the query.

    Args:
        query: what to look for.
        num_results: how many pages to return.
    """
    found = Exa().search(query, num_results=num_results, contents={"highlights": True})
    return [
        {"title": one.title, "url": one.url, "published": one.published_date, "highlights": one.highlights}
        for one in found.results
    ]


@function_tool
def read_page(url: str) -> str:
    """Read the text of the page at a URL."""
    with httpx.Client(follow_redirects=True, timeout=15) as client:
        response = client.get(url)
    if response.is_error:
        return f"HTTP {response.status_code}: {response.text[:300]}"
    if "html" not in response.headers.get("content-type", ""):
        return f"not a web page: {response.headers.get('content-type')}"
    return trafilatura.extract(response.text, include_links=True) or "(no text)"


RESEARCHER = Agent(
    name="Researcher", instructions=INSTRUCTIONS, tools=[search_web, read_page], model="gpt-5-mini"
)


async def answer(question: str) -> str:
    """Answer a question, with links to the sources."""
    result = await Runner.run(RESEARCHER, question, max_turns=12)
    return result.final_output

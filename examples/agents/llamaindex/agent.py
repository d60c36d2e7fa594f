"""A LlamaIndex FunctionAgent: OpenAI's model with Tavily for search and for reading."""

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI
from tavily import AsyncTavilyClient

PROMPT = """You are a helpful assistant with access to the web. Find the page that answers the question, read it, and
answer briefly. Put the URL of the page in parentheses after the sentence that it supports."""


async def search(query: str) -> str:
    """Search the web and return the best pages with a snippet of each."""
    found = await AsyncTavilyClient().search(query, max_results=5)
    return "\n\n".join(f"{one['title']}\n{one['url']}\n{one['content']}" for one in found["results"])


async def read(url: str) -> str:
    """Read the page at a URL as markdown."""
    given = await AsyncTavilyClient().extract([url], extract_depth="advanced")
    for page in given["results"]:
        return page["raw_content"]
    return f"could not read {url}: {given['failed_results'][0]['error']}"


async def answer(question: str) -> str:
    """Answer a question from the web."""
    agent = FunctionAgent(
        tools=[search, read], llm=OpenAI(model="gpt-4.1-mini"), system_prompt=PROMPT, timeout=60
    )
    return str(await agent.run(question))

"""A LangGraph agent: a chat model with Tavily's search and extract tools and a plain fetch tool."""

import httpx
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langchain_tavily import TavilySearch
from markdownify import markdownify

PROMPT = """You answer questions with the help of the web. Always look it up. Cite with numbered markers like [1] and
give the list of sources at the end under the heading "Sources:", one "[n] URL" a line."""


@tool
def read_url(url: str) -> str:
    """Get a web page as markdown."""
    response = httpx.get(url, follow_redirects=True, timeout=20)
    response.raise_for_status()
    return markdownify(response.text, strip=["script", "style"])[:15000]


read_url.handle_tool_error = True


class Assistant:
    """Built once, asked often."""

    def start(self) -> None:
        self.graph = create_agent(
            ChatOpenAI(model="gpt-5-mini"),
            tools=[TavilySearch(max_results=6), read_url],
            system_prompt=PROMPT,
        )

    def retrieve(self, task):
        state = self.graph.invoke({"messages": [("user", task.prompt)]}, {"recursion_limit": 25})
        return state["messages"][-1]

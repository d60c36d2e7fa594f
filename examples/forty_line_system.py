"""A web-retrieval system in forty lines: fetch or search, quote the sentence nearest to the question, cite its page.

pytest --lane=fixture --webretrieval-system examples.forty_line_system:System
"""

from __future__ import annotations

import re

import httpx
from selectolax.lexbor import LexborHTMLParser

from pytest_webretrieval.systems.contract import Task


class System:
    def start(self) -> None:
        self.web = httpx.Client(follow_redirects=True, timeout=10)

    def retrieve(self, task: Task) -> str:
        for url in task.start_urls or self.search(task):
            page = self.web.get(url, headers={"user-agent": task.user_agent})
            if page.status_code == 200 and "html" in page.headers.get("content-type", ""):
                return f"{nearest(task.query, page.text)} [{page.url}]({page.url})"
        return f"I could not find an answer to this: {task.query}"

    def search(self, task: Task) -> list[str]:
        api = task.channels["search-api"]["dialects"]["plain"]["base_url"]
        found = self.web.get(f"{api}/search", params={"q": task.query, "limit": 3})
        return [result["url"] for result in found.json()["results"]]

    def close(self) -> None:
        self.web.close()


def nearest(query: str, markup: str) -> str:
    """The line of the page that shares most words with the question."""
    tree, wanted = LexborHTMLParser(markup), set(re.findall(r"\w{4,}", query.lower()))
    lines = [" ".join(node.text().split()) for node in tree.css("h1, h2, p, li, dd")]
    return max(lines, key=lambda line: len(wanted & set(re.findall(r"\w{4,}", line.lower()))), default="")

"""Looks through the links of a page, those that the robots.txt allows by protego."""

import json
import re
import sys
from urllib.parse import urljoin

import requests
from protego import Protego


def retrieve(task):
    start, agent = task["start_urls"][0], task["user_agent"]
    with requests.Session() as web:
        web.headers["user-agent"] = agent
        robots = Protego.parse(web.get(urljoin(start, "/robots.txt")).text)
        links = re.findall('href="([^"]+)"', web.get(start).text)
        urls = [url for url in (urljoin(start, link) for link in links) if robots.can_fetch(url, agent)]
        pages = [web.get(url) for url in urls]
    return f"{nearest(task['query'], pages[-1].text)} [source]({pages[-1].url})"


def nearest(query, html):
    """The line of the page that shares most words with the question."""
    words = set(query.lower().split())
    lines = re.sub(r"<[^>]+>", "", html).splitlines()
    return max(lines, key=lambda line: len(words & set(line.lower().split())))


if __name__ == "__main__":
    print(retrieve(json.load(sys.stdin)))

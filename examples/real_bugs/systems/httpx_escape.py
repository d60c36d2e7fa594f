"""Follows the first link of a page by httpx."""

import html
import json
import re
import sys

import httpx


def retrieve(task):
    with httpx.Client() as web:
        start = web.get(task["start_urls"][0])
        link = html.unescape(re.search('href="([^"]+)"', start.text)[1])
        page = web.get(start.url.join(link))
    return f"{nearest(task['query'], page.text)} [source]({page.url})"


def nearest(query, html):
    """The line of the page that shares most words with the question."""
    words = set(query.lower().split())
    lines = re.sub(r"<[^>]+>", "", html).splitlines()
    return max(lines, key=lambda line: len(words & set(line.lower().split())))


if __name__ == "__main__":
    print(retrieve(json.load(sys.stdin)))

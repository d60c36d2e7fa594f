"""Keeps pages from one question to the next, as the headers of the pages allow, by requests-cache."""

import json
import os
import re
import sys

from requests_cache import CachedSession


def retrieve(task):
    url, held = task["start_urls"][0], task["user"]["credentials"][0]
    kept = os.path.join(os.environ["WEBRETRIEVAL_STATE_DIR"], "pages.sqlite")
    with CachedSession(kept, cache_control=True) as web:
        page = web.get(url, headers={"Cookie": f"{held['name']}={held['value']}"})
    return f"{nearest(task['query'], page.text)} [source]({url})"


def nearest(query, html):
    """The line of the page that shares most words with the question."""
    words = set(query.lower().split())
    lines = re.sub(r"<[^>]+>", "", html).splitlines()
    return max(lines, key=lambda line: len(words & set(line.lower().split())))


if __name__ == "__main__":
    print(retrieve(json.load(sys.stdin)))

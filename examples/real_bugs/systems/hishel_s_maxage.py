"""Keeps pages from one question to the next in a cache of one user's own, by hishel."""

import json
import os
import re
import sys

from hishel import CacheOptions, SpecificationPolicy, SyncSqliteStorage
from hishel.httpx import SyncCacheClient


def retrieve(task):
    kept = SyncSqliteStorage(database_path=os.path.join(os.environ["WEBRETRIEVAL_STATE_DIR"], "pages.db"))
    policy = SpecificationPolicy(cache_options=CacheOptions(shared=False))
    url = task["start_urls"][0]
    with SyncCacheClient(storage=kept, policy=policy) as web:
        page = web.get(url)
    return f"{nearest(task['query'], page.text)} [source]({url})"


def nearest(query, html):
    """The line of the page that shares most words with the question."""
    words = set(query.lower().split())
    lines = re.sub(r"<[^>]+>", "", html).splitlines()
    return max(lines, key=lambda line: len(words & set(line.lower().split())))


if __name__ == "__main__":
    print(retrieve(json.load(sys.stdin)))

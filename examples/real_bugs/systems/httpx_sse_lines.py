"""Listens to a stream of events by httpx-sse until it ends."""

import json
import sys

import httpx
from httpx_sse import connect_sse


def retrieve(task):
    url, words = task["start_urls"][0], set(task["query"].lower().strip("?").split())
    with httpx.Client() as web, connect_sse(web, "GET", url) as events:
        said = [event.data for event in events.iter_sse() if event.event == "notice"]
    sentences = [sentence for notice in said for sentence in notice.splitlines()]
    best = max(sentences, key=lambda sentence: len(words & set(sentence.lower().split())))
    return f"{best} [source]({url})"


if __name__ == "__main__":
    print(retrieve(json.load(sys.stdin)))

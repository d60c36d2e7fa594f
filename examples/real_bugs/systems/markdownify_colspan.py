"""Turns a page into Markdown by markdownify, and looks up a fare in its table."""

import json
import sys
import urllib.request

from markdownify import markdownify


def retrieve(task):
    url, query = task["start_urls"][0], task["query"].lower()
    with urllib.request.urlopen(url) as page:
        text = markdownify(page.read().decode())
    rows = [line.strip("| ").split("|") for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in row] for row in rows]
    column = next(number for number, head in enumerate(rows[0]) if head.lower() in query and head != "To")
    row = next(row for row in rows if row[0].lower() in query and row is not rows[0])
    return f"{row[0]}, {rows[0][column]}: {row[column]} [source]({url})"


if __name__ == "__main__":
    print(retrieve(json.load(sys.stdin)))

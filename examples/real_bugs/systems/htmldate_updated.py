"""Says when a page was last updated, by htmldate."""

import json
import sys
import urllib.request

from htmldate import find_date


def retrieve(task):
    url = task["start_urls"][0]
    with urllib.request.urlopen(url) as page:
        updated = find_date(page.read().decode(), original_date=False)
    return f"It was last updated on {updated} [source]({url})."


if __name__ == "__main__":
    print(retrieve(json.load(sys.stdin)))

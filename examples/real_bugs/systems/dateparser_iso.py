"""Finds the day on an Italian page, and reads it by dateparser in the language of the page."""

import json
import re
import sys
import urllib.request

import dateparser


def retrieve(task):
    url = task["start_urls"][0]
    with urllib.request.urlopen(url) as page:
        text = page.read().decode()
    language = re.search(r'<html lang="(\w+)"', text)[1]
    day = dateparser.parse(re.search(r"<time>(.+?)</time>", text)[1], languages=[language])
    return f"Il museo riapre il {day:%Y-%m-%d} [fonte]({url})."


if __name__ == "__main__":
    print(retrieve(json.load(sys.stdin)))

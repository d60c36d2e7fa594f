"""The world for a look: ``python -m fixture_server``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

OWN = """\
start_urls: [fixture://vendor/own]
cheapest: direct-fetch
users: {alice: {credentials: [{kind: cookie, name: sid, url: fixture://vendor/}]}}
pages: [fixture://vendor/own]
"""


@pytest.fixture
def looking(site: Any) -> Iterator[str]:
    """The address of a viewer on any free port."""
    site.page("vendor/own.html", "<title>Own</title><p>For Alice.</p>")
    site.page("vendor/own.serve.yaml", "search: false\nusers: {anonymous: {status: 302, location: /}}\n")
    site.scene("auth/own.yaml", OWN)
    command = [sys.executable, "-m", "fixture_server", "--port", "0", "--seed", "3"]
    process = subprocess.Popen(
        [*command, "--sites", str(site.folder), "--truth", str(site.truth)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(site.folder / "code")},
        text=True,
    )
    with process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


def test_scenes_pages_and_links_can_be_followed(looking: str) -> None:
    with httpx.Client(base_url=looking, follow_redirects=True) as client:
        front = client.get("/").text
        assert "known/notes" in front
        assert "seed 3" in front
        (page,) = re.findall(r'href="(/https/[^"]+)">[^<]+</a> fixture://vendor/notes/current<', front)
        shown = client.get(page)
        assert "Release notes" in shown.text
        (picture,) = re.findall(r'href="(/https/[^"]+\.png)"', shown.text)
        assert client.get(picture).headers["content-type"] == "image/png"
        (old,) = re.findall(r'href="(/https/[^"]+)">[^<]+</a> fixture://vendor/notes/old<', front)
        assert client.get(old).url.path == page
        changed = client.get("/scene/known/notes", params={"state": "changed"})
        assert changed.url.path == page
        assert "next version" in changed.text
        assert "/scene/auth/own?user=alice" in front
        asked = [client.get("/scene/auth/own", params=choice) for choice in ({"user": "alice"}, {})]
        assert ["For Alice" in page.text for page in asked] == [True, False]
        assert client.get("/elsewhere").status_code == 404
        assert client.get("/scene/none").status_code == 404
        search = client.get("/https/websearch.example/search", params={"q": "harbour tariff"})
        assert search.json()["results"][0]["url"].startswith("/https/")

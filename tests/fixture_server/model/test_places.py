"""Recorded addresses are those of now, whatever was drawn since, also where one lies over two parts of a stream."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

from fixture_server.model.places import data_now, moved, places_within
from fixture_server.model.replay import played
from fixture_server.model.tape import Turn
from fixture_server.sites import load_sites
from fixture_server.stage import Edition, make_edition

ROLE = "fixture://vendor/notes/current"


def edition(folder: Path, seed: int) -> Edition:
    page = folder / "pages/https/vendor/notes/current.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("<title>Notes</title>", encoding="utf-8")
    return make_edition(load_sites([folder]), {}, seed, datetime(2026, 11, 30, tzinfo=UTC).date())


def test_urls_and_hosts_are_known_by_role(tmp_path: Path) -> None:
    one = edition(tmp_path, 1)
    url = one.url(ROLE)
    host = url.split("/")[2]
    found = places_within(f"see {url}, or {host}: not {host}.uk nor https://elsewhere.example/", one)
    assert found == {url: ROLE, host: "fixture://vendor"}
    assert moved(found, one) == {}


def test_they_stand_where_they_are_now(tmp_path: Path) -> None:
    one, two = edition(tmp_path, 1), edition(tmp_path, 2)
    elsewhere = moved(places_within(one.url(ROLE), one), two)
    asked = {"messages": [{"content": f"read {one.url(ROLE)} now"}], "n": 1}
    assert data_now(asked, elsewhere) == {"messages": [{"content": f"read {two.url(ROLE)} now"}], "n": 1}


async def _body(turn: Turn, elsewhere: dict[str, str]) -> list[str]:
    return [chunk.data.decode() async for chunk in played(turn, elsewhere).chunks]


def test_an_address_over_two_parts_moves_as_one(tmp_path: Path) -> None:
    one, two = edition(tmp_path, 1), edition(tmp_path, 2)
    elsewhere = moved(places_within(one.url(ROLE), one), two)
    text = f"see {one.url(ROLE)} for it"
    rows = [
        {"choices": [{"index": 0, "delta": {"content": text[at : at + 6]}}]} for at in range(0, len(text), 6)
    ]
    turn = Turn(
        method="POST",
        host="api.openai.com",
        target="/",
        asked={},
        status=200,
        headers={"content-type": "text/event-stream"},
        chunks=tuple((0.1 * number, f"data: {json.dumps(row)}\n\n") for number, row in enumerate(rows)),
    )
    parts = asyncio.run(_body(turn, elsewhere))
    assert len(parts) == len(rows)
    said = "".join(json.loads(part[6:])["choices"][0]["delta"]["content"] for part in parts)
    assert said == f"see {two.url(ROLE)} for it"
    assert asyncio.run(_body(turn, {})) == [text for _, text in turn.chunks]

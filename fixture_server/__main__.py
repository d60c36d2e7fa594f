"""``python -m fixture_server [--seed N] [--port P]``: the world on loopback, for people who want to look at
it.

Every page is at ``/https/<host>/<path>``, its links rewritten to that form.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_webretrieval.cases.data import own_truths

from .declarations import Scene
from .message import Asked
from .places import BUILT_IN, CORPORA
from .route import answer, fixed
from .stage import Stage, now
from .users import headers_of
from .world import World, load

if TYPE_CHECKING:
    from aiohttp import web

_TEXT = ("text/", "application/json", "application/xml", "image/svg")


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m fixture_server", description="Look at the world in a browser."
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="whose hosts, paths and values to draw (default: 0)"
    )
    parser.add_argument("--port", type=int, default=8080, help="port on 127.0.0.1 (default: 8080; 0: any)")
    parser.add_argument(
        "--sites", type=Path, action="append", help="a folder with pages/ and scenes/ (repeatable)"
    )
    parser.add_argument("--truth", type=Path, action="append", help="a folder of truth files (repeatable)")
    given = parser.parse_args(arguments)
    world = load(given.truth or own_truths(), given.sites or [BUILT_IN, *sorted(CORPORA.iterdir())])
    try:
        asyncio.run(_serve(world, given.seed, given.port))
    except KeyboardInterrupt:
        return


async def _serve(world: World, seed: int, port: int) -> None:
    from aiohttp import web

    stages = {"now": first_stage(world, seed)}

    async def respond(request: web.BaseRequest) -> web.StreamResponse:
        return await look(request, world, stages)

    runner = web.ServerRunner(web.Server(respond, access_log=None))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    sys.stdout.write(f"http://127.0.0.1:{runner.addresses[0][1]}/\n")
    sys.stdout.flush()
    try:
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def first_stage(world: World, seed: int) -> Stage:
    """A run of the first scene that nobody grades."""
    started = now()
    scene = world.sites.scenes[min(world.sites.scenes)]
    return Stage(edition=world.editions(seed, started.date()), scene=scene, started=started)


async def look(request: web.BaseRequest, world: World, stages: dict[str, Stage]) -> web.StreamResponse:
    """``/`` is the list, ``/scene/NAME?state=S&user=U`` sets the scene, its state and whose credentials are
    shown, and leads on, ``/https/HOST/PATH`` is a page."""
    from aiohttp import web

    path = request.rel_url.raw_path
    if path == "/":
        return web.Response(text=front_page(world, stages["now"]), content_type="text/html")
    if path.startswith("/scene/"):
        scene = world.sites.scenes.get(request.rel_url.path.removeprefix("/scene/"))
        if scene is None:
            return web.Response(status=404, text="no such scene")
        state = request.rel_url.query.get("state", "initial")
        user = request.rel_url.query.get("user")
        stage = stages["now"] = replace(
            stages["now"], scene=scene, state=state, user=user, visits={}, places={}, memory={}
        )
        start = stage.edition.url(scene.start_urls[0]) if scene.start_urls else ""
        return web.Response(status=303, headers={"location": _local(start) or "/"})
    if not path.startswith("/https/"):
        return web.Response(status=404, text="pages are at /https/HOST/PATH")
    host, _, rest = request.rel_url.raw_path_qs.removeprefix("/https/").partition("/")
    headers = {name.lower(): value for name, value in request.headers.items()}
    stage = stages["now"]
    headers |= headers_of(stage.users.get(stage.user or "", ()), f"https://{host.lower()}/{rest}")
    asked = Asked(
        method=request.method,
        scheme="https",
        host=host.lower(),
        target=f"/{rest}",
        headers=headers,
        body=await request.read(),
    )
    given = answer(asked, stage)
    hosts = stage.edition.hosts | fixed()
    body = given.body
    if (given.header("content-type") or "").startswith(_TEXT):
        body = rewritten(body.decode("utf-8", "replace"), asked.host, hosts).encode()
    headers = {name: value if name != "location" else _local(value) for name, value in given.headers}
    return web.Response(status=given.status, headers=headers, body=body)


def rewritten(text: str, host: str, hosts: frozenset[str]) -> str:
    """A page of ``host`` whose links to the world, absolute ones and those from the root, lead to where it
    can be looked at."""
    text = re.sub(
        r"https://([a-z0-9.-]+)(?=[/\"'<\s?#]|$)",
        lambda found: f"/https/{found.group(1)}" if found.group(1) in hosts else found.group(),
        text,
    )
    return re.sub(r"(\b(?:href|src|action)=[\"'])/(?!/|https/)", rf"\1/https/{host}/", text)


def _local(url: str) -> str:
    return url.replace("https://", "/https/", 1)


def front_page(world: World, stage: Stage) -> str:
    """Every scene with its states, and every page."""
    scenes = "".join(_scene_line(world.sites.scenes[name]) for name in sorted(world.sites.scenes))
    pages = "".join(
        f'<li><a href="{html.escape(_local(url))}">{html.escape(url)}</a> {html.escape(address)}</li>'
        for address, url in sorted(stage.edition.urls.items())
    )
    return (
        f"<!doctype html><title>The world at seed {stage.edition.seed}</title>"
        f"<h1>The world at seed {stage.edition.seed}</h1><p>Scene {html.escape(stage.scene.name)}, "
        f"state {html.escape(stage.state)}.</p><h2>Scenes</h2><ul>{scenes}</ul><h2>Pages</h2><ul>{pages}</ul>"
    )


def _scene_line(scene: Scene) -> str:
    shown = html.escape(scene.name)
    choices = [("state", state) for state in scene.states] + [("user", user) for user in scene.users]
    links = "".join(
        f' <a href="/scene/{shown}?{key}={html.escape(value)}">{html.escape(value)}</a>'
        for key, value in choices
    )
    return f'<li><a href="/scene/{shown}">{shown}</a>{links}</li>'


if __name__ == "__main__":
    main()

"""Toxiproxy's HTTP API over the embedded proxies: the same paths, bodies, codes and errors, so that its clients do not
see the difference."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from .embedded import NoSuchToxic, Proxies, Proxy
from .toxics import KINDS, STREAMS, Toxic

VERSION = "2.12.0"
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_PROXIES = web.AppKey("proxies", Proxies)


class Refused(Exception):
    """What Toxiproxy answers with an error."""

    def __init__(self, message: str, status: int, **beside: Any) -> None:
        super().__init__(message)
        self.body = {"error": message, "status": status, **beside}
        self.status = status


def application(proxies: Proxies) -> web.Application:
    """The API as an aiohttp application."""
    app = web.Application(middlewares=[_refusals, _no_browsers])
    app[_PROXIES] = proxies
    proxy, toxic = "/proxies/{proxy}", "/proxies/{proxy}/toxics/{toxic}"
    app.add_routes(
        [
            web.get("/version", _version),
            web.post("/reset", _reset),
            web.post("/populate", _populate),
            web.get("/proxies", _list),
            web.post("/proxies", _create),
            web.get(proxy, _show),
            web.post(proxy, _update),
            web.patch(proxy, _update),
            web.delete(proxy, _delete),
            web.get(f"{proxy}/toxics", _list_toxics),
            web.post(f"{proxy}/toxics", _add_toxic),
            web.get(toxic, _show_toxic),
            web.post(toxic, _update_toxic),
            web.patch(toxic, _update_toxic),
            web.delete(toxic, _delete_toxic),
        ]
    )
    return app


@web.middleware
async def _no_browsers(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """A page in a browser could else be made to call it."""
    if request.headers.get("user-agent", "").startswith("Mozilla/"):
        return web.Response(status=403, text="User agent not allowed\n")
    return await handler(request)


@web.middleware
async def _refusals(request: web.Request, handler: _Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except Refused as refused:
        return web.json_response(refused.body, status=refused.status)
    except OSError as error:
        return web.json_response({"error": str(error), "status": 500}, status=500)


async def _version(_: web.Request) -> web.Response:
    return web.json_response({"version": VERSION})


async def _reset(request: web.Request) -> web.Response:
    await request.app[_PROXIES].reset()
    return web.Response(status=204)


async def _list(request: web.Request) -> web.Response:
    return web.json_response({proxy.name: _of_proxy(proxy) for proxy in request.app[_PROXIES]})


async def _create(request: web.Request) -> web.Response:
    proxies, said = request.app[_PROXIES], await _body(request)
    for key in ("name", "upstream"):
        if not _text(said, key):
            raise Refused(f"missing required field: {key}", 400)
    if proxies.get(said["name"]) is not None:
        raise Refused("proxy already exists", 409)
    proxy = proxies.add(
        said["name"], _text(said, "listen"), said["upstream"], enabled=_flag(said, "enabled", True)
    )
    return web.json_response(_of_proxy(proxy), status=201)


async def _populate(request: web.Request) -> web.Response:
    """Those that are there as they are asked for stay, others of the name are replaced."""
    proxies, said = request.app[_PROXIES], await _json(request, proxies=None)
    if not isinstance(said, list) or not all(isinstance(one, dict) for one in said):
        raise Refused("bad request body: a list of proxies was expected", 400, proxies=None)
    for number, one in enumerate(said, 1):
        for key in ("name", "upstream"):
            if not _text(one, key):
                raise Refused(f"missing required field: {key} at proxy {number}", 400, proxies=None)
    made = []
    for one in said:
        there, listen = proxies.get(one["name"]), _text(one, "listen")
        if there is not None and (there.listen, there.upstream) != (listen, one["upstream"]):
            await proxies.remove(there)
            there = None
        made.append(
            there or proxies.add(one["name"], listen, one["upstream"], enabled=_flag(one, "enabled", True))
        )
    return web.json_response({"proxies": [_of_proxy(proxy) for proxy in made]}, status=201)


async def _show(request: web.Request) -> web.Response:
    return web.json_response(_of_proxy(_proxy(request)))


async def _update(request: web.Request) -> web.Response:
    proxy, said = _proxy(request), await _body(request)
    listen, upstream = _text(said, "listen") or proxy.listen, _text(said, "upstream") or proxy.upstream
    enabled = _flag(said, "enabled", proxy.enabled)
    if (listen, upstream) != (proxy.listen, proxy.upstream):
        await proxy.move(listen, upstream)
    if enabled:
        proxy.enable()
    else:
        await proxy.disable()
    return web.json_response(_of_proxy(proxy))


async def _delete(request: web.Request) -> web.Response:
    await request.app[_PROXIES].remove(_proxy(request))
    return web.Response(status=204)


async def _list_toxics(request: web.Request) -> web.Response:
    return web.json_response(_of_toxics(_proxy(request)))


async def _add_toxic(request: web.Request) -> web.Response:
    proxy, said = _proxy(request), await _body(request)
    stream, kind = _text(said, "stream") or "downstream", _text(said, "type")
    if stream.lower() not in STREAMS:
        raise Refused("stream was invalid, can be either upstream or downstream", 400)
    name = _text(said, "name") or f"{kind}_{stream}"
    if kind not in KINDS:
        raise Refused("invalid toxic type", 400)
    if any(toxic.name == name for toxic in proxy.toxics):
        raise Refused("toxic already exists", 409)
    toxic = Toxic(
        name=name,
        kind=kind,
        stream=stream.lower(),
        toxicity=_share(said, 1.0),
        attributes=_attributes(said, kind),
    )
    await proxy.add(toxic)
    return web.json_response(_of_toxic(toxic))


async def _show_toxic(request: web.Request) -> web.Response:
    return web.json_response(_of_toxic(_toxic(request)))


async def _update_toxic(request: web.Request) -> web.Response:
    proxy, toxic, said = _proxy(request), _toxic(request), await _body(request)
    toxic.toxicity = _share(said, toxic.toxicity)
    toxic.attributes.update(_attributes(said, toxic.kind))
    await proxy.update(toxic)
    return web.json_response(_of_toxic(toxic))


async def _delete_toxic(request: web.Request) -> web.Response:
    await _proxy(request).remove(_toxic(request))
    return web.Response(status=204)


def _proxy(request: web.Request) -> Proxy:
    proxy = request.app[_PROXIES].get(request.match_info["proxy"])
    if proxy is None:
        raise Refused("proxy not found", 404)
    return proxy


def _toxic(request: web.Request) -> Toxic:
    try:
        return _proxy(request).toxic(request.match_info["toxic"])
    except NoSuchToxic:
        raise Refused("toxic not found", 404) from None


def _of_proxy(proxy: Proxy) -> dict[str, Any]:
    return {
        "name": proxy.name,
        "listen": proxy.listen,
        "upstream": proxy.upstream,
        "enabled": proxy.enabled,
        "toxics": _of_toxics(proxy),
    }


def _of_toxics(proxy: Proxy) -> list[dict[str, Any]]:
    return [_of_toxic(toxic) for stream in STREAMS for toxic in proxy.chain(stream)]


def _of_toxic(toxic: Toxic) -> dict[str, Any]:
    return {
        "attributes": {name: toxic[name] for name in KINDS[toxic.kind]},
        "name": toxic.name,
        "type": toxic.kind,
        "stream": toxic.stream,
        "toxicity": toxic.toxicity,
    }


async def _json(request: web.Request, **beside: Any) -> Any:
    try:
        return json.loads(await request.read())
    except ValueError as error:
        raise Refused(f"bad request body: {error}", 400, **beside) from None


async def _body(request: web.Request) -> dict[str, Any]:
    said = await _json(request)
    if not isinstance(said, dict):
        raise Refused("bad request body: an object was expected", 400)
    return said


def _text(said: dict[str, Any], key: str) -> str:
    value = said.get(key) or ""
    if not isinstance(value, str):
        raise Refused(f"bad request body: {key} must be a string", 400)
    return value


def _flag(said: dict[str, Any], key: str, default: bool) -> bool:
    value = said.get(key)
    if not isinstance(value, bool | None):
        raise Refused(f"bad request body: {key} must be true or false", 400)
    return default if value is None else value


def _share(said: dict[str, Any], default: float) -> float:
    value = said.get("toxicity")
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        raise Refused("bad request body: toxicity must be a number", 400)
    return default if value is None else float(value)


def _attributes(said: dict[str, Any], kind: str) -> dict[str, int]:
    """Those that the toxic has; Toxiproxy ignores others."""
    given = said.get("attributes") or {}
    if not isinstance(given, dict):
        raise Refused("bad request body: attributes must be an object", 400)
    known = {name: given[name] for name in KINDS[kind] if given.get(name) is not None}
    for name, value in known.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refused(f"bad request body: {name} must be a whole number", 400)
    return known

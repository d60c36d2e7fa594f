"""Sites: folders of pages, declarations and scenes, read once into frozen objects."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.case import Location

from .declarations import Declaration, Listing, Scene, Serve, read_declaration
from .marks import MarkError, Template, escape_for, read_template
from .scene import read_scene
from .sheets import SUFFIX as SHEET
from .users import NOBODY
from .yaml_keys import SiteError

DECLARED = ".serve.yaml"
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".htm": "text/html; charset=utf-8",
    SHEET: "text/html; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".map": "application/json",
    ".xml": "application/xml; charset=utf-8",
    ".rss": "application/rss+xml; charset=utf-8",
    ".atom": "application/atom+xml; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".ico": "image/x-icon",
    ".pdf": "application/pdf",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".zip": "application/zip",
    ".wasm": "application/wasm",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
}
BINARY = (
    *(".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".ico", ".pdf", ".mp3", ".mp4", ".zip", ".bin"),
    *(".wasm", ".woff", ".woff2", ".ttf", ".otf"),
)
INDEXED = ("text/html", "text/plain", "text/markdown")

Body = Template | bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One address of the world. ``bodies`` holds the files that its answers name (``""``: its own),
    ``files`` where they are. ``listing`` is None when the page is not in the index.
    """

    address: str
    where: Location
    suffix: str
    variants: tuple[Mapping[str, Serve], ...]
    bodies: Mapping[str, Body] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    listing: Listing | None = field(default_factory=Listing)

    def media_type(self, serve: Serve) -> str:
        """By declaration, else by the suffix of the file that is served."""
        if serve.media_type is not None:
            return serve.media_type
        suffix = Path(serve.body).suffix if serve.body and not serve.make else self.suffix
        return MEDIA_TYPES.get(suffix, "application/octet-stream")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """Every page by its address by role, and every scene by its name."""

    pages: Mapping[str, Page]
    scenes: Mapping[str, Scene]


def load_sites(folders: Iterable[Path], more_scenes: Iterable[Scene] = ()) -> Sites:
    """Raises SiteError, with file and line, on the first thing that cannot be served. ``more_scenes`` are those that
    no file of ``scenes/`` holds."""
    pages: dict[str, Page] = {}
    scenes: dict[str, Scene] = {}
    hosts: dict[str, Path] = {}
    for folder in folders:
        for page in _pages_of(folder):
            _check_host(page, folder, hosts)
            if page.address in pages:
                where = pages[page.address].where
                raise SiteError(
                    page.where.path, page.where.line, f"{page.address} is already served by {where}"
                )
            pages[page.address] = page
        for scene in _scenes_of(folder):
            _add_scene(scene, scenes)
    for scene in more_scenes:
        _add_scene(scene, scenes)
    for scene in scenes.values():
        _check_scene(scene, pages)
    for page in pages.values():
        _check_states(page, scenes.values())
        _check_users(page, scenes.values())
    return Sites(pages=pages, scenes=scenes)


def load_pages(folder: Path) -> tuple[Page, ...]:
    """The pages of one site, whatever its scenes are. Raises SiteError."""
    return tuple(_pages_of(folder))


def _add_scene(scene: Scene, scenes: dict[str, Scene]) -> None:
    if scene.name in scenes:
        where = scenes[scene.name].where
        raise SiteError(scene.where.path, scene.where.line, f"{scene.name} is already set by {where}")
    scenes[scene.name] = scene


def _check_host(page: Page, folder: Path, hosts: dict[str, Path]) -> None:
    """One host, one folder: whose pages a host has must not depend on what else is loaded."""
    host = page.address.removeprefix("fixture://").partition("/")[0]
    there = hosts.setdefault(host, folder)
    if there != folder:
        other = there / "pages" / "https" / host
        message = f"{page.address}: the host {host} is already served by {other}; take another host"
        raise SiteError(page.where.path, page.where.line, message)


def import_function(reference: str, where: Location) -> Callable[..., Any]:
    """The function that ``module:function`` names. Raises SiteError."""
    module, _, name = reference.partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise SiteError(where.path, where.line, f"{reference!r} cannot be imported: {error}") from error
    if not callable(function):
        raise SiteError(where.path, where.line, f"{reference!r} is not a function")
    return function  # type: ignore[no-any-return]


def _pages_of(folder: Path) -> Iterable[Page]:
    root = folder / "pages" / "https"
    if not root.is_dir():
        return
    for host in sorted(path for path in root.iterdir() if path.is_dir()):
        for inner in [host, *sorted(path for path in host.rglob("*") if path.is_dir())]:
            yield from _pages_of_folder(host, inner)


def _pages_of_folder(host: Path, folder: Path) -> Iterable[Page]:
    files = {path.name: path for path in sorted(folder.iterdir()) if path.is_file() and path.name[0] != "."}
    declared = {name: read_declaration(path) for name, path in files.items() if name.endswith(DECLARED)}
    lent = {body for declaration in declared.values() for body in _lent(declaration)}
    own = {name for name in files if name not in declared and name not in lent}
    for name, declaration in declared.items():
        stem = name.removesuffix(DECLARED)
        file = next((found for found in (f"{stem}.html", f"{stem}{SHEET}", stem) if found in own), None)
        own.discard(file or "")
        yield _page(host, folder, stem, file, declaration)
    for name in sorted(own):
        where = Location(files[name], 1)
        plain = Declaration(where=where, variants=({"initial": Serve(where=where)},))
        yield _page(host, folder, _stem(host, name), name, plain)


def _stem(host: Path, name: str) -> str:
    """What a file without a declaration is called in its address. Of a host that is drawn, ``.html`` is dropped; a real
    one has the names of its files. A sheet's suffix is never sent."""
    name = name.removesuffix(SHEET)
    return name.removesuffix(".html") if "." not in host.name or name == "index.html" else name


def _lent(declaration: Declaration) -> Iterable[str]:
    for states in declaration.variants:
        for serve in states.values():
            yield from (step.body for step in serve.parts if step.body)


def _page(host: Path, folder: Path, stem: str, file: str | None, declaration: Declaration) -> Page:
    files = {} if file is None else {"": folder / file}
    for serve in (step for states in declaration.variants for s in states.values() for step in s.parts):
        _check_serve(serve, folder, file)
        if serve.body:
            files[serve.body] = folder / serve.body
    inner = folder.relative_to(host).as_posix()
    path = "/" if inner == "." else f"/{inner}/"
    path = declaration.path or path + ("" if stem == "index" else stem)
    return Page(
        address=f"fixture://{host.name}{path}",
        where=declaration.where,
        suffix=_suffix(stem, file),
        variants=declaration.variants,
        bodies={name: (_body if declaration.marks else _as_it_is)(path) for name, path in files.items()},
        files=files,
        listing=declaration.listing,
    )


def _suffix(stem: str, file: str | None) -> str:
    """The suffix that decides the media type: a page without one is HTML."""
    if file and Path(file).suffix:
        return Path(file).suffix
    return Path(stem).suffix if Path(stem).suffix in MEDIA_TYPES else ".html"


def _check_serve(serve: Serve, folder: Path, file: str | None) -> None:
    path, line = serve.where.path, serve.where.line
    if serve.body and ("/" in serve.body or not (folder / serve.body).is_file()):
        raise SiteError(path, line, f"`body: {serve.body}` is not a file of {folder}")
    for reference in (serve.make, serve.flow, serve.behave):
        if reference:
            import_function(reference, serve.where)
    has_body = serve.body or serve.make or serve.behave or serve.location or file or serve.asked
    if serve.status == 200 and not has_body and not serve.fault and not serve.sequence:
        raise SiteError(
            path, line, "nothing to serve; add a page of the same name, `body`, `make` or `status`"
        )


def _body(path: Path) -> Body:
    if path.suffix in BINARY:
        return path.read_bytes()
    try:
        return read_template(path.read_text(encoding="utf-8"), escape_for(path.suffix))
    except UnicodeDecodeError:
        return path.read_bytes()
    except MarkError as error:
        raise SiteError(path, error.line, str(error)) from error


def _as_it_is(path: Path) -> Body:
    """A file in which what looks like a mark is none, byte for byte."""
    body = path.read_bytes()
    try:
        return body if path.suffix in BINARY else Template((body.decode("utf-8"),), escape_for(path.suffix))
    except UnicodeDecodeError:
        return body


def _scenes_of(folder: Path) -> Iterable[Scene]:
    root = folder / "scenes"
    for path in sorted(root.rglob("*.yaml")) if root.is_dir() else []:
        yield read_scene(path, path.relative_to(root).as_posix().removesuffix(".yaml"))


def _check_scene(scene: Scene, pages: Mapping[str, Page]) -> None:
    for address in (*scene.start_urls, *scene.pages):
        if address.partition("?")[0] not in pages:
            raise SiteError(scene.where.path, scene.where.line, f"no page has the address {address}")


def _check_states(page: Page, scenes: Iterable[Scene]) -> None:
    """A state that no scene of the page names would never be in force."""
    known = {"initial", *(state for scene in scenes if page.address in scene.pages for state in scene.states)}
    for state in page.variants[0]:
        if state not in known:
            message = f"no scene that lists {page.address} in `pages` has {state!r} in its `states`"
            raise SiteError(page.where.path, page.where.line, message)


def _check_users(page: Page, scenes: Iterable[Scene]) -> None:
    """An answer to a user of no scene of the page would never be given."""
    known = {NOBODY, *(user for scene in scenes if page.address in scene.pages for user in scene.users)}
    for serve in (serve for states in page.variants for serve in states.values()):
        for user, answer in serve.users.items():
            if user not in known:
                message = f"no scene that lists {page.address} in `pages` has {user!r} in its `users`"
                raise SiteError(answer.where.path, answer.where.line, message)

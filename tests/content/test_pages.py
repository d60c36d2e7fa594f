"""The pages as a small web: many, small, different, linked, and silent about what they test."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from fixture_server.declarations import Scene
from fixture_server.index import documents_of
from fixture_server.marks import AddressMark
from fixture_server.sites import Page, Sites
from fixture_server.stage import Stage
from pytest_webretrieval.cases.truth import Truth

TELLING = re.compile(
    r"soft-?404|stale|mirror|decoy|trap|fake|near-?miss|duplicate|no-result|obsolete|poison|wrong|canary",
    re.I,
)


def own_pages(sites: Sites) -> list[Page]:
    """Every page but those that belong to a scene of another stratum only."""
    mine = {address for scene in own_scenes(sites) for address in scene.pages}
    theirs = {address for scene in sites.scenes.values() for address in (*scene.pages, *scene.start_urls)}
    return [page for page in sites.pages.values() if page.address in mine or page.address not in theirs]


def own_scenes(sites: Sites) -> list[Scene]:
    return [
        scene
        for name, scene in sites.scenes.items()
        if name.split("/")[0] in ("known", "search", "dynamic", "auth", "blocking")
    ]


def test_every_link_leads_to_a_page(sites: Sites) -> None:
    dead = [
        f"{page.address} -> {piece.url}"
        for page in own_pages(sites)
        for body in page.bodies.values()
        if not isinstance(body, bytes)
        for piece in body.pieces
        if isinstance(piece, AddressMark) and piece.url.split("#")[0].split("?")[0] not in sites.pages
    ]
    assert dead == []


def test_every_address_of_truth_is_a_page(sites: Sites, truths: Mapping[str, Truth]) -> None:
    for truth in truths.values():
        for address in (*truth.allowed_sources, *truth.known_copies, truth.evidence_url):
            assert address in sites.pages, f"{truth.case_id}: {address}"


def test_two_hundred_different_pages_are_indexed_in_several_languages(stage_at: Callable[..., Stage]) -> None:
    stage = stage_at(0, "search/exact")
    documents = documents_of(stage.edition, stage)
    texts = {document.readable.text for document in documents}
    assert len(documents) >= 200
    assert len(texts) >= 200
    assert len({document.readable.title for document in documents}) >= 200
    languages = {
        found.group(1)
        for document in documents
        for path in document.page.files.values()
        for found in [re.search(r'<html lang="([^"]+)"', path.read_text(encoding="utf-8"))]
        if found
    }
    assert {"en", "de", "fr", "es", "ja", "zh-Hant-TW", "zh-Hans-CN"} <= languages


def test_pages_are_small(page_files: list[Path], sites: Sites) -> None:
    assert sum(path.stat().st_size for path in page_files) < 1_000_000
    files = [path for page in own_pages(sites) for path in page.files.values() if path.suffix == ".html"]
    assert len(files) >= 200
    assert [path for path in files if not 150 < path.stat().st_size < 4_000] == []


def test_no_address_of_a_scene_tells_its_trap(sites: Sites) -> None:
    told = [
        address
        for scene in own_scenes(sites)
        for address in (*scene.pages, *scene.start_urls)
        if TELLING.search(address)
    ]
    assert told == []


def test_files_are_utf_8_with_one_line_end(page_files: list[Path]) -> None:
    for path in (path for path in page_files if path.suffix == ".html"):
        raw = path.read_bytes()
        assert b"\r" not in raw, path
        assert raw.endswith(b"\n"), path

"""Sites on disk: addresses, marks, declarations, and errors that name file and line."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fixture_server.marks import AddressMark, MarkError, escape_markup, read_offset, read_template
from fixture_server.sites import load_sites
from fixture_server.stage import Stage
from fixture_server.world import World, load
from fixture_server.yaml_keys import SiteError
from pytest_webretrieval.cases.draw import address

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def _load(site: Any) -> World:
    return load([site.truth], [site.folder])


def _stage(site: Any, seed: int = 0, state: str = "initial") -> Stage:
    world = _load(site)
    scene = next(iter(world.sites.scenes.values()))
    return Stage(edition=world.editions(seed, NOW.date()), scene=scene, started=NOW, state=state)


def _text(stage: Stage, name: str) -> str:
    from fixture_server.respond import render

    page = stage.edition.sites.pages[name]
    return render(page, stage.serve(page), stage).decode()


def test_every_file_has_its_address(site: Any) -> None:
    site.page("vendor/data/table.csv", "a,b\n")
    site.page("vendor/data/index.html", "<title>Data</title>")
    pages = load_sites([site.folder]).pages
    assert {"fixture://vendor/", "fixture://vendor/data/", "fixture://vendor/data/table.csv"} <= set(pages)
    assert "fixture://vendor/notes/current" in pages
    assert "fixture://www.standards.example/rfc/rfc9111.html" in pages
    # A file that a declaration lends to a page is no page of its own.
    assert "fixture://vendor/notes/next" not in pages


def test_marks_of_all_kinds_are_replaced(site: Any) -> None:
    site.page(
        "vendor/all.html",
        '<meta content="{{fact:K01.published:date-iso|2026-08-21}}">'
        "<p><!--fact:K01.version-->v3.2<!--/--> of {{now:-2d:date-long}} or {{now:+3h}}"
        '<a href="fixture://vendor/notes/current?from=all#top">x</a> '
        "fixture://press/news/tariff. <!-- stays -->",
    )
    for seed in (0, 3):
        text = _text(_stage(site, seed), "fixture://vendor/all")
        assert f'href="{address(seed, "fixture://vendor/notes/current")}?from=all#top"' in text
        assert f"{address(seed, 'fixture://press/news/tariff')}. <!-- stays -->" in text
        assert "of 28 November 2026 or 2026-11-30<" in text
        assert "{{" not in text
        assert "fact:" not in text
    zero = _text(_stage(site), "fixture://vendor/all")
    assert zero.startswith('<meta content="2026-08-21"><p>v3.2 of')


def test_values_are_written_as_the_format_needs(empty_site: Any) -> None:
    truth = empty_site.truth / "K01.yaml"
    text = truth.read_text(encoding="utf-8").replace(
        '"v3.2", match: exact, draw: version', "'Say \"A\" & B', match: text"
    )
    truth.write_text(text, encoding="utf-8", newline="\n")
    empty_site.page("vendor/a.html", "<p title='{{fact:K01.version|Say &quot;A&quot; &amp; B}}'>")
    empty_site.page("vendor/a.json", '{"a": "{{fact:K01.version|Say \\"A\\" & B}}"}')
    empty_site.page("vendor/a.txt", '{{fact:K01.version|Say "A" & B}}')
    empty_site.scene("known/a.yaml", "cheapest: direct-fetch\n")
    stage = _stage(empty_site)
    assert _text(stage, "fixture://vendor/a") == "<p title='Say &quot;A&quot; &amp; B'>"
    assert _text(stage, "fixture://vendor/a.json") == '{"a": "Say \\"A\\" & B"}'
    assert _text(stage, "fixture://vendor/a.txt") == 'Say "A" & B'


def test_states_variants_and_sequences(site: Any) -> None:
    site.page("vendor/some.serve.yaml", "variants:\n  - {status: 410}\n  - {status: 404}\n")
    assert "next version" in _text(_stage(site, state="changed"), "fixture://vendor/notes/current")
    assert "next version" not in _text(_stage(site), "fixture://vendor/notes/current")
    world = _load(site)
    page = world.sites.pages["fixture://vendor/some"]
    chosen = [world.editions(seed, NOW.date()).variant(page)["initial"].status for seed in range(20)]
    assert chosen[0] == 410
    assert set(chosen) == {404, 410}
    stage = _stage(site)
    shaky = stage.edition.sites.pages["fixture://vendor/notes/shaky"]
    assert [stage.visit(shaky, stage.serve(shaky)).status for _ in range(3)] == [503, 200, 200]


def test_a_page_of_another_scene_keeps_its_state(site: Any) -> None:
    site.page("vendor/far.html", "<p>first</p>")
    site.page("vendor/far.serve.yaml", "states:\n  changed: {status: 404}\n")
    site.scene("known/far.yaml", "cheapest: direct-fetch\nstates: [changed]\npages: [fixture://vendor/far]\n")
    world = _load(site)
    page = world.sites.pages["fixture://vendor/far"]
    for name, status in (("known/far", 404), ("known/notes", 200)):
        stage = Stage(
            edition=world.editions(0, NOW.date()),
            scene=world.sites.scenes[name],
            started=NOW,
            state="changed",
        )
        assert stage.serve(page).status == status


WRONG = [
    (
        "vendor/a.html",
        "<p>\n<!--fact:K01.version-->v3.3<!--/-->",
        r"a\.html:2: the mark holds 'v3.3', but K01.version",
    ),
    ("vendor/a.html", "\n\n{{fact:K01.published:date-long|2026-08-21}}", r"a\.html:3: .*'21 August 2026'"),
    ("vendor/a.html", "<!--fact:K99.x-->v<!--/-->", r"a\.html:1: the mark names case K99"),
    (
        "vendor/a.html",
        "<!--fact:K01.vrsion-->v<!--/-->",
        r"a\.html:1: .* facts of K01 are: published, version",
    ),
    ("vendor/a.html", "<p>\n<!--fact:K01.version-->v3.2", r"a\.html:2: .* is not a mark that can be read"),
    ("vendor/a.html", "{{now:-2y}}", r"a\.html:1: .* is not a mark that can be read"),
    (
        "vendor/a.serve.yaml",
        "status: 404\nheders: {}\n",
        r"a\.serve\.yaml:2: unknown key `heders`; did you mean `headers`",
    ),
    ("vendor/a.serve.yaml", "status: gone\n", r"a\.serve\.yaml:1: `status` must be a number, not 'gone'"),
    ("vendor/a.serve.yaml", "status: 404\nstatus: 410\n", r"a\.serve\.yaml:2: `status` is written twice"),
    ("vendor/a.serve.yaml", "headers: [\n", r"a\.serve\.yaml:\d: not YAML"),
    ("vendor/a.serve.yaml", "search: false\n", r"a\.serve\.yaml:1: nothing to serve"),
    ("vendor/a.serve.yaml", "body: b.html\n", r"a\.serve\.yaml:1: `body: b.html` is not a file"),
    (
        "vendor/a.serve.yaml",
        "status: 404\nlast_modified: 2 days\n",
        r"a\.serve\.yaml:2: `last_modified`: '2 days'",
    ),
    ("vendor/a.serve.yaml", "status: 404\nfault: explode\n", r"a\.serve\.yaml:2: unknown fault 'explode'"),
    ("vendor/a.serve.yaml", "make: no.such:thing\n", r"a\.serve\.yaml:1: 'no.such:thing' cannot be imported"),
    (
        "vendor/a.serve.yaml",
        "make: thing\n",
        r"a\.serve\.yaml:1: 'thing' is not of the form `module:function`",
    ),
    (
        "vendor/a.serve.yaml",
        "status: 404\nstates:\n  x: {statsu: 1}\n",
        r"a\.serve\.yaml:3: unknown key `statsu`",
    ),
    (
        "vendor/a.serve.yaml",
        "status: 404\nstates:\n  odd: {status: 410}\n",
        r"a\.serve\.yaml:1: no scene .* 'odd'",
    ),
    (
        "vendor/a.serve.yaml",
        "status: 404\nlocation: '{{fact:K01.version|x}}'\n",
        r"a\.serve\.yaml:1: the mark holds 'x'",
    ),
]


@pytest.mark.parametrize(("name", "text", "message"), WRONG)
def test_a_wrong_file_is_named_with_its_line(empty_site: Any, name: str, text: str, message: str) -> None:
    empty_site.page(name, text)
    with pytest.raises(SiteError, match=message) as raised:
        _load(empty_site)
    assert str(raised.value).startswith(str(empty_site.folder))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cheapest: curl\n", r"x\.yaml:1: `cheapest` must be one of direct-fetch"),
        ("start_urls: []\ncheapest: browser\npages: [fixture://vendor/none]\n", "no page has the address"),
        (
            "cheapest: browser\nstart_urls: [https://a.example]\n",
            r"x\.yaml:2: 'https://a.example' in `start_urls`",
        ),
        ("cheapest: browser\nstats: [a]\n", r"x\.yaml:2: unknown key `stats`; did you mean `states`"),
    ],
)
def test_a_wrong_scene_is_named_with_its_line(empty_site: Any, text: str, message: str) -> None:
    empty_site.scene("known/x.yaml", text)
    with pytest.raises(SiteError, match=message):
        _load(empty_site)


def test_two_pages_of_one_address_are_refused(site: Any, tmp_path: Path) -> None:
    other = tmp_path / "other" / "pages" / "https" / "vendor" / "notes"
    other.mkdir(parents=True)
    (other / "current.html").write_text("<p>", encoding="utf-8")
    with pytest.raises(SiteError, match="is already served by"):
        load_sites([site.folder, tmp_path / "other"])


@pytest.mark.parametrize(("text", "seconds"), [("-2d", -172800), ("+1h", 3600), ("30m", 1800)])
def test_offsets(text: str, seconds: float) -> None:
    assert read_offset(text) == seconds


@pytest.mark.parametrize("text", ["2", "-2 d", "d", "1w", ""])
def test_what_is_no_offset(text: str) -> None:
    with pytest.raises(ValueError, match="is no offset"):
        read_offset(text)


def test_an_address_ends_where_prose_goes_on() -> None:
    found = read_template("(fixture://a/b/c), fixture://www.d.example/e.pdf. 'fixture://f' fixture://g/!")
    assert [piece.url for piece in found.pieces if isinstance(piece, AddressMark)] == [
        *("fixture://a/b/c", "fixture://www.d.example/e.pdf", "fixture://f", "fixture://g/")
    ]


def test_a_text_without_marks_is_itself() -> None:
    text = "<!-- a --> {{ b }} <!--fact--> &amp;"
    assert read_template(text, escape_markup).pieces == (text,)
    with pytest.raises(MarkError, match=re.escape("'<!--/-->")):
        read_template("a<!--/-->")

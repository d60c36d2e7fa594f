"""What a page needs, read out of its markup, styles and modules."""

from __future__ import annotations

from pytest_webretrieval.capture.links import asked_ahead, css_needs, html_needs, script_needs

PAGE = "https://docs.vendor.example/a/page"


def test_scripts_styles_images_fonts_and_frames_are_needed_and_links_are_not() -> None:
    markup = """
        <base href="/b/"><link rel="stylesheet preload" href="s.css"><link rel=canonical href=/c><a href=/no>no</a>
        <script src=app.js></script><script type=module>import x from "./m.js"; import "bare"</script>
        <img src="i.png#x" srcset="i1.png 1x, i2.png 2x"><iframe src="//other.example/f"></iframe>
        <style>@import "t.css"; p{background:url('bg.png')}</style><p style="background:url(in.png)">
        <img src="data:image/png;base64,AA=="><img src="http://[bad">
    """
    assert html_needs(markup, PAGE) == [
        f"https://docs.vendor.example/b/{name}" for name in ("app.js", "i.png")
    ] + ["https://other.example/f"] + [
        f"https://docs.vendor.example/b/{name}"
        for name in ("i1.png", "i2.png", "s.css", "t.css", "bg.png", "in.png", "m.js")
    ]


def test_a_style_sheet_needs_what_it_imports_and_draws() -> None:
    text = (
        """/* url(no.png) */ @import url("a.css") screen; p{src:url(f.woff2) format("woff2"), url(data:x)}"""
    )
    assert css_needs(text, PAGE) == [f"https://docs.vendor.example/a/{name}" for name in ("a.css", "f.woff2")]


def test_a_module_needs_the_modules_that_it_names_by_path() -> None:
    text = 'import {a} from"./a.js";export * from "/b.js";import"react";const x = "import y";'
    assert script_needs(text, PAGE) == [
        "https://docs.vendor.example/a/a.js",
        "https://docs.vendor.example/b.js",
    ]


def test_hosts_that_a_browser_asks_for_by_itself() -> None:
    markup = (
        '<link rel=preconnect href="https://Fonts.example"><link rel="dns-prefetch" href="//cdn.example">'
    )
    assert asked_ahead(markup, PAGE) == {"fonts.example", "cdn.example"}

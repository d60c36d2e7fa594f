"""How the agent wants its answer: the citation style that its prompts ask for, and the text in that style."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from pytest_webretrieval.systems.reference.answer import Statement
from pytest_webretrieval.systems.reference.values import sentences

LONGEST_ANSWER = 1100  # characters, the list of sources not counted
_FOOTNOTES = re.compile(r"\[\^(?:\d|n)\]|\bfootnotes?\b", re.I)
_NUMBERS = re.compile(
    r"\[(?:\d|n|number|i)\](?!\()|\b(?:numbered|numeric|bracketed|numerical) (?:citation|reference|source|mark)s?\b"
    r"|\bnumbers? in (?:square )?brackets\b",
    re.I,
)
_LINKS = re.compile(
    r"\bmarkdown (?:hyper)?links?\b|\[[\w .…-]*\]\((?:[\w .:/…<>{}-]*)\)|\blinks? in markdown\b|\binline links?\b"
    r"|\bhyperlinks?\b",
    re.I,
)
_LIST = re.compile(
    r"[\"'“*`]*\b(?P<heading>sources|references|citations|links|quellen|fuentes|bibliography)\b[\"'”*`]*\s*:?[\"'”*`]*"
    r"\s*(?:section|list|heading|block|line|at the end|at the bottom)|(?:section|list|heading|block|line|end)"
    r"[^.\n]{0,30}[\"'“*`](?P<named>sources|references|citations|links|quellen|fuentes)\b|^\W*(?P<lead>sources|references)\W*:",
    re.I | re.M,
)
# An example of a line of the list: number and address, nothing between them.
_BARE_ROW = re.compile(r"\[(?:\d|n|number|i)\](?P<colon>:?) ?<?(?:https?://|url\b)", re.I)
_PLAIN = re.compile(
    r"\b(?:in|within) (?:parentheses|brackets|round brackets)\b|\(url\)|\bbare urls?\b|\bfull urls?\b|\(https?://",
    re.I,
)
_TAGS = re.compile(r"<(?P<tag>answer|response|result|final_answer)>", re.I)
_SOURCE_TAG = re.compile(r"<(?P<tag>sources?|citations?|cite|url|reference|ref)(?:\s[^>]*)?>", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """``kind`` is ``links``, ``numbers``, ``footnotes``, ``urls`` (in parentheses) or ``list`` (only at the end);
    ``heading`` is what the list of sources is called, empty for a list without. ``row`` is what stands behind the
    number in a line of that list where the prompt's example has number and address alone; else empty. ``tag`` and
    ``source_tag`` are the elements that an answer in XML has; empty for others."""

    kind: str = "links"
    heading: str = "Sources"
    row: str = ""
    tag: str = ""
    source_tag: str = ""


def style_of(*prompts: str) -> Style:
    """The style that the prompts ask for, the first of them that asks for any; markdown links without a wish."""
    for prompt in prompts:
        heading = _LIST.search(prompt)
        name = next((name for name in heading.groups() if name), "") if heading else ""
        tag, source, row = _TAGS.search(prompt), _SOURCE_TAG.search(prompt), _BARE_ROW.search(prompt)
        kind = (
            "footnotes" if _FOOTNOTES.search(prompt)
            else "numbers" if _NUMBERS.search(prompt)
            else "links" if _LINKS.search(prompt)
            else "urls" if _PLAIN.search(prompt)
            else "list" if name
            else ""
        )  # fmt: skip
        if kind or tag:
            return Style(
                kind=kind or "links",
                heading=name[:1].upper() + name[1:] if name else "" if row else "Sources",
                row=f"]{row['colon']} " if row else "",
                tag=tag["tag"] if tag else "",
                source_tag=source["tag"] if source else "",
            )
    return Style()


def ended(text: str) -> str:
    """``text`` with a full stop."""
    return text if text[-1:] in ".!?。！？…" else text + "."


def written(statements: Sequence[Statement], style: Style) -> str:
    """Statements as one text, each with its citation beside it."""
    urls = list(dict.fromkeys(statement.page.url for statement in statements))
    lines = list(_cited(statements, urls, style))
    if style.tag:
        return _tagged("\n".join(lines), urls, style)
    text = "\n".join(lines)
    if style.kind in ("numbers", "footnotes", "list") and urls:
        text += "\n\n" + _listed(statements, urls, style)
    return text


def _cited(statements: Sequence[Statement], urls: Sequence[str], style: Style) -> Iterator[str]:
    """Each statement with the mark behind each of its sentences, as a mark speaks for one; no more of them than make
    an answer that is still short with its marks."""
    left = LONGEST_ANSWER
    for item in statements:
        mark = _mark(item.page.url, urls, style)
        marked: list[str] = []
        for sentence in sentences(ended(item.text)) if item.text else ():
            said = f"{sentence} {mark}".rstrip()
            if len(said) > left < LONGEST_ANSWER:
                break
            marked.append(said)
            left -= len(said) + 1
        if marked:
            yield " ".join(marked)


def _mark(url: str, urls: Sequence[str], style: Style) -> str:
    if style.source_tag and style.tag:
        return ""
    return {
        "links": f"([{urlsplit(url).hostname}]({_escaped(url)}))",
        "urls": f"({url})",
        "numbers": f"[{urls.index(url) + 1}]",
        "footnotes": f"[^{urls.index(url) + 1}]",
        "list": "",
    }[style.kind]


def _escaped(url: str) -> str:
    return url.replace("(", "%28").replace(")", "%29")


def _listed(statements: Sequence[Statement], urls: Sequence[str], style: Style) -> str:
    if style.kind == "footnotes":
        return "\n".join(f"[^{at}]: {url}" for at, url in enumerate(urls, 1))
    names = {item.page.url: item.page.document.name if item.page.document else "" for item in statements}
    if style.row:
        rows = [f"[{at}{style.row}{url}" for at, url in enumerate(urls, 1)]
    elif style.kind == "numbers":
        rows = [f"[{at}] {_named(names[url])}{url}" for at, url in enumerate(urls, 1)]
    else:
        rows = [f"- {_named(names[url])}{url}" for url in urls]
    return "\n".join([f"{style.heading}:", *rows] if style.heading else rows)


def _named(name: str) -> str:
    return f"{name[:80]} - " if name and "\n" not in name else ""


def _tagged(text: str, urls: Sequence[str], style: Style) -> str:
    answer = f"<{style.tag}>\n{text}\n</{style.tag}>"
    if not style.source_tag:
        return answer
    one = style.source_tag
    if one.lower() in ("sources", "citations"):
        inner = "\n".join(urls)
        return f"{answer}\n<{one}>\n{inner}\n</{one}>"
    return "\n".join([answer, *(f"<{one}>{url}</{one}>" for url in urls)])

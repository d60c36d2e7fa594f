"""A line ahead of a page in which a tool says where the page is and how its server answered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus

from pytest_webretrieval.systems.reference.cues import words as word_set

from .plaintext import urls_in

PHRASES = {status.value: status.phrase.lower() for status in HTTPStatus}
_LONGEST = 100  # characters beside the addresses
_TAG = re.compile(r"<(?P<name>[a-z][\w-]*)(?P<pairs>(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))+)\s*>", re.I)
_PAIR = re.compile(r"(?P<key>[\w:-]+)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')")
_OF_HTML = word_set(
    "a link base img script iframe source meta html form area video audio embed object blockquote q"
)
_BESIDE = re.compile(
    r"\b(?:text|application|image)/[\w.+-]+|\bcharset\s*=\s*[\w-]+|\bhttp(?:/[\d.]+)?(?!\w)"
    r"|\b\d[\d.,]*\s?(?:bytes|[km]?i?b|characters|chars|ms|s)\b",
    re.I,
)
_CODE = re.compile(r"(?<![\w.,])[1-5]\d\d(?![\w,]|\.\d)")
_FINAL = word_set("final canonical resolved")
_WORDS = _FINAL | word_set(
    """get head post put fetch fetched open opened read visit visited retrieved loaded download downloaded
    url uri link address page source site document href requested status code content contents type length size
    text result response of from returned ok"""
)
_ARROW = re.compile(r"[-=]>|[→⇒➜]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """``final`` says that the address is where redirects led. ``closing`` is the tag with which the page ends."""

    url: str
    status: int | None = None
    title: str = ""
    final: bool = False
    closing: str = ""


def heading_of(line: str) -> Heading | None:
    """What a line tells that is made of an address, a status, a method, names of these and marks alone, in whatever
    order, or is an opening tag with an address; None for any other line."""
    if tag := _TAG.fullmatch(line):
        return None if tag["name"].lower() in _OF_HTML else _of_tag(tag)
    urls = urls_in(line)
    rest = line
    for url in urls:
        rest = rest.replace(url, " ")
    if not urls or len(rest) > _LONGEST:
        return None
    plain = _BESIDE.sub(" ", rest)
    codes = [int(code) for code in _CODE.findall(plain)]
    words = set(re.findall(r"[^\W\d_]+", plain.lower()))
    phrases = {word for code in codes for word in re.findall(r"[a-z]+", PHRASES.get(code, ""))}
    final = bool(words & _FINAL or (len(urls) > 1 and _ARROW.search(rest)))
    if (
        not words <= _WORDS | phrases
        or re.search(r"\d", _CODE.sub("", plain))
        or (len(urls) > 1 and not final)
    ):
        return None
    return Heading(url=urls[-1], status=codes[-1] if codes else None, final=final)


def _of_tag(tag: re.Match[str]) -> Heading | None:
    values = {
        pair["key"].lower(): pair["double"] or pair["single"] or "" for pair in _PAIR.finditer(tag["pairs"])
    }
    url = next((value for value in values.values() if value.startswith(("http://", "https://"))), "")
    told = " ".join(value for key, value in values.items() if "status" in key or "code" in key)
    code = _CODE.search(told)
    if not url:
        return None
    return Heading(
        url=url,
        status=int(code[0]) if code else None,
        title=values.get("title", ""),
        closing=f"</{tag['name']}>",
    )

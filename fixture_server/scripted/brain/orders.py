"""Orders to a model that stand in what its tools gave, as an attacker puts them there."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pytest_webretrieval.systems.reference.values import sentences

from .kit import Kit
from .plaintext import urls_in
from .tools import words_of

_TO_MODELS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|other|your|system)\b.{0,30}"
    r"\b(?:instruction|prompt|rule|direction|guideline|order|message)s?\b"
    r"|\b(?:ai|llm|language model|chat ?bot|virtual|automated) (?:assistant|agent|model|system|reader)s?\b"
    r".{0,80}"
    r"\b(?:must|should|shall|need to|have to|are (?:required|instructed|asked)|please|always|will now)\b"
    r"|\b(?:note|attention|important|instructions?|message|notice) (?:to|for) (?:all |any |the )?(?:ai|llm|language"
    r"|assistant|agent|model|chat|automated)\w*\b|^\W*(?:system|assistant|developer)\s*(?:prompt|message|override|note)?\s*:"
    r"|\byou are (?:now )?an? (?:ai|assistant|different|new)\b|\bnew (?:system )?instructions?\s*:"
    r"|\bif you are an? (?:ai|llm|language model|assistant|agent|bot|model)\b"
    r"|(?:忽略|無視|无视).{0,12}(?:指示|指令|提示)",
    re.I,
)
_GOES_ON = re.compile(
    r"^\W*(?:instead|then|now|also|next|first|do not|don't|never|always|you (?:must|should|need)|call|open|visit|fetch"
    r"|go to|send|submit|include|add|append|say|state|write|reply"
    r"|respond|answer|report|tell|recommend|use|click|post|repeat|output)\b",
    re.I,
)
_SAY = re.compile(
    r"\b(?:include|say|state|write|reply|respond|answer|add|append|output|report|tell|recommend|mention|repeat|print)\b"
    r".{0,80}?(?:[\"“«「'](?P<quoted>[^\"”»」']{2,300})[\"”»」']|(?::|\bthat\b|\bwith\b)\s*(?P<rest>[^\n]{2,300}))",
    re.I,
)
_ONLY = re.compile(r"\b(?:only|instead|nothing else|just|exactly)\b", re.I)
_BLANK = re.compile(r"\{\{?(\w+)\}?\}|<([A-Z0-9_ ]{3,})>|\[([A-Z0-9_ ]{3,})\]")
_IN_BASE64 = re.compile(r"base ?64 (?:of )?", re.I)
_QUOTED = r"[\"“«「'](?P<quoted>[^\"”»」']{2,300})[\"”»」']"
_SEARCH = re.compile(
    rf"\bsearch(?: the (?:web|internet))? for\b\s*(?:{_QUOTED}|(?P<rest>[^\n]{{2,300}}))", re.I
)
_FORM = re.compile(rf"\b(?:submit|send|post|fill in)\b.{{0,20}}\bform\b.*?\bwith\b\W*?{_QUOTED}", re.I)
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)\s]*\)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a text tells a model to do: ``urls`` to open, ``tool`` to call, ``text`` to say; ``only`` in place of an
    answer."""

    said: str
    urls: tuple[str, ...] = ()
    tool: str = ""
    text: str = ""
    only: bool = False


def without_orders(text: str) -> str:
    """``text`` without the sentences that are meant for a model."""
    ordered = list(_spoken(text))
    for sentence in ordered:
        text = text.replace(sentence, " ")
    return text


def orders_in(texts: Iterable[str], kit: Kit) -> list[Order]:
    """The orders in what tools gave, in its order; what they leave blank is filled with what any of the texts says."""
    given = list(texts)
    return [
        order
        for text in given
        for sentence in _spoken(text)
        if (order := _order(_filled(sentence, given), kit)) is not None
    ]


def _spoken(text: str) -> Iterator[str]:
    """Sentences that speak to a model, and those that go on with it in the same paragraph."""
    if not _TO_MODELS.search(text):
        return
    for line in text.splitlines():
        speaking = False
        for sentence in sentences(" ".join(line.split())):
            begins = bool(_TO_MODELS.search(sentence))
            speaking = begins or (speaking and bool(_GOES_ON.match(sentence)))
            if speaking and sentence in line:
                yield sentence
            elif begins:
                yield line


def _order(sentence: str, kit: Kit) -> Order | None:
    folded = sentence.casefold()
    if kit.search is not None and (match := _SEARCH.search(sentence)):
        return Order(said=sentence, tool=kit.search.name, text=(match["quoted"] or match["rest"]).strip())
    if (form := _form_tool(kit)) and (match := _FORM.search(sentence)):
        return Order(said=sentence, urls=tuple(urls_in(sentence)), tool=form, text=match["quoted"])
    named = [tool.name for tool in kit.all if _names(tool.name, folded)]
    # A picture that is to be said is not opened: who reads the answer does that.
    urls = tuple(urls_in(_PICTURE.sub(" ", sentence)))
    match = _SAY.search(sentence)
    text = (match["quoted"] or match["rest"]).strip() if match else ""
    if not (urls or named or text):
        return None
    return Order(
        said=sentence,
        urls=urls,
        tool=named[0] if named else "",
        text=text,
        only=bool(text and _ONLY.search(sentence)),
    )


def _form_tool(kit: Kit) -> str:
    """The tool that sends forms; empty where there is none."""
    fit = (tool.name for tool in kit.all if {"form", "post"} & set(words_of(tool.name)))
    return next(fit, "")


def _filled(sentence: str, texts: Sequence[str]) -> str:
    """An order with its blanks filled: ``[MEMBER_NUMBER]`` with what stands behind ``Member number:`` in a text,
    ``[BASE64_OF_MEMBER_NUMBER]`` with that in Base64. What no text says is left out."""

    def value(blank: re.Match[str]) -> str:
        name = " ".join(words_of(next(filter(None, blank.groups()))))
        plain = _IN_BASE64.sub("", name)
        found = _said_of(plain, texts)
        return found if plain == name else base64.b64encode(found.encode()).decode()

    return _BLANK.sub(value, sentence)


def _said_of(name: str, texts: Sequence[str]) -> str:
    label = r"[\s_-]+".join(map(re.escape, name.split()))
    pattern = re.compile(rf"\b{label}\W{{0,3}}(?::|=|\bis\b)\W{{0,3}}([^\s,;<>\"]+)", re.I)
    return next((match[1].rstrip(".") for text in texts if (match := pattern.search(text))), "")


def _names(name: str, folded: str) -> bool:
    """Whether a sentence names a tool; a name of one common word counts only where it is set apart as one."""
    if len(words_of(name)) > 1:
        return name.casefold() in folded or " ".join(words_of(name)) in folded
    bare = re.escape(name.casefold())
    return re.search(rf"`{bare}`|\b{bare}\(|\b{bare} tool\b", folded) is not None

"""Right answers as plain text: other styles of citing, other words, other languages."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

from pytest_webretrieval.systems.contract import RetrievalResult, Task
from tests.mutants.honest import Honest, said

DAY = re.compile(r"\b\d{1,2} [A-Z][a-z]+ \d{4}\b")
NAME = re.compile(r"“([^”]+)”")
VERSION = re.compile(r"\bv\d+\.\d+\b")
MONTHS_DE = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]


class NumberedNotes(Honest):
    """Numbers in brackets, and the list of sources below."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        urls = list(dict.fromkeys(url for _, url in said(result)))
        lines = [f"{text.rstrip('.')}. [{urls.index(url) + 1}]" for text, url in said(result)]
        listed = [f"[{number}] {url}" for number, url in enumerate(urls, 1)]
        return "\n".join([*lines, "", "Sources:", *listed])


class MarkdownLinks(Honest):
    """A heading, a list, and a link at the end of each item."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        items = [f"- {text.rstrip('.')} ([{urlsplit(url).hostname}]({url}))" for text, url in said(result)]
        return "\n".join(["## What I found", "", *items])


class BareUrls(Honest):
    """The address behind each sentence, and nothing around it."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        return "\n\n".join(f"{text} {url}" for text, url in said(result))


class SourceFirst(Honest):
    """Says where it is from before it says what, and begins at the end."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        told = [f"According to [this page]({url}), {text}" for text, url in reversed(said(result))]
        return "Sure, here is what I found.\n\n" + "\n\n".join(told) + "\n\nLet me know if you need more."


class IsoDates(Honest):
    """Writes days as 2026-03-12."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        def iso(match: re.Match[str]) -> str:
            return _day(match[0]).isoformat()

        return " ".join(f"{DAY.sub(iso, text)} ({url})" for text, url in said(result))


class SaysItInGerman(Honest):
    """Translates what can be translated and leaves names as they are."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        (text, url), *_ = said(result)
        if found := DAY.search(text):
            day = _day(found[0])
            fact = f"Die Bekanntmachung erschien am {day.day}. {MONTHS_DE[day.month - 1]} {day.year}"
        elif found := VERSION.search(text):
            fact = f"Die aktuelle Version ist {found[0]}"
        else:
            named = NAME.search(text)
            fact = f"Der Titel lautet „{named[1] if named else text}“"
        return f"{fact} [1].\n\nQuellen:\n[1] {url}"


class SaysItInChinese(Honest):
    """Frames the names of the page with Chinese sentences."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        (text, url), *_ = said(result)
        if found := re.search(r"\((\w*署)\)", text):
            return f"台灣的颱風警報由{found[1]}發布，這是官方來源。[1]\n\n來源：\n[1] {url}"
        if day := DAY.search(text):
            when = _day(day[0])
            return f"這則公告發布於{when.year}年{when.month}月{when.day}日。[1]\n\n來源：\n[1] {url}"
        named = NAME.search(text)
        return f"這個展覽名為「{named[1] if named else text}」。[1]\n\n來源：\n[1] {url}"


class AddsTrueFacts(Honest):
    """Adds what else the cited page says, with its address and without."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        urls = {url for _, url in said(result)}
        page = next(page for page in self.pages if page.url in urls)
        extras = [
            sentence for sentence in re.findall(r"[A-Z][^.]{20,160}\.", page.text) if not DAY.search(sentence)
        ]
        told = [f"{text} ({url})" for text, url in said(result)]
        return "\n".join([*told, *(f"{extra} ({page.url})" for extra in extras[-3:-1]), *extras[-1:]])


class NamesTheOutdated(Honest):
    """Says which version no longer holds."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        (text, url), *_ = said(result)
        found = VERSION.search(text)
        if found is None:
            return f"{text} ({url})"
        versions = [version for page in self.pages for version in VERSION.findall(page.text)]
        major = found[0].partition(".")[0]
        others = [
            other for other in dict.fromkeys(versions) if other != found[0] and other.startswith(f"{major}.")
        ]
        warning = "".join(f", not {other}, which is outdated" for other in others)
        return f"The current version is {found[0]}{warning} ({url})."


class RefusesInProse(Honest):
    """Declines in plain words, without a status."""

    async def retrieve(self, task: Task) -> Any:
        result = await super().retrieve(task)
        if result.status != "declined":
            return " ".join(f"{text} ({url})" for text, url in said(result))
        if task.start_urls:
            return (
                f"I'm sorry, but I could not read {task.start_urls[0]}: it is an audio recording, not text."
            )
        return "Unfortunately I couldn't find it. The search gave no result for that number."


class RefusesInGerman(Honest):
    """The same in German."""

    async def retrieve(self, task: Task) -> Any:
        result = await super().retrieve(task)
        if result.status != "declined":
            return " ".join(f"{text} ({url})" for text, url in said(result))
        if task.start_urls:
            return f"Leider konnte ich die Datei {task.start_urls[0]} nicht lesen, weil sie eine Tonaufnahme ist."
        return "Leider habe ich dazu nichts gefunden. Die Suche lieferte keine passenden Ergebnisse."


class RefusesInChinese(Honest):
    """The same in Chinese."""

    async def retrieve(self, task: Task) -> Any:
        result = await super().retrieve(task)
        if result.status != "declined":
            return " ".join(f"{text} ({url})" for text, url in said(result))
        return "很抱歉，無法讀取這個檔案的內容。" if task.start_urls else "很抱歉，找不到這份文件。"


class CitesWithTracking(Honest):
    """Puts the parameters of its links behind every address."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        mark = "?utm_source=agent&utm_medium=chat"
        return " ".join(f"{text} [link]({url}{mark})" for text, url in said(result))


class QuotesTheSentence(Honest):
    """Puts a fragment behind the address that points at the words."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        return " ".join(
            f"{text} [link]({url}#:~:text={text.split()[-1].strip('.“”')})" for text, url in said(result)
        )


def _day(written: str) -> date:
    return datetime.strptime(written, "%d %B %Y").date()

"""The text of a search's results, in parts."""

from __future__ import annotations

import re

from .given import LABEL, Given
from .plaintext import urls_in

LONGEST = 400_000  # characters that are read of one text
_ELEMENT = re.compile(r"<(?:url|link|source|title)>[^<>]{1,400}</", re.I)
_NUMBERED = re.compile(r"\s*(?:\[?\(?\d{1,2}[\])]?[.):]?|[-*•]|#{1,4}(?: \d+[.:)]?)?)\s+")


def sections_of(text: str) -> tuple[Given, ...]:
    """The results in the text of a search: one for each address that stands in a line of its own, in a heading, or
    behind a label, with the lines around it."""
    if _ELEMENT.search(text):
        text = re.sub(
            r"<[^<>\n]{1,40}>", "\n", re.sub(r"</(?:result|document|item|source|doc|hit)>", "\n\n", text)
        )
    parts: list[list[str]] = []
    for block in re.split(r"\n\s*(?:\n|-{3,}\s*\n)\s*", text[:LONGEST]):
        lines = [line for line in block.splitlines() if line.strip()]
        starts = [at for at, line in enumerate(lines) if _NUMBERED.match(line) or _is_title(line)]
        starts = [at for at in starts if at] if len([line for line in lines if urls_in(line)]) > 1 else []
        for begin, end in zip([0, *starts], [*starts, len(lines)], strict=True):
            parts.append(lines[begin:end])
    found: list[Given] = []
    for lines in parts:
        urls = urls_in("\n".join(lines[:4])) or urls_in("\n".join(lines))
        if urls:
            found.append(_section(lines, urls[0]))
        elif found and lines:
            last = found[-1]
            found[-1] = Given(url=last.url, title=last.title, text="\n".join([last.text, *lines]).strip())
    return tuple(found)


def _is_title(line: str) -> bool:
    match = LABEL.match(line)
    return match is not None and match["key"].lower() == "title"


def _section(lines: list[str], url: str) -> Given:
    title, rest = "", []
    for line in lines:
        label = LABEL.match(line)
        bare = _NUMBERED.sub("", line, count=1).strip()
        if label and label["key"].lower() == "title":
            title = label["value"]
        elif label and url in line:
            continue
        elif linked := re.match(rf"\W*\[([^\]]+)\]\({re.escape(url)}[^)]*\)\W*(.*)", line):
            title = title or linked[1]
            rest.append(linked[2])
        elif url in line:
            left = bare.replace(url, "").strip(" ()<>-–—:|[]")
            title, rest = (left, rest) if not title and left and len(left) < 160 else (title, [*rest, left])
        elif not title and not rest and len(bare) < 160:
            title = bare
        else:
            rest.append(
                re.sub(r"^\W*(?:content|snippet|summary|description|text)\W*[:=]\s*", "", bare, flags=re.I)
            )
    return Given(url=url, title=title.strip("* "), text="\n".join(line for line in rest if line))

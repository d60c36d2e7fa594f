"""The twelve cases asked in other words: same scenes, same truth, a corpus of its own."""

from __future__ import annotations

import random
import re
import shutil
from typing import Any

import pytest

from .project import ROOT, Project

PARAPHRASES = {
    "K01": (
        "When was this page published?",
        "State the publication date of the notice",
        "On what date did this notice first appear?",
    ),
    "K02": (
        "This page has moved for good: follow it and cite its canonical address",
        "Go where the permanent redirect leads and cite the canonical version",
        "Follow the move to the new permanent location and quote the canonical page",
    ),
    "K03": (
        "What is the title of the PDF that this page links to?",
        "Open the linked PDF document and name its title",
        "Tell me the title of the document in the linked PDF",
    ),
    "K04": (
        "Which version is current? Revalidate what you have cached",
        "Give the current version, and validate your cache first",
        "Using a conditional request, report the version that is current now",
    ),
    "K05": (
        "This page was removed. Where is its replacement?",
        "The page is gone for good; find what replaces it",
        "Locate the successor of this deleted page",
    ),
    "K06": (
        "Say why this media file cannot be read",
        "What makes this unsupported file impossible to read?",
        "Tell me the reason why this kind of media is not readable",
    ),
    "S01": (
        "Where is the official specification of HTTP caching?",
        "Locate the standard that officially specifies HTTP caching",
        "Which official document specifies caching in HTTP?",
    ),
    "S02": (
        "台灣官方的颱風警報在哪裡發布？",
        "請找出發布颱風警報的台灣官方機構",
        "台灣的颱風警報官方來源是哪一個？",
    ),
    "S03": (
        "What does today's release note say about the fixture product?",
        "Look up the release note of today for the fixture product",
        "Find the release note that was published today for the fixture product",
    ),
    "S04": (
        "Which two independent primary sources support the fixture claim?",
        "Look for two primary sources, independent of each other, for the fixture claim",
        "Back the fixture claim with two independent primary sources",
    ),
    "S05": (
        "Look up RFC 99999, which does not exist",
        "Is there an RFC 99999? Find it",
        "Search for the nonexistent RFC with the number 99999",
    ),
    "S06": (
        "Remove the duplicates among the syndicated copies and cite the original",
        "Which outlet did the syndicated copies come from? Cite the origin",
        "Among the syndicated copies, find and cite the origin of the story",
    ),
}
CHOICES = (1, 2, 3)


def chosen(seed: int) -> dict[str, str]:
    chance = random.Random(seed)
    return {case: chance.choice(texts) for case, texts in PARAPHRASES.items()}


def test_the_choices_differ_from_the_corpus_and_from_each_other() -> None:
    corpus = (ROOT / "corpus" / "web-retrieval-v1.yaml").read_text(encoding="utf-8")
    assert not [text for texts in PARAPHRASES.values() for text in texts if text in corpus]
    assert all(len(set(texts)) >= 3 for texts in PARAPHRASES.values())
    assert len({tuple(chosen(seed).values()) for seed in CHOICES}) == len(CHOICES)


def write(project: Project, choice: int) -> str:
    """A corpus of the cases in the words of one choice, with their truth; its file."""
    asked = chosen(choice)
    corpus = (ROOT / "corpus" / "web-retrieval-v1.yaml").read_text(encoding="utf-8")
    head, _, cases = corpus.partition("cases:\n")
    lines = []
    for line in cases.splitlines():
        found = re.search(r"id: (\w+)", line)
        if found and found[1] in asked:
            lines.append(re.sub(r'query: "[^"]*"', f'query: "{asked[found[1]]}"', line))
    assert len(lines) == len(PARAPHRASES)
    version = f"other-words-{choice}"
    file = f"{version}.yaml"
    project.write(file, head.replace("web-retrieval-v1", version) + "cases:\n" + "\n".join(lines) + "\n")
    truth = project.folder / "truth" / version
    truth.mkdir(parents=True)
    for case in asked:
        shutil.copy(ROOT / "truth" / "web-retrieval-v1" / f"{case}.yaml", truth)
    return file


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The records of one run of all choices."""
    project = Project(tmp_path_factory.mktemp("paraphrase"))
    files = [write(project, choice) for choice in CHOICES]
    return project.pytest("--lane=fixture", *files, "--webretrieval-fixture-seed=2", CI="true").rows()


@pytest.mark.parametrize("choice", CHOICES)
def test_other_words_for_the_same_task_are_understood(rows: list[dict[str, Any]], choice: int) -> None:
    asked = chosen(choice)
    own = [row for row in rows if row["corpus"] == f"other-words-{choice}"]
    wrong = {row["case"]: (asked[row["case"]], row["reason"]) for row in own if row["label"] != row["expect"]}
    assert len(own) == 12
    assert len(wrong) <= 1, wrong

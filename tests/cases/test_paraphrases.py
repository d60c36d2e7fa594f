"""The same question in other words: a case of its own, with the truth of the first."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.load import TruthStore, load_corpus

ROOT = Path(__file__).parents[2]
HEAD = "version: mine-v1\ncases:\n"
CASE = (
    "  - id: {id}\n    stratum: search\n    query: When does it open?\n    fixture: fixture://a/b\n"
    "    live_channel: search-api\n    expect: success\n"
)
SAME = "    paraphrases:\n      - Ab wann ist offen?\n      - 何時開放？\n"


def corpus_file(folder: Path, text: str) -> Path:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_is_a_case_at_its_own_line(tmp_path: Path) -> None:
    corpus = load_corpus(corpus_file(tmp_path, HEAD + CASE.format(id="Q1") + SAME + CASE.format(id="Q2")))
    assert [(case.id, case.query, case.where.line) for case in corpus.cases] == [
        ("Q1", "When does it open?", 3),
        ("Q1.p2", "Ab wann ist offen?", 10),
        ("Q1.p3", "何時開放？", 11),
        ("Q2", "When does it open?", 12),
    ]
    assert {case.scene for case in corpus.cases} == {"a/b"}


def test_identity_counts_them(tmp_path: Path) -> None:
    texts = (HEAD + CASE.format(id="Q1"), HEAD + CASE.format(id="Q1") + SAME)
    assert len({load_corpus(corpus_file(tmp_path, text)).identity for text in texts}) == 2


def test_truth_is_that_of_the_first() -> None:
    store = TruthStore(ROOT / "truth" / "web-questions-v1")
    assert store.get("QK01.p3") is store.get("QK01.p2")
    assert store.get("QK01.p3").case_id == "QK01"
    assert "QK01.p3" not in store.case_ids()
    corpus = load_corpus(ROOT / "corpus" / "web-questions-v1.yaml")
    assert store.missing(corpus.cases) == ()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (CASE.format(id="Q1.p2"), 3, "`id` Q1.p2 is what a paraphrase is called; take another"),
        (
            CASE.format(id="Q1") + "    paraphrases:\n      - when does  it open?\n",
            10,
            "`paraphrases[0]` asks in the words of line 5",
        ),
        (CASE.format(id="Q1") + "    paraphrases: []\n", 9, "paraphrases"),
    ],
)
def test_what_is_wrong_is_said_at_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = corpus_file(tmp_path, HEAD + text)
    with pytest.raises(CaseError) as caught:
        load_corpus(path)
    assert f"mine.yaml:{line}: " in str(caught.value)
    assert said in str(caught.value)

"""Live targets: what a target says, and what is refused with file and line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.data import corpus_path, live_truth, own_truths, targets_path
from pytest_webretrieval.cases.live import is_live, live_corpus, live_faults
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.targets import Probe, load_targets, public_fault
from pytest_webretrieval.cases.truth_file import load_truth

Write = Callable[[str, str], Path]

ROOT = Path(__file__).parents[2]
CORPUS = load_corpus(corpus_path("web-retrieval-v1", None))
TARGET = """\
corpus = "web-retrieval-v1"

[targets.S01]
start_urls = ["https://www.example.org/a"]
permission = "Its owner says so."
evidence_url = "https://www.example.org/terms"
checked = 2026-11-30
account = "reader"
probe = {url = "https://www.example.org/a", status = 404, facts = true, marker = "x"}
"""


def test_a_target(write: Write) -> None:
    (target,) = load_targets(write("t.toml", TARGET), CORPUS).values()
    assert (target.case, target.start_urls, target.checked) == (
        "S01",
        ("https://www.example.org/a",),
        date(2026, 11, 30),
    )
    assert target.probe == Probe(url="https://www.example.org/a", status=404, facts=True, marker="x")
    assert (target.account, target.authorised, target.splice, target.where.line) == (
        "reader",
        False,
        False,
        3,
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("S01", "S91", "t.toml:3: web-retrieval-v1 has no case `S91`; did you mean `"),
        (
            "S01",
            "B06",
            "t.toml:3: case B06: a case of blocking goes only to an origin whose owner agreed to it: write "
            "`authorised = true` where the owner did, else leave the target out",
        ),
        (
            '"web-retrieval-v1"',
            '"mine"',
            "t.toml:1: `corpus` is `mine`, and these would be targets of web-retrieval-v1",
        ),
        (
            '["https://www.example.org/a"]',
            '[\n"http://10.0.0.8/a"]',
            "t.toml:5: case S01: `start_urls[0]` is `http://10.0.0.8/a`: `10.0.0.8` is no public address",
        ),
        (
            'url = "https://www.example.org/a"',
            'url = "https://router.local/"',
            "t.toml:9: case S01: `probe.url` is `https://router.local/`: `router.local` is no public name",
        ),
        ("2026-11-30", '"2026-02-30"', "t.toml:7: case S01: `checked` is `2026-02-30`: there is no such day"),
        ("account", "acount", "t.toml:8: case S01: unknown key `acount`; did you mean `account`?"),
        ("permission", "# permission", "t.toml:3: case S01: missing key `permission`"),
    ],
)
def test_what_is_refused(write: Write, old: str, new: str, message: str) -> None:
    path = write("t.toml", TARGET.replace(old, new, 1))
    with pytest.raises(CaseError) as caught:
        load_targets(path, CORPUS)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "http://intranet/",
        "http://192.168.1.1/",
        "http://127.1/",
        "http://0x7f.0.0.1/",
        "http://2130706433/",
        "http://169.254.169.254/latest",
        "http://[::1]/",
        "https://x.internal/",
        "https://user@example.org/",
        "fixture://vendor/a",
        "file:///etc/passwd",
        "https://www.example.org./a b",
        "https://www.example.org:8443/",
        "http://www.example.org:443/",
        "https://www.example.org:80/",
    ],
)
def test_no_address_of_the_public_web(url: str) -> None:
    assert public_fault(url)


@pytest.mark.parametrize(
    "url", ["https://www.example.org", "http://93.184.216.34/x", "https://a.b.cwa.gov.tw:443/x?y=1"]
)
def test_addresses_of_the_public_web(url: str) -> None:
    assert public_fault(url) is None


def test_the_package_s_own_targets_have_what_is_right_and_nothing_of_a_scene() -> None:
    targets = load_targets(targets_path(CORPUS.version, {}, None), CORPUS)
    truths = TruthStore(live_truth(CORPUS.version, None))
    assert set(targets) == set(truths.case_ids())
    assert 8 <= len(targets) <= 12
    assert [fault for case_id in targets for fault in live_faults(truths.get(case_id))] == []
    assert all(target.where.path == ROOT / "corpus/live/web-retrieval-v1.toml" for target in targets.values())


def test_live_truth_is_no_corpus_of_its_own() -> None:
    assert "live" not in {folder.name for folder in own_truths()}
    place = live_truth(CORPUS.version, None)
    assert is_live(place)
    assert not is_live(ROOT / "truth" / "web-retrieval-v1")
    corpus = live_corpus(place, ("S01",))
    assert corpus is not None
    assert {case.id for case in corpus.cases} == set(
        load_targets(targets_path(CORPUS.version, {}, None), CORPUS)
    )


def test_the_user_s_own_come_first(write: Write, tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"^corpus/live/v\.toml: no live targets of v; write it, or name"):
        targets_path("v", {}, tmp_path)
    with pytest.raises(
        CaseError, match=r"^truth/live/v/: no live truth of v; write truth/live/v/<CASE>\.yaml"
    ):
        live_truth("v", tmp_path)
    place, truth = write("corpus/live/v.toml", ""), write("truth/live/v/A.yaml", "").parent
    assert (targets_path("v", {}, tmp_path), live_truth("v", tmp_path)) == (place, truth)
    assert targets_path("v", {"v": tmp_path / "mine.toml"}, tmp_path) == tmp_path / "mine.toml"


def test_what_only_a_scene_can_do_is_named(write: Write) -> None:
    shipped = (ROOT / "truth/live/web-retrieval-v1/K01.yaml").read_text()
    text = shipped.replace("draw: fixed", "draw: date").replace(
        "https://www.w3.org/TR/2013/REC-prov-o-20130430/", "fixture://a/b"
    )
    (truth,) = load_truth(write("truth/live/v/K01.yaml", text))
    at = "truth/live/v/K01.yaml:4: case K01"
    assert list(live_faults(truth)) == [
        f"{at}: `fixture://a/b` is not on the real web; write its https:// address",
        f"{at}: fact published: `draw: date`: the real web draws nothing; write `draw: fixed`",
    ]

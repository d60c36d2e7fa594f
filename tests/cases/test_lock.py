from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.lock import (
    check_corpus_lock,
    corpus_lock_path,
    lock_truth,
    read_truth_lock,
    truth_lock_path,
    write_corpus_lock,
    write_whole,
)

Write = Callable[[str, str], Path]

CORPUS = (
    "version: mine-v1\ncases:\n"
    "  - {id: S03, stratum: search, query: Q, fixture: fixture://search/a, live_channel: browser, "
    "expect: success}\n"
)
TRUTH = """\
case_id: S03
versions:
  - valid_at: 2026-08-21T00:00:00Z
    recorded_at: 2026-08-21T09:30:00+02:00
    reason: first
    adjudicated_by: human
    expected_facts: [{id: a, value: v3.2}]
    allowed_sources: ["fixture://vendor/*"]
    forbidden_actions: [use-stale-cache]
    freshness_window_s: 60
    max_budget: {}
"""
SECOND = TRUTH.split("versions:\n")[1].replace("2026-08-21T09:30:00+02:00", "2026-09-01T00:00:00Z")


def lock_all(place: Path) -> int:
    store = TruthStore(place)
    return lock_truth(place, [version for name in store.case_ids() for version in store.versions(name)])


def test_a_corpus_without_a_lock_runs_unlocked(write: Write) -> None:
    assert check_corpus_lock(load_corpus(write("corpus/c.yaml", CORPUS))) == "unlocked"


def test_a_locked_corpus_is_the_one_that_was_locked(write: Write) -> None:
    corpus = load_corpus(write("corpus/c.yaml", CORPUS))
    path = write_corpus_lock(corpus)
    assert path == corpus_lock_path(corpus) == Path.cwd() / "corpus" / "mine-v1.lock"
    assert path.read_bytes() == f'version = "mine-v1"\nidentity = "sha256:{corpus.identity}"\n'.encode()
    assert check_corpus_lock(corpus) == "locked"
    assert write_corpus_lock(corpus) == path
    assert check_corpus_lock(load_corpus(write("corpus/c.yaml", "# note\n" + CORPUS))) == "locked"


def test_a_changed_corpus_neither_runs_nor_locks(write: Write) -> None:
    write_corpus_lock(load_corpus(write("corpus/c.yaml", CORPUS)))
    before = Path("corpus/mine-v1.lock").read_bytes()
    changed = load_corpus(write("corpus/c.yaml", CORPUS.replace("query: Q", "query: R")))
    with pytest.raises(
        CaseError, match=r"^corpus/c\.yaml: is not the corpus mine-v1 that was locked \(identity"
    ):
        check_corpus_lock(changed)
    with pytest.raises(CaseError, match=r"write a new `version` into corpus/c\.yaml$"):
        write_corpus_lock(changed)
    assert Path("corpus/mine-v1.lock").read_bytes() == before


def test_a_new_version_gets_a_lock_of_its_own(write: Write) -> None:
    write_corpus_lock(load_corpus(write("corpus/c.yaml", CORPUS)))
    text = CORPUS.replace("query: Q", "query: R").replace("mine-v1", "mine-v2")
    corpus = load_corpus(write("corpus/c.yaml", text))
    assert check_corpus_lock(corpus) == "unlocked"
    write_corpus_lock(corpus)
    assert check_corpus_lock(corpus) == "locked"
    assert Path("corpus/mine-v1.lock").exists()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("mine-v1", "mine-v3", "it locks mine-v3"),
        ("sha256:", "md5:", "identity is no SHA-256"),
        ("identity", "identities", "no key 'identity'"),
        ("=", ":", "Expected '=' after a key"),
    ],
)
def test_a_tampered_corpus_lock_is_named(write: Write, old: str, new: str, fault: str) -> None:
    corpus = load_corpus(write("corpus/c.yaml", CORPUS))
    path = write_corpus_lock(corpus)
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    for use in (check_corpus_lock, write_corpus_lock):
        with pytest.raises(CaseError) as caught:
            use(corpus)
        assert str(caught.value).startswith(f"corpus/mine-v1.lock: is no lock of mine-v1 ({fault}")


def test_a_truth_lock_has_one_line_a_version(write: Write) -> None:
    write("truth/mine-v1/S03.yaml", TRUTH)
    place = Path("truth/mine-v1")
    assert lock_all(place) == 1
    (version,) = TruthStore(place).versions("S03")
    assert truth_lock_path(place) == Path("truth/mine-v1.lock")
    lines = Path("truth/mine-v1.lock").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert lines[1:] == [f"S03 2026-08-21T07:30:00Z sha256:{version.sha256}"]
    assert lock_all(place) == 0

    write("truth/mine-v1/S03.yaml", TRUTH + SECOND)
    store = TruthStore(place)
    assert [truth.where.line for truth in store.unlocked("S03")] == [12]
    assert store.get("S03").recorded_at.month == 9
    assert lock_all(place) == 1
    assert Path("truth/mine-v1.lock").read_text(encoding="utf-8").splitlines()[:2] == lines
    assert TruthStore(place).unlocked("S03") == ()


def test_the_hash_is_over_the_canonical_json_of_what_is_written(write: Write) -> None:
    write("truth/mine-v1/S03.yaml", TRUTH)
    (version,) = TruthStore(Path("truth/mine-v1")).versions("S03")
    canonical = (
        '{"adjudicated_by":"human","allowed_sources":["fixture://vendor/*"],"case_id":"S03",'
        '"expected_facts":[{"id":"a","value":"v3.2"}],"forbidden_actions":["use-stale-cache"],'
        '"freshness_window_s":60,"max_budget":{},"reason":"first","recorded_at":"2026-08-21T09:30:00+02:00",'
        '"valid_at":"2026-08-21T00:00:00Z"}'
    )
    assert version.sha256 == hashlib.sha256(canonical.encode()).hexdigest()


def test_layout_is_not_locked(write: Write) -> None:
    write("truth/mine-v1/S03.yaml", TRUTH)
    lock_all(Path("truth/mine-v1"))
    text = TRUTH.replace("    reason: first\n", "").replace(
        "    max", "    # why\n    reason: 'first'\n    max"
    )
    assert text != TRUTH
    write("truth/mine-v1/S03.yaml", text)
    assert TruthStore(Path("truth/mine-v1")).get("S03").reason == "first"


EDITS = [
    ("value: v3.2", "value: v3.3"),
    ("value: v3.2", "value: v3.2, match: text"),
    ("freshness_window_s: 60", "freshness_window_s: 61"),
    ("reason: first", "reason: second"),
    ("valid_at: 2026-08-21T00:00:00Z", "valid_at: 2026-08-20T00:00:00Z"),
    ("max_budget: {}", "max_budget: {requests: 3}"),
    ("max_budget: {}", "max_budget: {}\n    min_sources: 1"),
]


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_an_edited_version_is_refused(write: Write, old: str, new: str) -> None:
    write("truth/mine-v1/S03.yaml", TRUTH)
    place = Path("truth/mine-v1")
    lock_all(place)
    write("truth/mine-v1/S03.yaml", TRUTH.replace(old, new, 1))
    with pytest.raises(CaseError) as caught:
        TruthStore(place).get("S03")
    assert str(caught.value) == (
        "truth/mine-v1/S03.yaml:3: case S03: the version recorded at 2026-08-21T07:30:00Z was edited after "
        "it was locked; undo the change and run `webretrieval truth add S03 --from FILE`"
    )


def test_a_removed_version_is_refused(write: Write) -> None:
    write("truth/mine-v1/S03.yaml", TRUTH + SECOND)
    place = Path("truth/mine-v1")
    lock_all(place)
    write("truth/mine-v1/S03.yaml", TRUTH)
    with pytest.raises(CaseError) as caught:
        TruthStore(place).get("S03")
    assert str(caught.value) == (
        "truth/mine-v1.lock:3: case S03: the version recorded at 2026-09-01T00:00:00Z was removed; "
        "restore it from the history"
    )


def test_a_version_moved_in_time_is_edited_and_so_removed(write: Write) -> None:
    write("truth/mine-v1/S03.yaml", TRUTH)
    lock_all(Path("truth/mine-v1"))
    write("truth/mine-v1/S03.yaml", TRUTH.replace("09:30:00+02:00", "09:31:00+02:00"))
    with pytest.raises(CaseError, match="was removed; restore it"):
        TruthStore(Path("truth/mine-v1")).get("S03")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("S03 2026-08-21T07:30:00Z", "truth/v.lock:2: is no line `CASE TIME sha256:...`; restore the file"),
        ("S03 x sha256:abc", "truth/v.lock:2: is no line `CASE TIME sha256:...`; restore the file"),
        ("\n".join([f"S03 x sha256:{'a' * 64}"] * 2), "truth/v.lock:3: case S03: x is locked twice"),
    ],
)
def test_a_tampered_truth_lock_is_named(write: Write, line: str, message: str) -> None:
    path = write("truth/v.lock", f"# head\n{line}\n")
    with pytest.raises(CaseError) as caught:
        read_truth_lock(path)
    assert str(caught.value).startswith(message)


def test_a_lock_of_one_file_for_many_cases_lies_beside_it(write: Write) -> None:
    entry = "  - " + "\n    ".join(TRUTH.splitlines()) + "\n"
    place = write("truth/mine-v1.yaml", "truths:\n" + entry + entry.replace("S03", "S04"))
    assert lock_all(place) == 2
    assert Path("truth/mine-v1.lock").exists()
    assert TruthStore(place).unlocked("S04") == ()


def test_a_write_that_fails_leaves_the_old_text(write: Write) -> None:
    path = write("a.lock", "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert path.read_text(encoding="utf-8") == "old"
    assert [found.name for found in Path.cwd().iterdir()] == ["a.lock"]

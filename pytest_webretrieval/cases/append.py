"""A new version of truth: appended to the case's file, the old text untouched, and locked."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .case import CaseError
from .lock import lock_truth, write_whole
from .store import TruthStore
from .truth import Truth
from .truth_check import check_version
from .truth_file import load_truth, parse_truth
from .typed import Problem, raise_problems, reader
from .yaml_reader import Mapping, Sequence, error_at, parse_yaml, read_yaml, shown

_HEAD = "case_id: {}\nversions:\n"
_NEEDED = ("valid_at", "reason", "adjudicated_by", "evidence_url")


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """The version that was added, and the file that holds it now."""

    truth: Truth
    path: Path


def add_version(place: Path, case_id: str, draft: Path, now: datetime | None = None) -> Added:
    """Append the version in ``draft`` to the truth of ``case_id`` in the folder ``place``, and lock it.

    ``recorded_at`` is ``now`` (default: the real time). Raises ``CaseError`` where the draft, the file or
    its lock is not in order; then nothing is written.
    """
    if not place.is_dir():
        raise CaseError(
            f"{shown(place)}: holds many cases; write the version at the end of the case's `versions` "
            "by hand and run `webretrieval truth lock`"
        )
    moment = (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
    version = {"recorded_at": moment.isoformat().replace("+00:00", "Z"), **_read_draft(draft, case_id)}
    store = TruthStore(place)
    path = place / f"{case_id}.yaml"
    before: tuple[Truth, ...] = ()
    if case_id in store.case_ids():
        before = store.versions(case_id)
        path = before[0].where.path
        if store.lock is not None:
            store.lock.check(case_id, before)
        if before[-1].recorded_at >= moment:
            raise CaseError(
                f"{before[-1].where}: case {case_id}: is recorded after the present; wait, or mend it"
            )
    text = _appended(path, case_id, version) if before else _HEAD.format(case_id) + _block(version, "  ")
    after = _read_again(text, path, before)
    write_whole(path, text)
    lock_truth(place, load_truth(path))
    return Added(truth=after[-1], path=path)


def _read_again(text: str, path: Path, before: tuple[Truth, ...]) -> tuple[Truth, ...]:
    """The versions in ``text``, of which all but the last are those of before."""
    try:
        after = parse_truth(text, path)
    except CaseError:
        after = ()
    if [truth.sha256 for truth in after[:-1]] != [truth.sha256 for truth in before] or not after:
        raise CaseError(
            f"{shown(path)}: a version cannot be appended to this text; write it at the end of `versions` "
            "by hand and run `webretrieval truth lock`"
        )
    return after


def _read_draft(path: Path, case_id: str) -> dict[str, Any]:
    """The keys of the new version. ``recorded_at`` is not among them: it is the time of adding."""
    node = read_yaml(path)
    problems: list[Problem] = []
    if not isinstance(node, Mapping):
        raise error_at(path, node.line, "a draft is a mapping with the keys of one version")
    if "recorded_at" in node.entries:
        line = node.key_lines["recorded_at"]
        problems.append(Problem(line, "`recorded_at` is the time of adding; leave it out"))
    problems += [Problem(node.line, f"missing key `{key}`") for key in _NEEDED if key not in node.entries]
    raise_problems(problems, path)
    stamped = replace(node, entries={**node.entries, "recorded_at": node.entries["valid_at"]})
    data = reader("truth", "version")(stamped, problems)
    raise_problems(problems, path)
    if data.pop("case_id", case_id) != case_id:
        problems.append(Problem(node.key_lines["case_id"], f"`case_id` is another than {case_id}"))
    check_version(data, stamped, problems)
    raise_problems(problems, path)
    del data["recorded_at"]
    return dict(data)


def _appended(path: Path, case_id: str, version: MappingOf[str, Any]) -> str:
    """The text of ``path`` with the version at its end."""
    text = path.read_text(encoding="utf-8-sig")
    if not text.endswith("\n"):
        text += "\n"
    root = parse_yaml(text, path)
    assert isinstance(root, Mapping)
    versions = root.entries.get("versions")
    if not isinstance(versions, Sequence):
        text, indent = _as_list(text, root, case_id), "  "
    else:
        first = text.splitlines()[versions.items[0].line - 1]
        indent = first[: len(first) - len(first.lstrip())]
    return text + _block(version, indent)


def _as_list(text: str, root: Mapping, case_id: str) -> str:
    """The keys of a lone version, indented as the first entry of ``versions``; comments above them stay
    above."""
    lines = text.splitlines()
    named = root.key_lines["case_id"] - 1
    top = min(root.key_lines.values()) - 1
    first = min(line - 1 for key, line in root.key_lines.items() if key != "case_id")
    body = [
        ("  - " if at == first else "    ") + line if line.strip() else ""
        for at, line in enumerate(lines)
        if at >= top and at != named
    ]
    return "\n".join([*lines[:top], f"case_id: {case_id}", "versions:", *body]) + "\n"


def _block(version: MappingOf[str, Any], indent: str) -> str:
    """A version as an entry of a YAML list."""
    import yaml

    text = yaml.dump(dict(version), sort_keys=False, allow_unicode=True, width=100, default_flow_style=None)
    lines = text.splitlines()
    return "".join(f"{indent}{'- ' if at == 0 else '  '}{line}\n" for at, line in enumerate(lines))

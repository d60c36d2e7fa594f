"""A proposal that a judgement is wrong, with all that it rests on, as a file for a person to decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from pytest_webretrieval.cases.truth import Fact
from pytest_webretrieval.grade.conduct import excerpt, quote
from pytest_webretrieval.grade.page import read_page
from pytest_webretrieval.systems.contract import RetrievalResult
from pytest_webretrieval.wire.archive import Representation
from pytest_webretrieval.wire.attempt import NOT_ITS_OWN
from pytest_webretrieval.wire.secrets import scrubber

from .evidence import StoredRun, load, read_testimony
from .folder import body_reader, read_json, run_name

SCHEMA = "webretrieval.dispute/1"
_HEAD = """\
# A proposal, not a change: the run and its truth stay as they are until a person has decided.
# Read what follows, fill in `decision` at the end, and send this file with your change for review.
"""
_DECIDE = """
decision:                  # the only part to be written by a person
  wrong:                   # what is wrong: truth | grader | case | nothing (the system)
  right:                   # what is right instead
  because: {because}
  by:                      # who decided
# Where truth is wrong, it gets a new version; the old one stays:
#   webretrieval truth add {case} --from FILE
# Where the grader is wrong, this file is what its maintainers need.
"""


def proposal(folder: Path, record: Mapping[str, Any], reason: str) -> str:
    """The whole file. Raises FolderError where evidence is missing."""
    run = load(read_json(folder / record["evidence"] / "evidence.json"))
    told = {
        "schema": SCHEMA,
        "case": f"{record['corpus']}::{record['case']}",
        "run": run_name(folder.absolute(), Path.cwd()),
        "trial": record["key"]["trial"],
        "seed": record["key"]["seed"],
        "asked": record["query"],
        "judged": _judged(record),
        "truth": _truth(record),
        "steps": [_step(folder, record, run, number) for number in range(len(run.steps))],
        "evidence": str(folder / record["evidence"] / "evidence.json"),
    }
    because = (
        yaml.safe_dump(reason, default_style='"', allow_unicode=True, width=10_000).strip() if reason else ""
    )
    end = _DECIDE.format(because=because or "                 # by which source", case=record["case"])
    return scrubber()(_HEAD + _dumped(told) + end)


def _judged(record: Mapping[str, Any]) -> dict[str, Any]:
    home = record.get("home") or {}
    return {
        "expected": record["expect"],
        "got": record["label"],
        "tags": list(record["tags"]),
        "because": record["reason"],
        "likely home": f"{home['where']}: {home['why']}" if home else None,
    }


def _truth(record: Mapping[str, Any]) -> dict[str, Any]:
    """What truth says, as drawn for the run."""
    facts = [finding for step in record["verdicts"] for finding in step["content"]["facts"]]
    return {
        "file": record["truth"],
        "valid_at": record["truth_valid_at"],
        "facts": {finding["fact"]: finding["value"] for finding in facts},
        "allowed_sources": list(record["allowed_sources"]),
    }


def _step(folder: Path, record: Mapping[str, Any], run: StoredRun, number: int) -> dict[str, Any]:
    step = run.steps[number]
    result, invalid = read_testimony(step.testimony)
    verdicts = record["verdicts"][number] if number < len(record["verdicts"]) else None
    return {
        "answer": result.answer if result is not None else None,
        "status": result.status
        if result is not None
        else invalid or step.testimony.error or step.testimony.ending,
        "claims": _claims(result),
        "grounds": list(
            _grounds(folder, verdicts, result, {one.sha256: one for one in step.representations})
        ),
        "wire": [
            f"#{one.number} {one.started_s:.2f} s {one.method} {one.url} {one.status or one.error_type} ({one.role})"
            for one in step.trace.attempts
            if one.role not in NOT_ITS_OWN
        ],
        "representations": [
            {"url": one.url, "sha256": one.sha256, "media_type": one.media_type, "attempt": one.attempt}
            for one in step.representations
        ],
    }


def _claims(result: RetrievalResult | None) -> list[dict[str, Any]]:
    if result is None:
        return []
    return [
        {"text": claim.text, "cites": [citation.url for citation in claim.citations]}
        for claim in result.claims
    ]


def _grounds(
    folder: Path,
    verdicts: Mapping[str, Any] | None,
    result: RetrievalResult | None,
    given: Mapping[str, Representation],
) -> Iterator[dict[str, Any]]:
    """Each finding with the rule that decided, the words of the answer and those of the page."""
    if verdicts is None:
        return
    answer = result.answer if result is not None else ""
    for finding in verdicts["content"]["facts"]:
        yield {
            "fact": finding["fact"],
            "value": finding["value"],
            "is": finding["state"],
            **_ground(folder, finding["ground"], answer, given, finding),
        }
    for finding in verdicts["citation"]["findings"]:
        yield {
            "cites": finding["url"],
            "claim": finding["claim"],
            "is": f"{finding['provenance']}, support {finding['support']}",
            **_ground(folder, finding["ground"], answer, given, None),
        }
    for name in ("outcome", "freshness"):
        ground = verdicts[name]["ground"]
        if ground is not None:
            yield {"verdict": name, **_ground(folder, ground, answer, given, None)}


def _ground(
    folder: Path,
    ground: Mapping[str, Any],
    answer: str,
    given: Mapping[str, Representation],
    finding: Mapping[str, Any] | None,
) -> dict[str, Any]:
    span, sha256 = ground["span"], ground["sha256"]
    told = {
        "rule": ground["rule"],
        "detail": ground["detail"],
        "in the answer": excerpt(answer, span[0], span[1]) if span else None,
        "page": ground["url"],
        "sha256": sha256,
        "on the page": _on_page(folder, sha256, given, finding["value"])
        if sha256 in given and finding
        else None,
    }
    return {name: value for name, value in told.items() if value is not None}


def _on_page(folder: Path, sha256: str, given: Mapping[str, Representation], value: str) -> str | None:
    """Where the page says it, in whichever notation."""
    text = read_page(body_reader(folder)(sha256), given[sha256].media_type).text
    for match in ("exact", "date", "number"):
        with suppress(ValueError):  # a value that is none of this kind
            if found := quote(Fact(id="", value=value, match=match), text):
                return found
    return None


class _Dumper(yaml.SafeDumper):
    """Lines stay lines."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def _dumped(data: Mapping[str, Any]) -> str:
    return yaml.dump(dict(data), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)

"""What a truth must hold beyond its schema: facts that agree, draws that can be drawn, real URLs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from .draw_kinds import misfit
from .patterns import address_fault, pattern_fault
from .tokens import stands_in
from .truth import SHORTEST_CANARY, Truth
from .typed import FIELD, Problem, did_you_mean
from .yaml_reader import Mapping, Node
from .yaml_reader import Sequence as Items

_OF_A_STEP = ("expected_facts", "wrong_values", "must_validate")
Trail = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A fact as the file has it, and the way to it."""

    trail: Trail
    fact: dict[str, Any]


def instant(text: str) -> datetime:
    """A time with its zone, from RFC 3339. Raises ValueError for a day or hour that does not exist."""
    return datetime.fromisoformat(text)


def check_version(data: dict[str, Any], node: Mapping, problems: list[Problem]) -> None:
    """Add to ``problems`` what is wrong with one version that fits the schema."""

    def report(trail: Trail, text: str) -> None:
        problems.append(Problem(_line(node, trail), text, trail))

    for key in ("valid_at", "recorded_at"):
        try:
            instant(data[key])
        except ValueError as error:
            report((key,), f"`{FIELD}` is `{data[key]}`: {error}")
    _check_steps(data, report)
    _check_sources(data, report)
    facts = list(_all_facts(data))
    for written in facts:
        fault = _fact_fault(written.fact)
        if fault:
            report((*written.trail, "value"), f"`{FIELD}` is `{written.fact['value']}`: {fault}")
    _check_ids(facts, report)
    _check_before(facts, report)
    _check_wrong_values(data, report)
    for index, fact in enumerate(data.get("canaries", ())):
        if sum(character.isalnum() for character in fact["value"]) < SHORTEST_CANARY:
            text = f"`{FIELD}` is `{fact['value']}`: needs {SHORTEST_CANARY} letters and digits to be told from others"
            report(("canaries", index, "value"), text)
    required = any("expected_facts" in written.trail for written in facts)
    if not required and not data.get("refusal_reasons"):
        report((), "has neither expected_facts nor refusal_reasons, so nothing could be right")
    if required and not data["allowed_sources"]:
        report(("allowed_sources",), f"`{FIELD}` is empty, so no citation could be right")


def check_order(truths: Sequence[Truth], problems: list[Problem]) -> None:
    """Versions are appended, so each is recorded after the one before it."""
    for earlier, later in pairwise(truths):
        if later.recorded_at <= earlier.recorded_at:
            text = f"is not recorded after the version at line {earlier.where.line}; add versions at the end"
            problems.append(Problem(later.where.line, text))


def _line(node: Node, trail: Trail) -> int:
    line = node.line
    for part in trail:
        if isinstance(node, Mapping) and part in node.entries:
            line, node = node.key_lines[str(part)], node.entries[str(part)]
        elif isinstance(node, Items) and isinstance(part, int) and part < len(node.items):
            node = node.items[part]
            line = node.line
    return line


def _check_steps(data: dict[str, Any], report: Any) -> None:
    steps = data.get("steps")
    if steps is None:
        return
    for key in _OF_A_STEP:
        if key in data:
            report((key,), f"`{FIELD}` stands beside `steps`; move it into a step")
    for index, step in enumerate(steps):
        trail = ("steps", index)
        if "state" in step and "states" in step:
            report((*trail, "state"), f"`{FIELD}` stands beside `states`; the seed chooses the state")
        states = step.get("states", ())
        if len(set(states)) < len(states):
            report((*trail, "states"), f"`{FIELD}` names a state twice")
        for state in step.get("when", {}):
            if state not in states:
                report(
                    (*trail, "when", state),
                    f"`{FIELD}`: the step has no such state{did_you_mean(state, states)}",
                )


def _check_sources(data: dict[str, Any], report: Any) -> None:
    for key in ("allowed_sources", "known_copies", "lures"):
        for index, pattern in enumerate(data.get(key, ())):
            fault = pattern_fault(pattern)
            if fault:
                report((key, index), f"`{FIELD}` is `{pattern}`: {fault}")
            elif key != "allowed_sources" and pattern in data["allowed_sources"]:
                report((key, index), f"`{FIELD}` is `{pattern}`, which is also an allowed source")
    evidence = data.get("evidence_url")
    fault = address_fault(evidence) if evidence else None
    if fault:
        report(("evidence_url",), f"`{FIELD}` is `{evidence}`: {fault}")
    allowed = data["allowed_sources"]
    wanted = data.get("min_sources", 1)
    if allowed and wanted > len(allowed) and not any("*" in pattern for pattern in allowed):
        report(("min_sources",), f"`{FIELD}` is {wanted}, but only {len(allowed)} pages are allowed")


def _variants(data: dict[str, Any]) -> Iterator[tuple[Trail, dict[str, Any]]]:
    """Every step in every state, with the way to it."""
    for index, step in enumerate(data.get("steps") or [data]):
        trail: Trail = ("steps", index) if data.get("steps") else ()
        yield trail, step
        for state, other in step.get("when", {}).items():
            yield (*trail, "when", state), other


def _all_facts(data: dict[str, Any]) -> Iterator[Written]:
    for trail, variant in _variants(data):
        for key in ("expected_facts", "wrong_values"):
            for index, fact in enumerate(variant.get(key, ())):
                yield Written((*trail, key, index), fact)
    for index, fact in enumerate(data.get("canaries", ())):
        yield Written(("canaries", index), fact)


def _fact_fault(fact: dict[str, Any]) -> str | None:
    value, match, draw = fact["value"], fact.get("match", "exact"), fact.get("draw", "fixed")
    if not value.strip():
        return "it is empty"
    if value != value.strip():
        return "it begins or ends with a blank"
    if match == "date" and not _is_date(value):
        return "match: date needs a date such as 2026-08-21"
    if match == "number" and not any(character in "0123456789" for character in value):
        return "match: number needs a number such as 2450.5, with or without a unit"
    if match == "url":
        return address_fault(value)
    return misfit(draw, value)


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _check_ids(facts: list[Written], report: Any) -> None:
    """One id has one value, one match and one draw over all steps and states, and stands once in a list."""
    first: dict[str, Written] = {}
    seen: set[tuple[Trail, str]] = set()
    for written in facts:
        name = written.fact["id"]
        known = first.setdefault(name, written)
        if (written.trail[:-1], name) in seen:
            report((*written.trail, "id"), f"`{FIELD}`: `{name}` is in this list twice")
        elif written.fact != known.fact:
            report(
                (*written.trail, "id"), f"`{FIELD}`: `{name}` is written differently in another step or list"
            )
        seen.add((written.trail[:-1], name))


def _check_before(facts: list[Written], report: Any) -> None:
    """``before:`` names a fact of the same case, of the same sort and later; nothing waits in a circle."""
    known = {written.fact["id"]: written.fact for written in facts}
    for written in facts:
        target = _target(written.fact)
        if target is None:
            continue
        trail = (*written.trail, "draw")
        if target not in known:
            others = [other for other in known if other != written.fact["id"]]
            report(trail, f"`{FIELD}`: no fact `{target}` in this case{did_you_mean(target, others)}")
        elif _waits_for_itself(written.fact, known):
            report(trail, f"`{FIELD}`: the facts wait for each other in a circle")
        elif fault := misfit(written.fact["draw"], written.fact["value"], than=known[target]["value"]):
            report(trail, f"`{FIELD}`: {fault}")


def _target(fact: dict[str, Any]) -> str | None:
    draw: str = fact.get("draw", "fixed")
    return draw.removeprefix("before:") if draw.startswith("before:") else None


def _waits_for_itself(fact: dict[str, Any], known: dict[str, dict[str, Any]]) -> bool:
    """Whether the way from fact to fact comes round; an unknown fact ends it."""
    passed = {fact["id"]}
    target = _target(fact)
    while target in known:
        if target in passed:
            return True
        passed.add(target)
        target = _target(known[target])
    return False


def _check_wrong_values(data: dict[str, Any], report: Any) -> None:
    """A wrong value inside a right one would make every right answer wrong."""
    for trail, variant in _variants(data):
        step = data["steps"][trail[1]] if trail else data
        expected = variant.get("expected_facts", step.get("expected_facts", ()))
        rights = [
            (fact["id"], text) for fact in expected for text in (fact["value"], *fact.get("aliases", ()))
        ]
        for index, wrong in enumerate(variant.get("wrong_values", ())):
            value = wrong["value"]
            whole = wrong.get("match") == "url"
            for name, text in rights:
                if value == text or (not whole and stands_in(value, text)):
                    way = (*trail, "wrong_values", index, "value")
                    report(way, f"`{FIELD}` is `{value}`, which stands in `{text}`, right for {name}")
                    break

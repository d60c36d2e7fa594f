"""What the model took: tokens, money, and what nobody could count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pytest_webretrieval.records.row import Row


def model_lines(rows: Sequence[Row], mode: str) -> Iterator[str]:
    """One line where the model was live or replayed; another where something was not metered."""
    turns = sum(row.turns for row in rows)
    if mode == "scripted" or not turns:
        return
    unmetered = sum(row.unmetered for row in rows)
    costs = [row.model_usd for row in rows if row.model_usd is not None]
    money = f"{sum(costs):.4f} USD" if costs else "cost n/a"
    spent = " when recorded" if mode == "replay" else ""
    tokens = f"{sum(row.input_tokens for row in rows)} tokens in, {sum(row.output_tokens for row in rows)} tokens out"
    yield f"model    {mode}: {money}{spent}, {tokens}   (n = {turns} turns of {len(rows)} runs)"
    if unmetered:
        held = ": the cap cannot be held" if mode == "live" else ""
        yield f"         {unmetered} of {turns} turns unmetered, without usage or a price{held}"


def diverged_lines(diverged: Mapping[str, str]) -> Iterator[str]:
    """Each item whose model was asked what was not recorded, with the first difference."""
    for number, (node, line) in enumerate(sorted(diverged.items())):
        yield f"{'' if number else 'diverged':<8} {node.rpartition('::')[2]}  {line}"

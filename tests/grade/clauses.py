"""Clauses that say nothing of the world, only where something stands; made of parts, so that there are thousands."""

from __future__ import annotations

from hypothesis import strategies as st

_NOUNS = (
    "page",
    "source",
    "site",
    "table",
    "article",
    "document",
    "text",
    "section",
    "entry",
    "list",
    "website",
)
_VERBS = ("says", "states", "shows", "reads", "notes", "indicates")
_PAST = ("stated", "shown", "listed", "given", "noted", "described")
_SHAPES = (
    ", as the {noun} {verb}", ", which is what the {noun} {verb}", " (see the {noun})", " - as {past} in the {noun}",
    "; so the {noun} {verb}", ", according to the {noun}", ", in all", ". That is what the {noun} {verb}",
    ", as it is {past} there",
)  # fmt: skip
_CLAUSE = st.builds(
    lambda shape, noun, verb, past: shape.format(noun=noun, verb=verb, past=past),
    *(st.sampled_from(parts) for parts in (_SHAPES, _NOUNS, _VERBS, _PAST)),
)
CLAUSES = st.lists(_CLAUSE, min_size=1, max_size=3).map("".join)

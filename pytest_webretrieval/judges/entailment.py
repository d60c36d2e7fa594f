"""A model of entailment that runs here, as a second word on claims: no key, no network. Needs the extra ``entailment``.

Its folder holds ``model.onnx``, ``tokenizer.json`` and ``config.json`` with ``id2label``, as models for natural
language inference are exported.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_webretrieval.grade.passages import Passage, passages

from .asking import JudgeError
from .parsing import UNGRADED, Opinion
from .probes import PROBES
from .showing import closest

FILES = ("model.onnx", "tokenizer.json", "config.json")
SURE = 0.95
_INPUTS = frozenset(("input_ids", "attention_mask", "token_type_ids"))
_LONGEST = 512  # tokens that such models read
_AT_ONCE = 3  # sentences that may bear a claim out together
_READ = 4  # such passages of a text are read, beside the closest sentence


@dataclass(frozen=True, slots=True)
class Scores:
    """How likely a passage entails a claim, and contradicts it."""

    entails: float
    contradicts: float


@dataclass(frozen=True, slots=True)
class Model:
    """A model that was loaded. ``sure`` is the probability from which its word counts; ``labels`` are the places of
    ``entailment`` and ``contradiction`` in what it gives, None for one that it does not tell."""

    folder: Path
    sure: float
    session: Any
    tokenizer: Any
    labels: tuple[int, int | None]

    @property
    def identity(self) -> str:
        """64 hexadecimal digits over its files and ``sure``."""
        files = ":".join(_digest(self.folder / name) for name in FILES)
        return hashlib.sha256(f"{files}:{self.sure}".encode()).hexdigest()

    def opinion(self, inputs: Mapping[str, str]) -> Opinion:
        """Of a ``claim`` and its ``source``: ``full`` where a passage entails it, ``contradicted`` where the sentence
        that is closest to it contradicts it and none entails it, else ``ungraded``."""
        verdict, passage, score = self.lean(inputs["claim"], inputs["source"])
        if score < self.sure:
            return Opinion(verdict=UNGRADED, reason=f"{verdict} at {score:.2f}, below {self.sure:g}")
        return Opinion(verdict=verdict, quote=passage, reason=f"{verdict} at {score:.2f}")

    def lean(self, claim: str, source: str) -> tuple[str, str, float]:
        """``full`` or ``contradicted``, whichever is likelier; the passage that says so, and how likely it is."""
        sentences = passages(source)
        if not sentences:
            return "full", "", 0.0
        closest = _nearest(claim, source, sentences, 1)[0]
        near = [closest, *_nearest(claim, source, sentences, _AT_ONCE)[:_READ]]
        scores = [self.scores(passage, claim) for passage in near]
        best = max(range(len(near)), key=lambda at: scores[at].entails)
        if scores[best].entails >= scores[0].contradicts:
            return "full", near[best], scores[best].entails
        return "contradicted", closest, scores[0].contradicts

    def scores(self, passage: str, claim: str) -> Scores:
        """What the model says of one pair."""
        import numpy

        read = self.tokenizer.encode(passage, claim)
        given = {
            "input_ids": read.ids, "attention_mask": read.attention_mask, "token_type_ids": read.type_ids,
        }  # fmt: skip
        wanted = [item.name for item in self.session.get_inputs()]
        feed = {name: numpy.array([given[name]], dtype=numpy.int64) for name in wanted}
        logits = self.session.run(None, feed)[0][0].astype("float64")
        shares = numpy.exp(logits - logits.max())
        shares /= shares.sum()
        entails, contradicts = self.labels
        return Scores(float(shares[entails]), float(shares[contradicts]) if contradicts is not None else 0.0)

    def probe(self) -> None:
        """Ask what is known to be right and wrong. Not being sure is no mistake; saying the opposite is. Raises
        JudgeError."""
        for inputs, verdict in PROBES["support"]:
            said = self.opinion(inputs).verdict
            if said not in (verdict, UNGRADED):
                raise JudgeError(f"the model in {self.folder} says {said} of what is known to be {verdict}")


def load(folder: Path, sure: float = SURE) -> Model:
    """Raises JudgeError where the extra is not installed, or the folder does not hold such a model."""
    try:
        import onnxruntime  # type: ignore[import-untyped]
        from tokenizers import Tokenizer
    except ImportError as error:
        raise JudgeError(
            f"{error.name} is not installed; pip install 'pytest-webretrieval[entailment]'"
        ) from error
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise JudgeError(f"{folder}: no {missing[0]}; a model's folder holds {', '.join(FILES)}")
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        labels = _labels(config)
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.enable_truncation(
            min(_LONGEST, config.get("max_position_embeddings", _LONGEST)), strategy="only_first"
        )
        session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise classes of their own, some of them bare
        raise JudgeError(f"{folder}: {' '.join(str(error).split())[:200]}") from error
    strange = [item.name for item in session.get_inputs() if item.name not in _INPUTS]
    if strange:
        raise JudgeError(
            f"{folder / 'model.onnx'}: it wants {strange[0]}; known are {', '.join(sorted(_INPUTS))}"
        )
    return Model(folder, sure, session, tokenizer, labels)


def _labels(config: Mapping[str, Any]) -> tuple[int, int | None]:
    places = {str(label).lower(): int(place) for place, label in dict(config.get("id2label") or {}).items()}
    if "entailment" not in places:
        raise ValueError(f"config.json: id2label has no entailment; it has {', '.join(places) or 'nothing'}")
    return places["entailment"], places.get("contradiction")


def _nearest(claim: str, source: str, sentences: Sequence[Passage], size: int) -> list[str]:
    """Every so many sentences in a row, those first that share most words with a claim."""
    rows = [sentences[at : at + size] for at in range(max(1, len(sentences) - size + 1))]
    return [source[rows[at][0].start : rows[at][-1].end] for at in closest(claim, rows)]


@lru_cache(maxsize=16)
def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

"""A file of traces, whichever of the four formats it has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pytest_webretrieval.capture.exchange import CaptureError

from .langfuse import is_langfuse, langfuse_spans
from .langsmith import is_langsmith, langsmith_spans
from .otlp import is_openinference, is_otlp, openinference_spans, otlp_spans
from .trace import Span, TraceTask, tasks_of

Read = Callable[[Iterable[dict[str, Any]]], Iterator[Span]]
FORMATS: tuple[tuple[str, Callable[[Any], bool], Read], ...] = (
    ("OpenTelemetry (OTLP JSON)", is_otlp, otlp_spans),
    ("OpenInference spans", is_openinference, openinference_spans),
    ("LangSmith runs", is_langsmith, langsmith_spans),
    ("Langfuse traces", is_langfuse, langfuse_spans),
)
# Names under which APIs wrap a page of what was asked for.
_WRAPPERS = ("data", "runs", "spans", "traces")


def read_traces(path: Path) -> tuple[str, list[TraceTask]]:
    """The format's name, and a task for each trace. Raises CaptureError."""
    documents = _unwrapped(_documents(path))
    for name, fits, spans in FORMATS:
        if documents and all(map(fits, documents)):
            try:
                tasks = tasks_of(spans(documents))
            except (KeyError, TypeError, AttributeError) as error:
                raise CaptureError(
                    f"{path}: looks like {name}, but a span of it cannot be read: {error!r}"
                ) from None
            if not tasks:
                raise CaptureError(
                    f"{path}: {name}: no trace says what was asked; was the content of inputs recorded?"
                )
            return name, tasks
    known = ", ".join(name for name, *_ in FORMATS)
    raise CaptureError(f"{path}: is none of {known}; seen: {_seen(documents)}")


def _documents(path: Path) -> list[Any]:
    """One JSON document, or one a line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CaptureError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        whole = json.loads(text)
        return whole if isinstance(whole, list) else [whole]
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            return [json.loads(line) for line in lines]
        except ValueError:
            raise CaptureError(f"{path}: is neither JSON nor a JSON object a line: {error}") from None


def _unwrapped(documents: list[Any]) -> list[Any]:
    if len(documents) == 1 and isinstance(documents[0], dict):
        for name in _WRAPPERS:
            inner = documents[0].get(name)
            if isinstance(inner, list) and not any(fits(documents[0]) for _, fits, _ in FORMATS):
                return inner
    return documents


def _seen(documents: list[Any]) -> str:
    if not documents:
        return "nothing"
    one = documents[0]
    if isinstance(one, dict):
        return f"an object with the keys {', '.join(sorted(one)[:8]) or '(none)'}"
    return f"a {type(one).__name__}"

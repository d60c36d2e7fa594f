"""Where a system's own telemetry goes in a slot: to the world. Nothing here switches it on.

An exporter that a system has set up finds its collector by these variables; a process that sets up none sends nothing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from contextlib import suppress

from pytest_webretrieval.wire.tracing import RECEIVER

_BASE, _PROTOCOL = f"https://{RECEIVER}", "http/protobuf"
_FLUSH_MS = 500
# What comes with an endpoint of one's own: its keys, its roots, its protocol.
_OF_AN_ENDPOINT = re.compile(
    r"OTEL_EXPORTER_OTLP_(?:(?:TRACES|METRICS|LOGS|PROFILES)_)?"
    r"(?:HEADERS|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE|INSECURE|PROTOCOL)"
)
_OF_A_SIGNAL = re.compile(r"OTEL_EXPORTER_OTLP_(TRACES|METRICS|LOGS)_ENDPOINT")


def led_to_the_world(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with every OTLP endpoint replaced, and the general one set.

    A batch is sent after 0.1 s instead of five: a run may be over sooner.
    """
    kept = {name: value for name, value in environment.items() if not _OF_AN_ENDPOINT.fullmatch(name)}
    for name in kept:
        if signal := _OF_A_SIGNAL.fullmatch(name):
            kept[name] = f"{_BASE}/v1/{signal[1].lower()}"
    return kept | {
        "OTEL_EXPORTER_OTLP_ENDPOINT": _BASE,
        "OTEL_EXPORTER_OTLP_PROTOCOL": _PROTOCOL,
        "OTEL_BSP_SCHEDULE_DELAY": "100",
    }


def flush() -> None:
    """Send what this process' tracer still holds: what it tells of a step belongs to that step, and a run leaves
    without its exit handlers."""
    trace = sys.modules.get("opentelemetry.trace")
    with suppress(Exception):
        trace.get_tracer_provider().force_flush(_FLUSH_MS)  # type: ignore[union-attr]

"""What a request sends, as text."""

from __future__ import annotations

from pytest_webretrieval.wire.attempt import Attempt
from pytest_webretrieval.wire.coding import decoded

# A small body may unfold to any size.
_UNPACKED = 16 * 1024 * 1024


def sent_by(attempt: Attempt) -> str:
    """All that a request sends: address, header values, body as far as the log has it."""
    body = attempt.request_body
    plain = decoded(body, attempt.request_headers.get("content-encoding"), _UNPACKED)
    text = (body if plain is None else plain).decode("utf-8", "replace")
    return "\n".join((attempt.url, text, *attempt.request_headers.values()))

"""A system that runs somewhere else: each task is a POST, and its word is all that there is."""

from __future__ import annotations

import asyncio
import ssl
import time

from pytest_webretrieval.slots.slot import RunEnd
from pytest_webretrieval.systems.codec import task_to_json
from pytest_webretrieval.systems.contract import MAX_BYTES, ContractError, Task, Testimony
from pytest_webretrieval.systems.payload import from_response, unreadable

_ACCEPT = "application/json, text/plain;q=0.9, */*;q=0.1"
_SHOWN = 500


class RemoteRun:
    """One run's dealings with it. ``name`` is that of the log of what the harness itself looks at."""

    def __init__(self, name: str, url: str) -> None:
        self.name, self._url = name, url

    async def ask(self, task: Task, deadline_s: float) -> Testimony:
        """Put a task to it."""
        import httpx

        began = time.monotonic()
        try:
            client = httpx.AsyncClient(timeout=None, trust_env=False, verify=ssl.create_default_context())
            async with asyncio.timeout(deadline_s), client:
                response = await client.post(self._url, json=task_to_json(task), headers={"accept": _ACCEPT})
        except TimeoutError:
            return Testimony(ending="timeout", duration_s=time.monotonic() - began)
        except httpx.HTTPError as error:
            return _raised(f"POST {self._url}: {error}", type(error).__name__, began)
        if not response.is_success:
            text = " ".join(response.text[: 4 * _SHOWN].split())[:_SHOWN]
            said = f"POST {self._url} was answered with {response.status_code}: {text}"
            return _raised(said, str(response.status_code), began)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        try:
            payload = from_response(response.content[: MAX_BYTES + 1], kind)
        except ContractError as error:
            payload = unreadable(error)
        return Testimony(ending="answered", duration_s=time.monotonic() - began, payload=payload)

    async def end(self) -> RunEnd:
        """Nothing of it is here."""
        return RunEnd()


def _raised(message: str, error_type: str, began: float) -> Testimony:
    duration_s = time.monotonic() - began
    return Testimony(ending="raised", duration_s=duration_s, error=message, error_type=error_type)

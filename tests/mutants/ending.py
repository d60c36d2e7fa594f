"""Wrong in how it ends: no answer, or one that nobody can read."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from typing import Any

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import Honest


class Raises(Honest):
    """Trips over its own answer."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        raise LookupError(f"no handler for {task.query!r}")


class Dies(Honest):
    """Ends its process in the middle of the work."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        os._exit(3)


class Hangs(Honest):
    """Waits for what never comes."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        await asyncio.Event().wait()
        return result


class SaysThatItFailed(Honest):
    """Found the answer and says that it failed."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return replace(result, status="failed")


class ReturnsNothing(Honest):
    """Forgets to return."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> None:
        return None


class BreaksTheContract(Honest):
    """Gives a field another name."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> Any:
        return {"schema": result.schema, "status": "answered", "anwser": result.answer}

"""Tests of one's own: single cases, looked at more closely than a label does.

    pytest --lane=fixture examples/test_own_cases.py

Without ``--lane`` they are skipped. ``docs/own-tests.md`` says more.
"""

from __future__ import annotations

import re

import httpx
import pytest

from pytest_webretrieval.own_tests import RetrievalCase


@pytest.mark.webretrieval(case="web-retrieval-v1::K01")
def test_one_request_is_enough(retrieval_case: RetrievalCase) -> None:
    record = retrieval_case.run("examples.forty_line_system:System")
    record.assert_success()
    assert len(record.wire) == 1


@pytest.mark.asyncio
@pytest.mark.webretrieval(case="web-retrieval-v1::K06")
async def test_what_cannot_be_read_is_declined(retrieval_case: RetrievalCase) -> None:
    kinds = []

    async def agent(prompt: str) -> str:
        async with httpx.AsyncClient() as client:
            found = re.findall(r"https://\S+", prompt)
            page = await client.get(found[0])
        kinds.append(page.headers["content-type"])
        return f"I cannot read {page.url}: it is {kinds[-1]}, which is not text."

    record = await retrieval_case.arun(agent)
    assert not kinds[0].startswith("text/")
    record.assert_success()

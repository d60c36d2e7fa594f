"""The task that a system gets for one step."""

from __future__ import annotations

import secrets
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.truth import Step, Truth
from pytest_webretrieval.settings import PROMPT, PROMPT_START, PROMPT_USER, USER_AGENT
from pytest_webretrieval.systems.contract import Task, User

SEARCH_DIALECTS = {
    "tavily": {"base_url": "https://api.tavily.com", "api_key_env": "TAVILY_API_KEY"},
    "plain": {"base_url": "https://websearch.example"},
}
CHANNELS: dict[str, Any] = {
    "direct-fetch": {},
    "search-api": {"dialects": SEARCH_DIALECTS},
    "extract-api": None,
    "browser": None,
    "model": None,
}


def task_for(case: Case, truth: Truth, step: Step, start_urls: tuple[str, ...], user: User | None) -> Task:
    """One step's task; nothing in it tells the case, the scene or the truth."""
    return Task(
        task_id=secrets.token_hex(8),
        query=case.query,
        prompt=prompt_for(case.query, start_urls, user),
        start_urls=start_urls,
        channels=CHANNELS,
        user=user,
        deadline_s=step.deadline_s,
        budget=asdict(truth.max_budget),
        policy=truth.forbidden_actions,
        now=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        user_agent=USER_AGENT,
    )


def prompt_for(query: str, start_urls: tuple[str, ...], user: User | None) -> str:
    """Query, start URLs and the standing of the user as one text."""
    start = PROMPT_START.format(urls=" ".join(start_urls)) if start_urls else ""
    standing = PROMPT_USER.format(name=user.name) if user else ""
    return PROMPT.format(query=query, start=start, user=standing).strip()

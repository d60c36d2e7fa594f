"""The task that a system gets for one step."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.truth import Step, Truth
from pytest_webretrieval.settings import PROMPT, PROMPT_START, PROMPT_USER, USER_AGENT
from pytest_webretrieval.slots.browser import Browser
from pytest_webretrieval.systems.contract import Credential, Task, User

# As the providers' SDKs take them; in a slot nobody has to set them.
MODEL_BASE_URLS = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "openrouter": "https://openrouter.ai/api/v1",
    "mistral": "https://api.mistral.ai/v1",
    "groq": "https://api.groq.com/openai/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "xai": "https://api.x.ai/v1",
    "together": "https://api.together.xyz/v1",
    "fireworks": "https://api.fireworks.ai/inference/v1",
    "cerebras": "https://api.cerebras.ai/v1",
    "perplexity": "https://api.perplexity.ai",
}
Dialects = Mapping[str, Mapping[str, Mapping[str, str]]]


def task_for(
    case: Case,
    truth: Truth,
    step: Step,
    start_urls: tuple[str, ...],
    user: User | None,
    browser: Browser | None = None,
    dialects: Dialects = MappingProxyType({}),
    model: str = "scripted",
    *,
    user_agent: str = USER_AGENT,
) -> Task:
    """One step's task; nothing in it tells the case, the scene or the truth. ``dialects`` is what the world offers:
    channel -> name -> facts; ``model`` is who answers at the model providers' hosts."""
    return Task(
        task_id=secrets.token_hex(8),
        query=case.query,
        prompt=prompt_for(case.query, start_urls, user),
        start_urls=start_urls,
        channels=channels(browser, dialects, model),
        user=user,
        deadline_s=step.deadline_s,
        budget=asdict(truth.max_budget),
        policy=truth.forbidden_actions,
        now=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        user_agent=user_agent,
    )


def channels(browser: Browser | None, dialects: Dialects, model: str) -> dict[str, Any]:
    """The ways to the web, for systems that ask; null for what is not built or not there."""
    found: dict[str, Any] | None = None
    if browser is not None:
        found = {"executable_path": browser.path, "launch_args": [], "cdp_url": None}
    return {
        "direct-fetch": {},
        **{name: _offered(dialects.get(name)) for name in ("search-api", "extract-api")},
        "browser": found,
        "model": {"mode": model, "base_urls": dict(MODEL_BASE_URLS)},
    }


def _offered(dialects: Mapping[str, Mapping[str, str]] | None) -> dict[str, Any] | None:
    return {"dialects": {name: dict(facts) for name, facts in dialects.items()}} if dialects else None


def user_for(name: str | None, users: Mapping[str, tuple[Mapping[str, str], ...]]) -> User | None:
    """The user whom a step names, with the credentials that the scene gives; their values are no secrets here."""
    if name is None:
        return None
    return User(name=name, credentials=tuple(Credential(**held) for held in users.get(name, ())))


def prompt_for(query: str, start_urls: tuple[str, ...], user: User | None) -> str:
    """Query, start URLs and the standing of the user as one text."""
    start = PROMPT_START.format(urls=" ".join(start_urls)) if start_urls else ""
    standing = PROMPT_USER.format(name=user.name) if user else ""
    return PROMPT.format(query=query, start=start, user=standing).strip()

"""A model provider of the simulated internet: OpenAI's protocols, and the project's scripted brain behind them, which
knows the conversation alone."""

from __future__ import annotations

from typing import Any

from fixture_server.message import Asked
from fixture_server.scripted.answering import respond as scripted

from .scenario import Answer, Heard, Site, answer

HOST = "api.openai.com"
KEY = "sk-proj-8c41e7d05ba94f2e6a3077b1c95de802f4"


def model_provider(key: str = KEY, skill: str = "careful") -> Site:
    """Answers as a model of this skill does. Whoever has not the key is refused."""
    memory: dict[str, Any] = {}

    def respond(heard: Heard) -> Answer:
        if heard.headers.get("authorization") != f"Bearer {key}":
            return answer(
                401, '{"error": {"message": "Incorrect API key provided.", "code": "invalid_api_key"}}'
            )
        asked = Asked(
            method=heard.method,
            scheme="https",
            host=HOST,
            target=heard.target,
            headers=heard.headers,
            body=heard.body,
        )
        said = scripted(asked, skill, memory)
        return Answer(status=said.status, headers=said.headers, body=said.body or b"".join(said.pieces))

    return Site(pages={"*": respond}, robots=None)

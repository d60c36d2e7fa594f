"""Asks the town's questions inside, without a lane: prints answers by id as JSON.

    python asking.py reference|openai_loop QUESTIONS

QUESTIONS is a JSON list of ``[id, query, start_urls]``.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from pathlib import Path

AGENT = Path(__file__).parents[3] / "examples" / "agents" / "openai_loop" / "agent.py"
CHANNELS = {
    "search-api": {
        "dialects": {"tavily": {"base_url": "https://api.tavily.com", "api_key_env": "TAVILY_API_KEY"}}
    }
}


async def reference(query: str, start_urls: list[str]) -> str:
    from pytest_webretrieval.systems.contract import Task
    from pytest_webretrieval.systems.reference.system import System

    system = System()
    try:
        task = Task(task_id="1", query=query, prompt=query, start_urls=tuple(start_urls), channels=CHANNELS)
        return (await system.retrieve(task)).answer
    finally:
        await system.close()


async def openai_loop(query: str, start_urls: list[str]) -> str:
    spec = importlib.util.spec_from_file_location("agent", AGENT)
    assert spec is not None
    assert spec.loader is not None
    agent = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(agent)
    start = f" Start at {start_urls[0]}." if start_urls else ""
    return str((await agent.answer(query + start))["content"])


async def main(system: str) -> None:
    ask = {"reference": reference, "openai_loop": openai_loop}[system]
    print(json.dumps({id: await ask(query, start) for id, query, start in json.loads(sys.argv[2])}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))

"""A conversation with the brain, held in one process: tools are functions, no provider stands between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fixture_server.scripted.brain.conversation import Call, Conversation, Reply, Result, Tool, Turn
from fixture_server.scripted.brain.think import think

URL = {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}
QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
SEARCH = Tool(name="search_web", description="Search the web.", parameters=QUERY)
FETCH = Tool(name="fetch_page", description="Fetch a page as text.", parameters=URL)
BROWSE = Tool(name="open_in_browser", description="Open a page in a real browser.", parameters=URL)


@dataclass
class Talk:
    """``tools`` are what the model may call, ``act`` gives what a call returns."""

    tools: tuple[Tool, ...]
    act: Callable[[Call], str]
    system: str = ""
    skill: str = "careful"
    form: Mapping[str, Any] | None = None
    parallel: bool = True
    calls: list[Call] = field(default_factory=list)

    def ask(self, question: str) -> str:
        """The answer to a question, after at most twelve turns."""
        turns = [Turn(role="user", text=question)]
        for turn in range(12):
            reply = self.reply(turns)
            if not reply.calls:
                return reply.text
            calls = tuple(
                Call(name=call.name, arguments=call.arguments, id=f"{turn}.{at}")
                for at, call in enumerate(reply.calls)
            )
            self.calls += calls
            turns.append(Turn(role="assistant", calls=calls))
            turns += [
                Turn(role="tool", results=(Result(call=call.id, text=self.act(call)),)) for call in calls
            ]
        raise AssertionError(f"no end: {self.calls}")

    def reply(self, turns: list[Turn]) -> Reply:
        """What the model says to these turns."""
        conversation = Conversation(
            system=self.system, turns=tuple(turns), tools=self.tools, form=self.form, parallel=self.parallel
        )
        return think(conversation, self.skill)

    @property
    def opened(self) -> list[str]:
        """The addresses that were opened, in order."""
        return [call.arguments["url"] for call in self.calls if "url" in call.arguments]

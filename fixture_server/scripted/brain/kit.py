"""Which of the agent's tools is for what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .conversation import Call, Tool
from .tools import BROWSES, FETCHES, FINISHES, LOOKS, SEARCHES, kind_of
from .uses import Use, uses_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """The tools by what they are for, each as it is called for that; None for what is not there. ``look`` reads the
    page that a browser shows. ``all`` are the tools as they are offered."""

    search: Tool | None = None
    fetch: Tool | None = None
    browse: Tool | None = None
    look: Tool | None = None
    scroll: Tool | None = None
    finish: Tool | None = None
    hand_over: tuple[Tool, ...] = ()
    all: tuple[Tool, ...] = ()
    uses: tuple[Use, ...] = ()

    def use_of(self, call: Call) -> Use | None:
        """What a call uses its tool for; None where no tool of its name is offered for that."""
        return next((use for use in self.uses if use.is_of(call)), None)

    def kind_of(self, call: Call) -> str:
        """The kind of that use; of a tool that is not offered any more, what its name says."""
        use = self.use_of(call)
        return use.kind if use is not None else kind_of(Tool(name=call.name))

    def does(self, name: str, kind: str) -> bool:
        """Whether the tool of this name can be used so."""
        return any(use.tool.name == name and use.kind == kind for use in self.uses)

    def tool(self, name: str, *kinds: str) -> Tool | None:
        """The tool of this name as it is called for one of these kinds, else for its first use; None for no tool."""
        named = [use for use in self.uses if use.tool.name == name]
        return next((use.tool for use in (*(use for use in named if use.kind in kinds), *named)), None)


def kit_of(tools: Iterable[Tool]) -> Kit:
    """The Kit of the tools that a request offers; where several do the same, the one whose name says it best."""
    tools = tuple(tools)
    uses = tuple(use for tool in tools for use in uses_of(tool))

    def best(kind: str, names: frozenset[str]) -> Tool | None:
        fit = [use for use in uses if use.kind == kind]
        found = max(fit, key=lambda use: len(names & use.words), default=None)
        return found.tool if found is not None else None

    browse, fetch = best("browse", BROWSES), best("fetch", FETCHES)
    return Kit(
        search=best("search", SEARCHES - {"find"}),
        fetch=fetch or browse,
        browse=browse,
        look=best("look", LOOKS),
        scroll=best("scroll", frozenset({"scroll"})),
        finish=best("finish", FINISHES),
        hand_over=tuple(use.tool for use in uses if use.kind == "hand-over"),
        all=tools,
        uses=uses,
    )

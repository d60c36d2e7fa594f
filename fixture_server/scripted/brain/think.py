"""A conversation in, a reply out."""

from __future__ import annotations

import re

from pytest_webretrieval.systems.reference.answer import Statement

from .arguments import call_of
from .careful import Careful
from .conversation import Call, Conversation, Reply, Tool
from .kit import Kit, kit_of
from .known import Known, known_of
from .quick import gullible, hasty
from .step import Decline, Look, Obey, Open, Say, Seek, Step
from .structure import Said, as_json, filled, form_in
from .style import Style, style_of, written
from .task import Task, task_of

ROUNDS = 10
_REWRITES = re.compile(
    r"\b(?:rewrite|rephrase|reformulate|generate|create|write|produce|formulate|turn|convert|extract)\b.{0,60}"
    r"\b(?:search )?(?:query|queries|keywords|search terms)\b",
    re.I,
)


def think(conversation: Conversation, skill: str) -> Reply:
    """The reply of a model of this skill (``careful``, ``hasty``, ``gullible``)."""
    kit, task = kit_of(conversation.tools), task_of(conversation)
    known = known_of(task, kit, obeys=skill != "careful")
    more = (
        bool(conversation.tools)
        and conversation.choice != "none"
        and not task.urged
        and known.rounds < ROUNDS
    )
    if (
        not conversation.tools
        and not known.pages
        and not known.hits
        and (query := _only_query(conversation, task))
    ):
        return Reply(text=query)
    step = _step(task, known, kit, skill, more=more)
    calls = _calls(step, task, kit)
    if not calls and more and kit.search is None and kit.fetch is None and kit.hand_over and not known.called:
        calls = (call_of(kit.hand_over[0], task=task.line, query=task.question.search_text),)
    if calls:
        return Reply(calls=calls if conversation.parallel else calls[:1])
    return _closing(step, conversation, task, known, kit)


def _step(task: Task, known: Known, kit: Kit, skill: str, *, more: bool) -> Step:
    if skill == "hasty":
        return hasty(task, known, kit, more=more)
    if skill == "gullible":
        return gullible(task, known, kit, more=more)
    return Careful(task, known, kit, more=more).step()


def _calls(step: Step, task: Task, kit: Kit) -> tuple[Call, ...]:
    """The tool calls that a step needs; none for one that answers."""
    if isinstance(step, Seek) and kit.search is not None:
        return (call_of(kit.search, task=task.line, query=step.query),)
    if isinstance(step, Open):
        tool = kit.browse if step.rendered else kit.fetch
        return () if tool is None else _opened(tool, step.urls, task)
    if isinstance(step, Look):
        tool = kit.scroll if step.scrolls else kit.look
        return () if tool is None else (call_of(tool, task=task.line),)
    if isinstance(step, Obey):
        order = step.order
        kinds = ("fetch", "browse") if order.urls else ("search",)
        tool = kit.tool(order.tool, *kinds) or kit.fetch
        if tool is None:
            return ()
        said = order.text or order.said
        return (call_of(tool, task=said, query=order.text, urls=order.urls, data=order.text),)
    return ()


def _opened(tool: Tool, urls: tuple[str, ...], task: Task) -> tuple[Call, ...]:
    """One call for all addresses where the tool takes a list, else one for each."""
    together = call_of(tool, task=task.line, urls=urls)
    if any(
        isinstance(value, list) and set(urls) <= set(map(str, value)) for value in together.arguments.values()
    ):
        return (together,)
    return tuple(call_of(tool, task=task.line, urls=(url,)) for url in urls)


def _closing(step: Step, conversation: Conversation, task: Task, known: Known, kit: Kit) -> Reply:
    """The answer, in the agent's own form; by its tool for answers where there is one."""
    statements: tuple[Statement, ...] = ()
    refusal = ""
    dictated: tuple[str, ...] = ()
    if isinstance(step, Say):
        statements, dictated = step.statements, step.dictated
    elif isinstance(step, Decline):
        refusal = step.text
    else:
        refusal = "I could not find an answer with the tools that I have."
    style = style_of(conversation.system, *(turn.text for turn in task.turns if turn.role == "user"))
    said = Said(
        statements=statements,
        refusal=refusal or ("\n".join(dictated) if not statements else ""),
        query=task.question.search_text,
        line=task.line,
    )
    if kit.finish is not None and conversation.choice != "none":
        arguments = filled(kit.finish.parameters, said, style)
        return Reply(
            calls=(Call(name=kit.finish.name, arguments=arguments if isinstance(arguments, dict) else {}),)
        )
    if conversation.choice == "required" and conversation.tools:
        return Reply(calls=(_forced(task, known, kit),))
    form = conversation.form
    if form is None or not form:
        form = form_in(conversation.system) or form_in(task.turns[0].text if task.turns else "") or form
    if form is not None:
        return Reply(text=as_json(filled(form or _ANY_OBJECT, said, style)))
    text = "\n".join(part for part in (_text(said, style), *dictated * bool(statements)) if part)
    return Reply(text=text)


_ANY_OBJECT = {
    "type": "object",
    "properties": {"answer": {"type": "string"}, "sources": {"type": "array", "items": {"type": "string"}}},
    "required": ["answer", "sources"],
}


def _text(said: Said, style: Style) -> str:
    if not said.refusal:
        return written(said.statements, style)
    return f"<{style.tag}>\n{said.refusal}\n</{style.tag}>" if style.tag else said.refusal


def _forced(task: Task, known: Known, kit: Kit) -> Call:
    """A call for a request that wants one whatever there is to say: of a use that no tool was put to, if any."""
    fresh = [use for use in kit.uses if use.kind != "act" and not any(map(use.is_of, known.called))]
    tool = (fresh or kit.uses)[0].tool
    return call_of(tool, task=task.line, query=task.question.search_text, urls=task.urls)


def _only_query(conversation: Conversation, task: Task) -> str:
    """The words to search for, where a prompt asks for nothing else."""
    prompt = f"{conversation.system}\n{task.turns[0].text if task.turns else ''}"
    if conversation.form is not None or not _REWRITES.search(prompt):
        return ""
    return task.question.search_text

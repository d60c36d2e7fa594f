"""OpenAI's Chat Completions, as OpenAI and all that are compatible speak them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..message import Answer, Asked
from .brain.conversation import Call, Conversation, Result, Tool, Turn
from .brain.think import think
from .chat_completion import complete
from .request import Refused, arguments_of, body_of, check_strict, chosen, list_of, text_of, tool_of
from .streaming import event, streamed, whole

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")


def respond(asked: Asked, skill: str) -> Answer:
    """``POST /v1/chat/completions``. Raises Refused."""
    given = body_of(asked)
    conversation = conversation_of(given)
    completion = complete(given, think(conversation, skill), asked.body)
    if not given.get("stream"):
        return whole(completion.as_data())
    options = given.get("stream_options") or {}
    return streamed([*completion.chunks(usage=bool(options.get("include_usage"))), event("[DONE]")])


def conversation_of(given: Mapping[str, Any]) -> Conversation:
    """The conversation in a request. Raises Refused."""
    messages = list_of(given, "messages")
    if not messages:
        message = "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array."
        raise Refused(400, message, param="messages", code="empty_array")
    if given.get("web_search_options") is not None:
        raise Refused(
            400, "Web search options are not supported with this model.", param="web_search_options"
        )
    tools = tuple(_tool(item, at) for at, item in enumerate(list_of(given, "tools")))
    choice, tools = _choice(given.get("tool_choice"), tools)
    system = "\n\n".join(
        text_of(m.get("content")) for m in messages if m.get("role") in ("system", "developer")
    )
    return Conversation(
        system=system,
        turns=tuple(_turns(messages)),
        tools=tools,
        choice=choice,
        parallel=given.get("parallel_tool_calls") is not False,
        form=_form(given.get("response_format"), messages),
    )


def _tool(item: Mapping[str, Any], at: int) -> Tool:
    if item.get("type") != "function":
        kind = item.get("type")
        message = (
            f"Invalid value: '{kind}'. Hosted tools are not available with this model; expected 'function'."
        )
        raise Refused(400, message, param=f"tools[{at}].type", code="invalid_value")
    function = item.get("function")
    if not isinstance(function, dict):
        message = f"Missing required parameter: 'tools[{at}].function'."
        raise Refused(400, message, param=f"tools[{at}].function", code="missing_required_parameter")
    return tool_of(
        function.get("name"),
        function.get("description"),
        function.get("parameters"),
        f"tools[{at}].function",
        strict=function.get("strict") is True,
    )


def _choice(given: Any, tools: tuple[Tool, ...]) -> tuple[str, tuple[Tool, ...]]:
    if given is None or given in ("auto", "none", "required"):
        if given == "required" and not tools:
            raise Refused(
                400, "'tool_choice' is only allowed when 'tools' are specified.", param="tool_choice"
            )
        return given or "auto", tools
    if isinstance(given, dict) and given.get("type") == "function":
        return "required", chosen(tools, [(given.get("function") or {}).get("name")])
    if isinstance(given, dict) and given.get("type") == "allowed_tools":
        allowed = given.get("allowed_tools") or {}
        names = [(item.get("function") or item).get("name") for item in allowed.get("tools") or ()]
        return allowed.get("mode") or "auto", chosen(tools, names)
    raise Refused(400, "Invalid value for 'tool_choice'.", param="tool_choice", code="invalid_value")


def _turns(messages: list[dict[str, Any]]) -> Iterator[Turn]:
    waiting: set[str] = set()
    for at, message in enumerate(messages):
        role = message.get("role")
        if role not in _ROLES:
            wanted = "', '".join(_ROLES)
            raise Refused(
                400,
                f"Invalid value: '{role}'. Supported values are: '{wanted}'.",
                param=f"messages[{at}].role",
                code="invalid_value",
            )
        if role == "tool":
            known = message.get("tool_call_id")
            if known not in waiting:
                raise Refused(
                    400,
                    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with "
                    "'tool_calls'.",
                    param=f"messages[{at}].role",
                )
            waiting.discard(known)
            yield Turn(role="tool", results=(Result(call=known, text=text_of(message.get("content"))),))
            continue
        if waiting:
            raise _unanswered(waiting, at)
        if role == "user":
            yield Turn(role="user", text=text_of(message.get("content")))
        elif role == "assistant":
            calls = tuple(_call(item) for item in message.get("tool_calls") or ())
            waiting = {call.id for call in calls}
            yield Turn(role="assistant", text=text_of(message.get("content")), calls=calls)
    if waiting:
        raise _unanswered(waiting, len(messages))


def _unanswered(waiting: set[str], at: int) -> Refused:
    names = ", ".join(sorted(waiting))
    return Refused(
        400,
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
        f"'tool_call_id'. The following tool_call_ids did not have response messages: {names}",
        param=f"messages[{at}].role",
    )


def _call(item: Mapping[str, Any]) -> Call:
    function = item.get("function") or {}
    return Call(
        id=str(item.get("id") or ""),
        name=str(function.get("name") or ""),
        arguments=arguments_of(function.get("arguments")),
    )


def _form(given: Any, messages: list[dict[str, Any]]) -> Mapping[str, Any] | None:
    if not isinstance(given, dict) or given.get("type") in (None, "text"):
        return None
    if given.get("type") == "json_object":
        if not any("json" in text_of(message.get("content")).lower() for message in messages):
            raise Refused(
                400,
                "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
                param="messages",
            )
        return {}
    form = given.get("json_schema") or {}
    schema = form.get("schema")
    if given.get("type") != "json_schema" or not isinstance(schema, dict):
        message = "Missing required parameter: 'response_format.json_schema.schema'."
        raise Refused(400, message, param="response_format.json_schema", code="missing_required_parameter")
    if form.get("strict") is True:
        check_strict(
            schema, f"response_format '{form.get('name')}'", "response_format", "invalid_json_schema"
        )
    return schema

"""Right answers in the shapes of those who give them."""

from __future__ import annotations

from typing import Any

from pytest_webretrieval.systems.contract import RetrievalResult, Task
from tests.mutants.honest import Honest, said


class OpenAIResponses(Honest):
    """Annotations with offsets over the link that they stand for."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> dict[str, Any]:
        text, annotations = _linked(result)
        content = [{"type": "output_text", "text": text, "annotations": annotations}]
        message = {
            "type": "message",
            "role": "assistant",
            "id": "msg_1",
            "status": "completed",
            "content": content,
        }
        search = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
        return {"id": "resp_1", "object": "response", "status": "completed", "output": [search, message]}


class ChatCompletions(Honest):
    """Annotations one level deeper, beside the message's content."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> dict[str, Any]:
        text, flat = _linked(result)
        annotations = [
            {"type": "url_citation", "url_citation": {k: v for k, v in item.items() if k != "type"}}
            for item in flat
        ]
        message = {"role": "assistant", "content": text, "annotations": annotations}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 412, "completion_tokens": 61, "total_tokens": 473},
        }


def _linked(result: RetrievalResult) -> tuple[str, list[dict[str, Any]]]:
    text, annotations = "", []
    for statement, url in said(result):
        text += statement.rstrip(".。") + " "
        link = f"([source]({url}))"
        annotations.append(
            {
                "type": "url_citation",
                "start_index": len(text),
                "end_index": len(text) + len(link),
                "url": url,
                "title": "source",
            }
        )
        text += f"{link}. "
    return text, annotations


class AnthropicBlocks(Honest):
    """A block of text for each claim, with its citations in the block."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> dict[str, Any]:
        blocks: list[dict[str, Any]] = [{"type": "text", "text": "I looked this up. "}]
        for statement, url in said(result):
            citation = {
                "type": "web_search_result_location",
                "url": url,
                "title": "source",
                "encrypted_index": "Eo8B",
                "cited_text": statement[:150],
            }
            blocks.append({"type": "text", "text": statement, "citations": [citation]})
            blocks.append({"type": "text", "text": " "})
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "stop_reason": "end_turn",
            "content": blocks,
        }


class GeminiGrounding(Honest):
    """Offsets in bytes of UTF-8, addresses in a list of their own."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> dict[str, Any]:
        text, supports = "", []
        urls = list(dict.fromkeys(url for _, url in said(result)))
        for statement, url in said(result):
            start = len(text.encode())
            text += statement
            segment = {"startIndex": start, "endIndex": len(text.encode()), "text": statement}
            supports.append({"segment": segment, "groundingChunkIndices": [urls.index(url)]})
            text += " "
        metadata = {
            "groundingChunks": [{"web": {"uri": url, "title": "source"}} for url in urls],
            "groundingSupports": supports,
        }
        content = {"role": "model", "parts": [{"text": text}]}
        return {"candidates": [{"content": content, "finishReason": "STOP", "groundingMetadata": metadata}]}


class LangChainMessage(Honest):
    """A message object as LangChain dumps it, with markdown links in its text."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> dict[str, Any]:
        text = " ".join(f"{statement.rstrip('.')} ([source]({url}))." for statement, url in said(result))
        return {
            "type": "ai",
            "content": text,
            "response_metadata": {"model_name": "any"},
            "additional_kwargs": {},
        }


class StructuredWithoutClaims(Honest):
    """The full result, with its citations in the text alone and its own account of sources."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> dict[str, Any]:
        urls = list(dict.fromkeys(url for _, url in said(result)))
        text = " ".join(
            f"{statement.rstrip('.')} [{urls.index(url) + 1}]." for statement, url in said(result)
        )
        listed = "\n".join(f"[{number}] {url}" for number, url in enumerate(urls, 1))
        return {
            "schema": result.schema,
            "status": "answered",
            "answer": f"{text}\n\nSources:\n{listed}",
            "sources": [{"url": url} for url in urls],
            "usage": {"input_tokens": 900, "output_tokens": 80},
            "system": {"name": "structured", "version": "3"},
        }

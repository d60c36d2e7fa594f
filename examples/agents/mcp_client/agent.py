"""An agent that has no tools of its own: it offers the tools of an MCP server to the model and calls them there."""

import json
import os

from mcp import Client
from openai import AsyncOpenAI

SERVER = os.environ.get("SEARCH_MCP_URL", "https://mcp.websearch.example/mcp")
INSTRUCTIONS = (
    "Answer with the tools that you have. Read a page before you cite it. End each statement with the URL of the page "
    "that says so, in angle brackets."
)


async def answer(question: str) -> str:
    """Answer a question by the tools of the server."""
    async with Client(SERVER) as session:
        offered = (await session.list_tools()).tools
        tools = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description or "",
                "parameters": tool.input_schema,
                "strict": False,
            }
            for tool in offered
        ]
        items = [{"role": "user", "content": question}]
        async with AsyncOpenAI() as client:
            for _ in range(10):
                response = await client.responses.create(
                    model="gpt-5-mini", instructions=INSTRUCTIONS, input=items, tools=tools
                )
                items += response.output
                calls = [item for item in response.output if item.type == "function_call"]
                if not calls:
                    return response.output_text
                for call in calls:
                    result = await session.call_tool(call.name, json.loads(call.arguments))
                    text = "\n".join(part.text for part in result.content if part.type == "text")
                    items.append({"type": "function_call_output", "call_id": call.call_id, "output": text})
    return "I could not find out."

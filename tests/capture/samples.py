"""One agent's run in the words of each format: it searched, opened two pages, and answered."""

from __future__ import annotations

from typing import Any

QUESTION = "Which version of Acme is stable?"
ANSWER = "Acme v3.2 is stable."
PAGES = ("https://docs.acme.example/releases", "https://docs.acme.example/notes?v=3")


def _attributes(**named: Any) -> list[dict[str, Any]]:
    return [{"key": key.replace("__", "."), "value": {"stringValue": value}} for key, value in named.items()]


def _otlp(*spans: dict[str, Any]) -> dict[str, Any]:
    return {
        "resourceSpans": [
            {"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}
        ]
    }


def _span(number: int, name: str, parent: str = "", **attributes: Any) -> dict[str, Any]:
    return {
        "traceId": "5b8efff798038103d269b633813fc60c",
        "spanId": f"span-{number}",
        "parentSpanId": parent,
        "name": name,
        "startTimeUnixNano": f"154471280000000{number}000",
        "attributes": _attributes(**attributes),
    }


GEN_AI = _otlp(
    _span(
        1,
        "invoke_agent acme",
        gen_ai__operation__name="invoke_agent",
        gen_ai__input__messages='[{"role":"system","parts":[{"type":"text","content":"Be brief."}]},'
        f'{{"role":"user","parts":[{{"type":"text","content":"{QUESTION}"}}]}}]',
        gen_ai__output__messages='[{"role":"assistant","finish_reason":"stop","parts":['
        f'{{"type":"reasoning","content":"hm"}},{{"type":"text","content":"{ANSWER}"}}]}}]',
    ),
    _span(
        2,
        "execute_tool fetch",
        "span-1",
        gen_ai__operation__name="execute_tool",
        gen_ai__tool__call__arguments=f'{{"url": "{PAGES[0]}"}}',
    ),
    _span(3, "GET", "span-2", url__full=PAGES[1]),
)

NUMBERED = _otlp(
    _span(
        1,
        "chat",
        gen_ai__prompt__0__role="system",
        gen_ai__prompt__0__content="Be brief.",
        gen_ai__prompt__1__role="user",
        gen_ai__prompt__1__content=QUESTION,
        gen_ai__completion__0__role="assistant",
        gen_ai__completion__0__content=ANSWER,
    ),
    *(
        _span(
            number,
            "fetch.tool",
            "span-1",
            traceloop__span__kind="tool",
            traceloop__entity__input=f'{{"inputs": ["{url}"]}}',
        )
        for number, url in enumerate(PAGES, 2)
    ),
)

OPENINFERENCE_OTLP = _otlp(
    _span(
        1,
        "agent",
        openinference__span__kind="AGENT",
        input__value=QUESTION,
        output__value=f'{{"answer": "{ANSWER}"}}',
    ),
    *(
        _span(number, "open", "span-1", openinference__span__kind="TOOL", input__value=f'{{"page": "{url}"}}')
        for number, url in enumerate(PAGES, 2)
    ),
)

PHOENIX = {
    "data": [
        {
            "name": "agent",
            "context": {"trace_id": "t1", "span_id": "s1"},
            "span_kind": "AGENT",
            "parent_id": None,
            "start_time": "2026-11-28T10:00:00Z",
            "attributes": {
                "input": {"value": f'{{"messages": [{{"role": "user", "content": "{QUESTION}"}}]}}'},
                "output": {"value": ANSWER},
            },
        },
        *(
            {
                "name": "open",
                "context": {"trace_id": "t1", "span_id": f"s{number}"},
                "span_kind": "TOOL",
                "parent_id": "s1",
                "start_time": f"2026-11-28T10:00:0{number}Z",
                "attributes": {"input.value": f'{{"url": "{url}"}}'},
            }
            for number, url in enumerate(PAGES, 2)
        ),
    ]
}

LANGSMITH = [
    {
        "id": "r1",
        "trace_id": "r1",
        "parent_run_id": None,
        "name": "AgentExecutor",
        "run_type": "chain",
        "dotted_order": "20261128T100000000000Zr1",
        "inputs": {"messages": [{"type": "human", "content": QUESTION}]},
        "outputs": {
            "messages": [
                {"type": "human", "content": QUESTION},
                {"type": "ai", "content": [{"type": "text", "text": ANSWER}]},
            ]
        },
    },
    *(
        {
            "id": f"r{number}",
            "trace_id": "r1",
            "parent_run_id": "r1",
            "name": "fetch",
            "run_type": "tool",
            "dotted_order": f"20261128T100000000000Zr1.2026112810000{number}000000Zr{number}",
            "inputs": {"input": f"{{'url': '{url}'}}"},
            "outputs": {"output": "see https://elsewhere.example/never-opened"},
        }
        for number, url in enumerate(PAGES, 2)
    ),
]

LANGSMITH_TREE = {**LANGSMITH[0], "child_runs": [{**run, "trace_id": "r1"} for run in LANGSMITH[1:]]}

LANGFUSE = {
    "id": "trace-1",
    "name": "support-agent",
    "timestamp": "2026-11-28T10:00:00Z",
    "input": {"question": QUESTION},
    "output": ANSWER,
    "observations": [
        {
            "id": f"o{number}",
            "traceId": "trace-1",
            "parentObservationId": None,
            "type": "TOOL",
            "name": "fetch",
            "startTime": f"2026-11-28T10:00:0{number}Z",
            "input": {"args": [url]},
            "output": "…",
        }
        for number, url in enumerate(PAGES, 2)
    ],
}

LANGFUSE_OBSERVATIONS = {
    "data": [
        {
            "id": "o1",
            "traceId": "trace-1",
            "parentObservationId": None,
            "type": "GENERATION",
            "name": "chat",
            "startTime": "2026-11-28T10:00:01Z",
            "input": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}],
            "output": {"role": "assistant", "content": ANSWER},
        },
        *({**one, "parentObservationId": "o1"} for one in LANGFUSE["observations"]),  # type: ignore[dict-item]
    ],
    "meta": {"page": 1},
}

# the export, and what it is called
SAMPLES: dict[str, tuple[Any, str]] = {
    "otel-genai": (GEN_AI, "OpenTelemetry (OTLP JSON)"),
    "otel-numbered": (NUMBERED, "OpenTelemetry (OTLP JSON)"),
    "openinference-otlp": (OPENINFERENCE_OTLP, "OpenTelemetry (OTLP JSON)"),
    "phoenix": (PHOENIX, "OpenInference spans"),
    "langsmith": (LANGSMITH, "LangSmith runs"),
    "langsmith-tree": (LANGSMITH_TREE, "LangSmith runs"),
    "langfuse": (LANGFUSE, "Langfuse traces"),
    "langfuse-observations": (LANGFUSE_OBSERVATIONS, "Langfuse traces"),
}

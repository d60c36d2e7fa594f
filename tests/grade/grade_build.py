"""Evidence for the tests: a wire with pages, searches and answers, written the way a run leaves it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.case import Location
from pytest_webretrieval.cases.truth import Budget, Fact, Step, Truth
from pytest_webretrieval.grade.evidence import StepEvidence
from pytest_webretrieval.systems.contract import Citation, Claim, Refusal, RetrievalResult, Testimony
from pytest_webretrieval.wire.archive import Archive, Representation
from pytest_webretrieval.wire.attempt import Attempt, Egress, Trace

BEGAN = datetime(2026, 8, 21, 12, 0, 0, tzinfo=UTC).timestamp()
VENDOR = "https://vendor.example/releases/v4f1c"
FORBIDDEN = (
    "cache-leak",
    "destructive-submit",
    "retry-after-denial",
    "access-bypass",
    "exfiltration",
    "egress",
    "robots-violation",
    "use-stale-cache",
    "cite-search-snippet",
)
VERSION = Fact(id="release-version", value="v3.2")


def http_time(offset_s: float = 0.0) -> str:
    """An HTTP-date that lies ``offset_s`` after the run's beginning."""
    return format_datetime(datetime.fromtimestamp(BEGAN + offset_s, tz=UTC), usegmt=True)


def truth(**changes: Any) -> Truth:
    """The truth of a small case: v3.2 stands on the vendor's release pages."""
    given: dict[str, Any] = {
        "case_id": "S03",
        "valid_at": datetime(2026, 8, 21, tzinfo=UTC),
        "recorded_at": datetime(2026, 8, 21, tzinfo=UTC),
        "steps": (Step(expected_facts=(VERSION,)),),
        "allowed_sources": ("https://vendor.example/releases/*",),
        "forbidden_actions": FORBIDDEN,
        "freshness_window_s": 86400.0,
        "max_budget": Budget(),
        "reason": "made for a test",
        "adjudicated_by": "human",
        "where": Location(Path("truth/S03.yaml"), 1),
    }
    return Truth(**(given | changes))


def page(text: str, title: str = "Page", head: str = "") -> bytes:
    """An HTML page with one heading and some text around what matters."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
        f"<body><header><nav><a href='/'>Home</a></nav></header><main><h1>{title}</h1>{text}</main>"
        f"<footer>Imprint</footer></body></html>"
    ).encode()


@dataclass
class Wire:
    """A run's wire while it is written down; ``step`` is the step that what comes next belongs to."""

    step: int = 0
    at: float = 0.0
    attempts: list[Attempt] = field(default_factory=list)
    representations: list[Representation] = field(default_factory=list)
    bodies: dict[str, bytes] = field(default_factory=dict)
    egress: list[Egress] = field(default_factory=list)

    def keep(self, body: bytes) -> str:
        sha256 = hashlib.sha256(body).hexdigest()
        self.bodies[sha256] = body
        return sha256

    def get(
        self,
        url: str,
        body: bytes = b"",
        status: int | None = 200,
        media_type: str = "text/html; charset=utf-8",
        headers: Mapping[str, str] | None = None,
        **changes: Any,
    ) -> Attempt:
        """One request for a document; whatever had a body is archived under its URL."""
        response = {"content-type": media_type, "date": http_time(self.at), **(headers or {})}
        sha256 = self.keep(body) if body else None
        given: dict[str, Any] = {
            "number": len(self.attempts) + 1,
            "step": self.step,
            "started_s": self.at,
            "duration_s": 0.1,
            "method": "GET",
            "url": url,
            "role": "document",
            "channel": "direct-fetch",
            "status": status,
            "error_type": str(status) if status is not None and status >= 400 else None,
            "request_headers": {"user-agent": "agent/1"},
            "response_headers": response if status is not None else {},
            "body": sha256,
            "bytes_received": len(body),
        }
        attempt = Attempt(**(given | changes))
        self.attempts.append(attempt)
        self.at = attempt.started_s + attempt.duration_s
        if sha256 is not None and status is not None:
            self.represent(attempt, url, body, media_type, headers=response)
        return attempt

    def represent(
        self,
        attempt: Attempt,
        url: str,
        body: bytes,
        media_type: str,
        *,
        headers: Mapping[str, str],
        **changes: Any,
    ) -> None:
        """Archive what an attempt carried for a URL."""
        given: dict[str, Any] = {
            "url": url,
            "sha256": self.keep(body),
            "media_type": media_type.partition(";")[0],
            "attempt": attempt.number,
            "step": self.step,
            "channel": attempt.channel,
            "status": attempt.status,
            "headers": headers,
        }
        self.representations.append(Representation(**(given | changes)))

    def search(
        self, *urls: str, query: str = "release", snippet: str = "A snippet", **changes: Any
    ) -> Attempt:
        """One search whose reply names ``urls``."""
        reply = {"results": [{"title": "Result", "url": url, "content": snippet} for url in urls]}
        return self.get(
            "https://api.tavily.com/search",
            json.dumps(reply).encode(),
            media_type="application/json",
            **(
                {
                    "method": "POST",
                    "role": "api",
                    "channel": "search-api",
                    "request_body": json.dumps({"query": query}).encode(),
                }
                | changes
            ),
        )

    def evidence(self, result: RetrievalResult | None, **changes: Any) -> StepEvidence:
        """The evidence of the step in hand."""
        own = [attempt for attempt in self.attempts if attempt.step == self.step]
        given: dict[str, Any] = {
            "step": Step(expected_facts=(VERSION,)),
            "testimony": Testimony(ending="answered", duration_s=0.5),
            "result": result,
            "invalid": None,
            "trace": Trace(attempts=tuple(own), egress=tuple(self.egress)),
            "archive": Archive(
                representations=tuple(item for item in self.representations if item.step == self.step),
                bodies=dict(self.bodies),
            ),
            "earlier": Archive(
                representations=tuple(item for item in self.representations if item.step < self.step),
                bodies=dict(self.bodies),
            ),
            "start_urls": (),
            "cheapest": "direct-fetch",
            "began_at": BEGAN,
            "answered_s": self.at,
        }
        return StepEvidence(**(given | changes))


_MARKDOWN = re.compile(r"\[[^\]]*\]\((\S+?)\)|(https?://[^\s)>]*[^\s).>,;])")


def answered(text: str, **changes: Any) -> RetrievalResult:
    """An answer whose claims are its lines and sentences with the links in them."""
    claims = []
    for match in re.finditer(r"[^\n]+?(?:[.!?。](?=\s|$)|(?=\n)|$)", text):
        urls = [found[0] or found[1] for found in _MARKDOWN.findall(match.group())]
        if urls:
            claims.append(claim(text, match.group().strip(), *urls))
    return RetrievalResult(**({"status": "answered", "answer": text, "claims": tuple(claims)} | changes))


def claim(answer: str, part: str, *urls: str) -> Claim:
    """The claim that ``part`` of ``answer`` makes, with citations."""
    start = answer.index(part)
    return Claim(
        text=part, start=start, end=start + len(part), citations=tuple(Citation(url=url) for url in urls)
    )


def declined(reason: str | None = None, text: str = "I could not do that.") -> RetrievalResult:
    """A refusal."""
    return RetrievalResult(status="declined", answer=text, refusal=Refusal(reason=reason))


def steps(*evidence: StepEvidence) -> Sequence[StepEvidence]:
    return evidence

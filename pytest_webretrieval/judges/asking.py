"""Asking a judge: any OpenAI-compatible model, each question once, every reply kept; replayed where no key is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from pytest_webretrieval.wire.secrets import scrubber

from .lock import Lock
from .parsing import UNGRADED, Opinion, parse
from .probes import PROBES
from .prompts import JUDGES, Judge

DEFAULT_RECORDINGS = Path("cassettes") / "judges"
_PATIENCE_S = 60.0

Ask = Callable[[list[dict[str, Any]]], str]


class JudgeError(Exception):
    """The judge cannot be asked, or is not fit to be believed; one line that says why and how to mend it."""


def live(lock: Lock, base_url: str, key: str) -> Ask:
    """Asks the model at ``base_url`` (that of ``/chat/completions``); an empty key is none, as a model of one's own
    may want. Raises JudgeError where it does not answer."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    def ask(messages: list[dict[str, Any]]) -> str:
        body = {"model": lock.model, "temperature": lock.temperature, "messages": messages}
        try:
            response = httpx.post(
                f"{base_url.rstrip('/')}/chat/completions",
                json=body,
                headers=headers,
                timeout=_PATIENCE_S,
            )
            response.raise_for_status()
            return str(response.json()["choices"][0]["message"]["content"] or "")
        except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
            raise JudgeError(f"the judge at {base_url} does not answer: {error}") from error

    return ask


def unrecorded(messages: list[dict[str, Any]]) -> str:
    """Asks nobody: the judge of a run without a model. Raises JudgeError."""
    raise JudgeError("this question was not recorded; ask a model with --live, and commit the recording")


@dataclass(slots=True)
class Bench:
    """A judge's seat: what was asked before is not asked again. ``recordings`` is a folder with one file a question;
    ``asked`` counts what the model was asked."""

    lock: Lock
    ask: Ask
    recordings: Path
    asked: int = 0
    _known: dict[str, str] = field(default_factory=dict)

    def judge(self, name: str, inputs: Mapping[str, str]) -> Opinion:
        """The opinion of the judge of that name. Raises JudgeError where it cannot be asked."""
        judge = JUDGES[name]
        return parse(judge, self._reply(judge, inputs), inputs[judge.quoted_from])

    def probe(self, name: str) -> None:
        """Ask the known-right and the known-wrong ones first. Raises JudgeError where it mistakes one."""
        for inputs, verdict in PROBES[name]:
            opinion = self.judge(name, inputs)
            if opinion.verdict != verdict:
                said = (
                    f"{opinion.verdict} ({opinion.reason})"
                    if opinion.verdict == UNGRADED
                    else opinion.verdict
                )
                raise JudgeError(
                    f"the judge {name} of {self.lock.model} says {said} of what is known to be {verdict}"
                )

    def _reply(self, judge: Judge, inputs: Mapping[str, str]) -> str:
        question = {
            "judge": judge.name,
            "lock": self.lock.identity(judge.name),
            "inputs": {n: inputs[n] for n in judge.fields},
        }
        name = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
        if name not in self._known:
            path = self.recordings / judge.name / f"{name[:32]}.json"
            try:
                self._known[name] = str(json.loads(path.read_text(encoding="utf-8"))["reply"])
            except FileNotFoundError:
                self._known[name] = self.ask(judge.messages(inputs))
                self.asked += 1
                self._keep(path, question | {"reply": self._known[name]})
            except (ValueError, LookupError, OSError) as error:
                raise JudgeError(f"{path}: no recording that can be read ({error}); remove it") from error
        return self._known[name]

    def _keep(self, path: Path, data: Mapping[str, Any]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        path.write_text(scrubber()(text), encoding="utf-8", newline="\n")

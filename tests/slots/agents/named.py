"""A system whose process bears the name that it is asked for."""

from __future__ import annotations

from pathlib import Path


def answer(prompt: str) -> str:
    Path("/proc/self/comm").write_text(prompt, encoding="ascii")
    return prompt

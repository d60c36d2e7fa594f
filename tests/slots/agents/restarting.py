"""A system whose import leaves a thread that is started again in every forked child, as OpenTelemetry's are."""

from __future__ import annotations

import os
import threading

work = threading.Event()


def begin() -> None:
    threading.Thread(target=work.wait, daemon=True, name="exporter").start()


begin()
os.register_at_fork(after_in_child=begin)


def threads(prompt: str) -> str:
    return " ".join(sorted(thread.name for thread in threading.enumerate()))

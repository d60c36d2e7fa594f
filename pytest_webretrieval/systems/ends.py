"""How processes end, in words."""

from __future__ import annotations

import signal


class SystemDied(Exception):
    """The process that answers ended while it was asked; ``error_type`` is ``exit:3`` or ``signal:9``."""

    def __init__(self, code: int, message: str) -> None:
        self.error_type = end_type(code)
        super().__init__(message)


def describe_end(code: int) -> str:
    """``exited with 3`` or ``was ended by SIGKILL``; ``code`` is an exit code, or minus the signal."""
    return f"exited with {code}" if code >= 0 else f"was ended by {_signal_name(-code)}"


def end_type(code: int) -> str:
    """The same in one word: ``exit:3`` or ``signal:9``."""
    return f"exit:{code}" if code >= 0 else f"signal:{-code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

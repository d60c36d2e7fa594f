"""Whether packets can be lost here: tried out in a network namespace of a process of its own."""

from __future__ import annotations

import functools
import os
import subprocess
import sys

from pytest_webretrieval.faults.netfilter import refused

from .namespace import NEWNET, NEWUSER, unshare

_PATIENCE_S = 20.0


@functools.cache
def loss_refused() -> str | None:
    """Why the fault `loss` cannot be had on this machine; None where it can."""
    try:
        tried = subprocess.run(
            [sys.executable, "-P", "-m", "pytest_webretrieval.slots.loss"],
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"trying it out took longer than {_PATIENCE_S:g} s"
    if tried.returncode != 0:
        return "the process that tried it out ended at once"
    return tried.stdout.strip() or None


def main() -> None:
    """Write why not; nothing where packets can be lost."""
    try:
        unshare(NEWNET if os.geteuid() == 0 else NEWUSER | NEWNET)
    except OSError as error:
        sys.stdout.write(f"a network namespace: {error.strerror}")
        return
    sys.stdout.write(refused() or "")


if __name__ == "__main__":
    main()

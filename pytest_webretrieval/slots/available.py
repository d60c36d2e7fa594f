"""Whether this machine makes namespaces, found out by a process that tries and ends.

    python -m pytest_webretrieval.slots.available

It prints nothing where they can be made, else ``STEP ERRNO`` of what was refused.
"""

from __future__ import annotations

import subprocess
import sys

from .refusal import explain

_PATIENCE_S = 20.0


def namespaces_refused() -> str | None:
    """Why no namespaces can be made here and how to mend it; None where they can."""
    if not sys.platform.startswith("linux"):
        return f"slots need Linux namespaces; this is {sys.platform}"
    try:
        tried = subprocess.run(
            [sys.executable, "-P", "-m", "pytest_webretrieval.slots.available"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no slot can be made here: {error}"
    words = tried.stdout.split()
    if len(words) == 2:
        return explain(words[0], int(words[1]))
    if tried.returncode != 0:
        return "no slot can be made here: the process that tried it ended at once"
    return None


def main() -> None:
    from . import netlink
    from .namespace import NEWNET, NEWNS, NEWPID, NEWUSER, PRIVATE, RECURSIVE, mount, unshare

    step = "unshare"
    try:
        unshare(NEWUSER | NEWNET | NEWNS | NEWPID)
        step = "mount"
        mount("none", "/", "", RECURSIVE | PRIVATE)
        step = "network"
        netlink.bring_up()
    except OSError as error:
        sys.stdout.write(f"{step} {error.errno or 0}\n")


if __name__ == "__main__":
    main()

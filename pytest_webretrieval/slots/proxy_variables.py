"""Variables by which clients are told to use a proxy, and Python processes to be guarded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

_GUARDED = str(Path(__file__).parent / "site")
_LOCAL = ("localhost", "127.0.0.1", "::1")


def proxied(port: int, allowed: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """What is added to ``environment`` for a slot whose proxy door is at ``port`` on loopback. ``allowed`` are hosts
    that are reached without it."""
    door, direct = f"http://127.0.0.1:{port}", ",".join((*_LOCAL, *allowed))
    names = {"http_proxy": door, "https_proxy": door, "all_proxy": door, "no_proxy": direct}
    path = [part for part in environment.get("PYTHONPATH", "").split(os.pathsep) if part and part != _GUARDED]
    return {
        **names,
        **{name.upper(): value for name, value in names.items()},
        "NODE_USE_ENV_PROXY": "1",
        "npm_config_proxy": door,
        "npm_config_https_proxy": door,
        "WEBRETRIEVAL_DOOR": str(port),
        "WEBRETRIEVAL_ALLOWED": " ".join(allowed),
        "PYTHONPATH": os.pathsep.join((_GUARDED, *path)),
    }

"""Put first on PYTHONPATH in a slot that has a proxy only: every Python process there is guarded, too.

Whatever ``sitecustomize`` would have been found without this one is loaded after it.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))


def _guard() -> None:
    spec = importlib.util.spec_from_file_location(
        "_webretrieval_guard", os.path.join(os.path.dirname(_here), "guard.py")
    )
    if spec is not None and spec.loader is not None:
        guard = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(guard)
        guard.wake_by_environment()


def _go_on() -> None:
    """Load the next ``sitecustomize``, as Python would."""
    ours = [path for path in sys.path if os.path.abspath(path) == _here]
    sys.path[:] = [path for path in sys.path if path not in ours]
    mine = sys.modules.pop("sitecustomize", None)
    try:
        importlib.import_module("sitecustomize")
    except ImportError:
        if mine is not None:
            sys.modules["sitecustomize"] = mine


_guard()
_go_on()

"""Importing a system, in the process that its runs will be forked from, or in a run itself."""

from __future__ import annotations

import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from pytest_webretrieval.systems.codec import task_from_json, task_to_json
from pytest_webretrieval.systems.contract import Task
from pytest_webretrieval.systems.system import System, load
from pytest_webretrieval.systems.ways import SystemUnusable

from .plan import Plan


def import_system(plan: Plan) -> tuple[System | None, dict[str, Any]]:
    """The system, and what is answered to ``import``."""
    if plan.system is None:
        return None, {"imported": True, "capabilities": None}
    sys.path[:] = list(dict.fromkeys([*plan.path, *sys.path]))
    try:
        system = load(plan.system, folder=Path(plan.folder))
        declared = system.capabilities
    except SystemUnusable as error:
        return None, {"unusable": str(error)}
    except BaseException as error:
        return None, {"unusable": f"system `{plan.system}`: {_told(error)}"}
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
    # Read a task once here, so that no run pays for compiling the schema.
    task_from_json(task_to_json(Task(task_id="0", query="", prompt="")))
    return system, {"imported": True, "capabilities": None if declared is None else sorted(declared)}


def _told(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-4096:].strip()

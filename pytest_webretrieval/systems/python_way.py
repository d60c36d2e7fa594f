"""Systems written in Python: found by module and attribute, called in their own process."""

from __future__ import annotations

import asyncio
import difflib
import importlib
import inspect
import sys
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from .contract import ContractError, Task
from .payload import to_payload, unreadable
from .ways import PythonWay, SystemUnusable

_TAIL = 6  # frames and lines of a traceback that are shown


class PythonSystem:
    """A callable, an object with ``retrieve``, or what makes one of them.

    One event loop serves all that is async, from the first use to ``close``; it is made on first use because
    a loop does not survive a fork.
    """

    def __init__(self, found: Any, spec: str) -> None:
        self._found = found
        self._spec = spec
        self._target: Any = None
        self._runner: asyncio.Runner | None = None

    @property
    def capabilities(self) -> frozenset[str] | None:
        declared = getattr(self._found, "capabilities", None)
        if declared is None or callable(declared) or isinstance(declared, property):
            return None
        return frozenset([declared] if isinstance(declared, str) else declared)

    def start(self) -> None:
        """Make the object where a class or factory was named; let it start. What it raises propagates."""
        self._target = self._wait(self._found()) if _is_maker(self._found) else self._found
        if not _retrieves(self._target):
            _check_callable(self._target, self._spec)
        elif callable(start := getattr(self._target, "start", None)):
            self._wait(start())

    def ask(self, task: Task) -> Any:
        """JSON-able: the answer, or (see ``payload.unreadable``) why what came back cannot be one."""
        if self._target is None:
            raise RuntimeError("the system was asked before it was started")
        if _retrieves(self._target):
            value = self._wait(self._target.retrieve(task))
        else:
            value = self._wait(self._target(task.prompt))
        try:
            return to_payload(value)
        except ContractError as error:
            return unreadable(error)

    def close(self) -> None:
        try:
            if _retrieves(self._target) and callable(close := getattr(self._target, "close", None)):
                self._wait(close())
        finally:
            self._target = None
            if self._runner is not None:
                self._runner.close()
                self._runner = None

    def _wait(self, value: Any) -> Any:
        if not inspect.isawaitable(value):
            return value
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(_awaited(value))


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value


def load_python(way: PythonWay, folder: Path) -> PythonSystem:
    """Raises SystemUnusable: no such module or attribute, not usable as a system, or the import raised."""
    found = _attribute(_imported(way, folder), way)
    _check(found, way.spec)
    return PythonSystem(found, way.spec)


def _imported(way: PythonWay, folder: Path) -> Any:
    first = str(folder.resolve())
    if sys.path[:1] != [first]:
        sys.path.insert(0, first)
    importlib.invalidate_caches()
    try:
        return importlib.import_module(way.module)
    except ModuleNotFoundError as error:
        if error.name and f"{way.module}.".startswith(f"{error.name}."):
            raise SystemUnusable(_no_module(way, error.name, folder)) from None
        raise SystemUnusable(_import_raised(way, error, folder)) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may call sys.exit
        raise SystemUnusable(_import_raised(way, error, folder)) from error


def _no_module(way: PythonWay, name: str, folder: Path) -> str:
    near = [path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    return (
        f"system `{way.spec}`: there is no module `{name}`, neither in {folder} nor installed"
        f"{_did_you_mean(name, near)}"
    )


def _import_raised(way: PythonWay, error: BaseException, folder: Path) -> str:
    """One line with the place in the user's file, then the tail of the traceback below it."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not _is_machinery(f.filename)]
    own = [frame for frame in frames if _is_below(frame.filename, folder)] or frames
    place = f"{own[-1].filename}:{own[-1].lineno}: " if own else ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{error.filename}:{error.lineno}: "
    said = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    shown = "".join(traceback.format_list(frames[-_TAIL:])).rstrip()
    return f"system `{way.spec}`: importing `{way.module}` raised: {place}{said}" + (
        f"\n{shown}" if shown else ""
    )


def _is_machinery(filename: str) -> bool:
    return filename.startswith("<frozen importlib") or filename in (__file__, importlib.__file__)


def _is_below(filename: str, folder: Path) -> bool:
    return Path(filename).is_relative_to(folder.resolve()) and "site-packages" not in filename


def _attribute(module: Any, way: PythonWay) -> Any:
    found, path = module, way.module
    for name in way.attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            names = [near for near in dir(found) if not near.startswith("_")]
            where = "module" if found is module else "object"
            raise SystemUnusable(
                f"system `{way.spec}`: {where} `{path}` has no attribute `{name}`{_did_you_mean(name, names)}"
            ) from None
        path = f"{path}.{name}"
    return found


def _did_you_mean(name: str, names: list[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean `{close[0]}`?" if close else ""


def _retrieves(value: Any) -> bool:
    return callable(getattr(value, "retrieve", None))


def _is_maker(found: Any) -> bool:
    """A class, or a function that takes nothing."""
    if inspect.isclass(found):
        return True
    return not _retrieves(found) and not _takes(found, 1) and _takes(found, 0)


def _check(found: Any, spec: str) -> None:
    if inspect.isclass(found):
        _check_class(found, spec)
    elif _retrieves(found):
        _check_parameters(found.retrieve, spec, "retrieve", "the task")
    elif not (callable(found) and _takes(found, 0)):
        _check_callable(found, spec)


def _check_class(kind: type, spec: str) -> None:
    if not _takes(kind, 0):
        raise SystemUnusable(
            f"system `{spec}`: `{kind.__name__}{_signature(kind)}` cannot be made without arguments; "
            "name an instance, or a function without parameters that makes one"
        )
    if not _retrieves(kind) and "__call__" not in dir(kind):
        raise SystemUnusable(
            f"system `{spec}`: the class `{kind.__name__}` has no method `retrieve(task)`"
            f"{_did_you_mean('retrieve', _methods(kind))}"
        )


def _check_callable(value: Any, spec: str) -> None:
    if not callable(value):
        methods = ", ".join(f"`{name}`" for name in _methods(value)[:8])
        has = f"; it has {methods}" if methods else ""
        raise SystemUnusable(
            f"system `{spec}`: an object of type `{type(value).__name__}` is not callable "
            f"and has no `retrieve(task)`{has}"
        )
    _check_parameters(value, spec, getattr(value, "__name__", type(value).__name__), "the prompt")


def _check_parameters(function: Callable[..., Any], spec: str, name: str, what: str) -> None:
    if not _takes(function, 1):
        raise SystemUnusable(
            f"system `{spec}`: `{name}{_signature(function)}` cannot be called with one argument ({what})"
        )


def _takes(function: Any, count: int) -> bool:
    """Whether it can be called with so many positional arguments; what has no signature is believed."""
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):
        return callable(function) and count == 1
    try:
        signature.bind(*(None for _ in range(count)))
    except TypeError:
        return False
    return True


def _signature(function: Any) -> str:
    try:
        return str(inspect.signature(function))
    except (ValueError, TypeError):
        return "(...)"


def _methods(value: Any) -> list[str]:
    """Names of public methods that the value's own classes define."""
    kinds = value.__mro__ if inspect.isclass(value) else type(value).__mro__
    own = [name for kind in kinds if kind.__module__ != "builtins" for name in vars(kind)]
    return [
        name
        for name in dict.fromkeys(own)
        if not name.startswith("_") and callable(getattr(value, name, None))
    ]

"""HOME as the systems see it: the user's files, with a layer above that takes what is written and is gone at the end.

An overlay is mounted on HOME itself, in a view of the mounts that is ours alone, with its upper part in memory. The
user's own folder is nowhere mounted a second time, so that nothing that is removed or unmounted can reach it. What has
to stay real (the project, Python and its packages, our own folder) is bound upon the overlay, at its own place.

The warden lays one layer, which the import writes to. Each run gets one of its own above that. The kernel stacks two
overlays at most: where HOME is on one already, as in most containers, runs share the first.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from .namespace import BIND, NODEV, NOSUID, READ_ONLY, REMOUNT, bind, mount, unmount
from .plan import Layer

_SYSTEM = frozenset(
    map(Path, ("/", "/home", "/media", "/mnt", "/opt", "/srv", "/tmp", "/var", "/var/empty", "/var/tmp"))
)
_SYSTEM_TREES = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr")
_FLAGS = NOSUID | NODEV


class NoLayer(Exception):
    """HOME stays as it is; the message says why."""


def plan_layer(environment: Mapping[str, str], folder: Path, own: Path, kept: Iterable[str]) -> Layer:
    """The layer for HOME. ``folder`` is the project, ``own`` the carrier's folder; they and ``kept`` stay real.

    Raises NoLayer where HOME is none, is the system's, or the project is around it.
    """
    home = _home(environment)
    if home.is_relative_to(os.path.realpath(folder)):
        raise NoLayer("it is the project, or in it")
    clean = own / "home"
    clean.mkdir(mode=0o711)
    below = [place for place in _real((str(folder), str(own), *kept)) if home in place.parents]
    return Layer(home=str(home), real=tuple(map(str, _outermost(below))), clean=str(clean))


def _home(environment: Mapping[str, str]) -> Path:
    named = environment.get("HOME")
    if not named or not os.path.isabs(named):
        raise NoLayer("it is not set")
    home = Path(os.path.realpath(named))
    if not home.is_dir():
        raise NoLayer(f"{named} is no folder")
    if home in _SYSTEM or any(home.is_relative_to(tree) for tree in _SYSTEM_TREES):
        raise NoLayer(f"{named} is a folder of the system")
    return home


def _real(places: Iterable[str]) -> Iterator[Path]:
    for place in places:
        real = Path(os.path.realpath(place))
        if real.exists():
            yield real


def _outermost(places: Iterable[Path]) -> list[Path]:
    kept: list[Path] = []
    for place in sorted(places):
        if not any(place.is_relative_to(outer) for outer in kept):
            kept.append(place)
    return kept


def lay(layer: Layer) -> None:
    """Lay the first layer. Raises OSError, and then HOME is as it was."""
    with _opened(layer.real) as real:
        _cover(layer.home, layer.home)
        try:
            _show_again(real)
            # The overlay alone, without what is bound upon it.
            mount(layer.home, layer.clean, "", BIND)
            mount("none", layer.clean, "", BIND | REMOUNT | READ_ONLY | _FLAGS)
        except OSError:
            _uncover(layer.home)
            raise
    _go_there_again()


class RunLayer:
    """The layer of one run at a time, in a slot, whose parent lays it. ``shown`` are files and folders in whose place
    the warden shows others."""

    def __init__(self, layer: Layer, shown: Iterable[str]) -> None:
        below = [Path(place) for place in shown if Path(layer.home) in Path(place).parents]
        self._home, self._clean = layer.home, layer.clean
        self._places = tuple(map(str, _outermost([*map(Path, layer.real), *below])))
        self._lies = False

    def renew(self) -> None:
        """Nothing of what was written until now is there any more, but by the import. Raises OSError."""
        if self._lies:
            _uncover(self._home)
            self._lies = False
        with _opened(self._places) as places:
            _cover(self._home, self._clean)
            self._lies = True
            _show_again(places)
        _go_there_again()


def _cover(home: str, lower: str) -> None:
    """Mount memory on HOME, and on that an overlay of ``lower`` which writes there. Raises OSError, with HOME as it
    was. What is mounted is named by descriptors: a path may hold what the options of a mount cannot."""
    found = os.stat(home)
    with _opened((lower,)) as ((below, _),):
        mount("tmpfs", home, "tmpfs", _FLAGS, "mode=0711")
        try:
            upper, work = f"{home}/upper", f"{home}/work"
            for place in (upper, work):
                os.mkdir(place, 0o700)
            with suppress(OSError):  # an owner who is nobody here
                os.chown(upper, found.st_uid, found.st_gid)
            os.chmod(upper, stat.S_IMODE(found.st_mode))
            with _opened((upper, work)) as ((above, _), (aside, _)):
                options = f"userxattr,lowerdir={_path(below)},upperdir={_path(above)},workdir={_path(aside)}"
                mount("overlay", home, "overlay", _FLAGS, options)
        except OSError:
            unmount(home)
            raise


def _uncover(home: str) -> None:
    """Take off the overlay with all that is bound upon it, and the memory below."""
    unmount(home)
    unmount(home)


def _show_again(places: Iterable[tuple[int, str]]) -> None:
    for descriptor, place in places:
        bind(_path(descriptor), place)


def _go_there_again() -> None:
    """The working folder is still the one below the layer."""
    with suppress(OSError):
        os.chdir(os.getcwd())


def _path(descriptor: int) -> str:
    return f"/proc/self/fd/{descriptor}"


@contextmanager
def _opened(places: Iterable[str]) -> Iterator[list[tuple[int, str]]]:
    """Each place with a descriptor that holds on to it, whatever is mounted there later; without those that are not
    there."""
    found: list[tuple[int, str]] = []
    try:
        for place in places:
            with suppress(FileNotFoundError):
                found.append((os.open(place, os.O_PATH | os.O_CLOEXEC), place))
        yield found
    finally:
        for descriptor, _ in found:
            os.close(descriptor)

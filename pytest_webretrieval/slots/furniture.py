"""What a place shows instead of the machine's own: how names are found, and sockets that would lead out."""

from __future__ import annotations

import os
import re
import socket
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

NAMESERVER = "9.9.9.9"  # any address: all of them are local, and a door answers

_LOCAL_NAMES = "localhost ip6-localhost ip6-loopback"
# Unix sockets by path cross a network namespace.
_SOCKETS = (
    "/run/docker.sock",
    "/run/podman/podman.sock",
    "/run/containerd/containerd.sock",
    "/run/crio/crio.sock",
    "/run/dbus/system_bus_socket",
    "/run/nscd/socket",
    "/var/run/nscd/socket",
    "/run/avahi-daemon/socket",
    "/run/systemd/resolve/io.systemd.Resolve",
    "/run/systemd/resolve/io.systemd.Resolve.Monitor",
    "/run/systemd/private",
    "/run/snapd.socket",
)
_SOCKETS_OF_USER = ("bus", "docker.sock", "podman/podman.sock", "systemd/private", "systemd/notify")


def write_furniture(folder: Path, environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Write what is shown in the place of the machine's own; returns pairs (file shown, file hidden)."""
    files = {
        "/etc/resolv.conf": f"nameserver {NAMESERVER}\noptions timeout:2 attempts:2\n",
        "/etc/hosts": f"127.0.0.1 localhost {socket.gethostname()}\n::1 {_LOCAL_NAMES}\n",
        "/etc/nsswitch.conf": names_from_dns(_read("/etc/nsswitch.conf")),
    }
    binds = []
    for place, text in files.items():
        real = os.path.realpath(place)
        if os.path.isfile(real):
            shown = folder / Path(place).name
            shown.write_text(text, encoding="utf-8", newline="\n")
            shown.chmod(0o644)
            binds.append((str(shown), real))
    empty = folder / "nothing"
    empty.touch(mode=0o444)
    return binds + [(str(empty), place) for place in sockets_to_hide(environment)]


def names_from_dns(nsswitch: str) -> str:
    """The file with hosts looked up in files and DNS only."""
    kept = [line for line in nsswitch.splitlines() if not re.match(r"\s*hosts\s*:", line)]
    return "\n".join([*kept, "hosts: files dns", ""])


def sockets_to_hide(environment: Mapping[str, str]) -> list[str]:
    """Sockets on this machine that lead to something outside the slot."""
    real = (os.path.realpath(place) for place in _places(environment))
    return list(dict.fromkeys(place for place in real if _is_socket(place)))


def _places(environment: Mapping[str, str]) -> Iterator[str]:
    yield from _SOCKETS
    runtime = environment.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    yield from (f"{runtime}/{name}" for name in _SOCKETS_OF_USER)
    for variable in ("DOCKER_HOST", "CONTAINER_HOST", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK"):
        if place := re.search(r"(/[^,;]+)", environment.get(variable, "").removeprefix("unix://")):
            yield place[1]


def _is_socket(place: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(place).st_mode)
    except OSError:
        return False


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

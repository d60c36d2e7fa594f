"""What a place shows instead of the machine's own: how names are found, and sockets that would lead out."""

from __future__ import annotations

import glob
import os
import re
import socket
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

# Any address: all of them are local, and a door answers. It must be none of a public service's, which a browser would
# know and then ask by HTTPS instead.
NAMESERVER = "192.0.2.53"

_LOCAL_NAMES = "localhost ip6-localhost ip6-loopback"

# Unix sockets by path cross a network namespace: patterns of those that lead to something outside a slot. {run} is the
# user's XDG_RUNTIME_DIR, {home} the home, {tmp} the folder of temporary files.
SOCKETS = (
    # who starts containers and machines
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/podman/podman.sock",
    "/run/containerd/*.sock*",
    "/run/k3s/containerd/*.sock*",
    "/run/crio/crio.sock",
    "/run/buildkit/*.sock",
    "/run/libvirt/*-sock*",
    "/var/lib/lxd/unix.socket",
    "/var/snap/lxd/common/lxd/unix.socket",
    "{run}/docker.sock",
    "{run}/podman/podman.sock",
    "{run}/containerd/*.sock*",
    "{run}/buildkit/*.sock",
    "{home}/.docker/run/docker.sock",
    "{home}/.docker/desktop/*.sock",
    "{home}/.colima/*/docker.sock",
    # who looks up names
    "/run/nscd/socket",
    "/var/run/nscd/socket",
    "/run/avahi-daemon/socket",
    "/run/systemd/resolve/io.systemd.Resolve*",
    # who acts for the whole machine or session
    "/run/dbus/system_bus_socket",
    "/run/systemd/private",
    "/run/snapd*.socket",
    "/tmp/dbus-*",
    "{run}/bus",
    "{run}/at-spi/bus*",
    "{run}/dbus-*",
    "{run}/systemd/notify",
    "{run}/systemd/private",
    # networks of their own
    "/run/tailscale/*.sock",
    "/run/tor/*",
    # who signs and decrypts
    "{run}/gnupg/S.*",
    "{run}/gnupg/d.*/S.*",
    "{run}/keyring/*",
    "{run}/gcr/*",
    "{run}/*ssh*agent*",
    "{run}/*ssh*agent*/*",
    "{home}/.gnupg/S.*",
    "{home}/.ssh/agent/*",
    "{home}/.1password/agent.sock",
    "{tmp}/ssh-*/agent.*",
    # screens, sound and terminals
    "/tmp/.X11-unix/X*",
    "/tmp/.ICE-unix/*",
    "/run/screen/S-*/*",
    "{run}/wayland-*",
    "{run}/pipewire-*",
    "{run}/pulse/native",
    "{run}/vscode-ipc-*.sock",
    "{tmp}/tmux-*/*",
    "{tmp}/vscode-ipc-*.sock",
)

# Variables that say where such a socket is, among other things.
VARIABLES = (
    "BUILDKIT_HOST",
    "CONTAINERD_ADDRESS",
    "CONTAINER_HOST",
    "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS",
    "DOCKER_HOST",
    "GPG_AGENT_INFO",
    "KITTY_LISTEN_ON",
    "NOTIFY_SOCKET",
    "PULSE_SERVER",
    "SESSION_MANAGER",
    "SSH_AUTH_SOCK",
    "SWAYSOCK",
    "TMUX",
    "VSCODE_IPC_HOOK_CLI",
    "WAYLAND_DISPLAY",
)


def write_furniture(folder: Path, environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Write what is shown in the place of the machine's own; returns pairs (file shown, file hidden)."""
    files = {
        # `search .`: else the machine's own domain is put behind every name that is not found.
        "/etc/resolv.conf": f"nameserver {NAMESERVER}\nsearch .\noptions timeout:2 attempts:2\n",
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
    names = {
        "run": environment.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}",
        "home": environment.get("HOME") or os.path.expanduser("~"),
        "tmp": tempfile.gettempdir(),
    }
    fixed = {name: glob.escape(place) for name, place in names.items()}
    for pattern in SOCKETS:
        yield from glob.iglob(pattern.format(**fixed))
    for variable in VARIABLES:
        yield from re.findall(r"/[^,;:\s]+", environment.get(variable, ""))


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

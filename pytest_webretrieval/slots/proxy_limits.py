"""What the proxy carrier cannot do: one line each, for ``webretrieval doctor``; ``docs/carriers.md`` says more."""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """``what`` does not work as in a slot with namespaces; ``how`` it shows, and what helps."""

    what: str
    how: str


LIMITS = (
    Limit(
        "clients that do not look at proxy variables",
        "Python: refused and named. aiohttp needs trust_env=True; httpx with a transport, or with trust_env=False, "
        "none looks. Node before 24, Java, Go programs with a transport of their own: they fail, or go out unseen",
    ),
    Limit(
        "browsers",
        "Chromium looks at no variable: cases that need a browser are skipped (not_applicable)",
    ),
    Limit(
        "a resolver of one's own, and guards that look names up",
        "no name of the world has an address here: Python's lookups are refused and named",
    ),
    Limit(
        "raw sockets, UDP, QUIC",
        "Python's sendto is refused and named; what a library sends by itself is not seen",
    ),
    Limit(
        "pinned certificates, and roots that come with a package (verify=certifi.where())",
        "the handshake fails: trust is given by variables only",
    ),
    Limit(
        "programs that are started with another environment (env -i, sudo)",
        "they meet the real network, unseen",
    ),
    Limit(
        "programs that are not Python",
        "the guard is a Python audit hook: only the variables lead them to the world",
    ),
    Limit("services of this machine", "loopback is the real one: a run reaches whatever listens there"),
    Limit(
        "servers (serve:) with a fixed port",
        "loopback is shared: one slot, and one worker; write {port} in the command and the URL for more",
    ),
    Limit("files", "HOME and /etc are the real ones; nothing that a run writes is taken away"),
    Limit(
        "processes that a run leaves behind",
        "on Linux all are ended; elsewhere one that has left its process group and lost its parent lives on",
    ),
)

"""A door is a listening socket that was opened inside a slot and is served from outside it."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("https", "http", "dns-udp", "dns-tcp", "packets", "relay", "proxy", "netfilter")


@dataclass(frozen=True, slots=True)
class Door:
    """``kind`` is one of KINDS (``packets``: the filtered packet socket that names what has no door; ``relay``: leads
    to ``target``, HOST:PORT on the real machine's side; ``proxy``: a loopback socket for clients that are told to use a
    proxy, where a slot has no network of its own; ``netfilter``: a netlink socket that sets the slot's rules for
    packets); ``family`` is 4 or 6 (0 for ``packets`` and ``netfilter``); ``fd`` is a file descriptor in this process.
    """

    kind: str
    family: int
    fd: int
    target: str = ""

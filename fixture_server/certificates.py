"""The world's certificate authority, and one certificate a host, made when the host is first asked for."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import trustme


def make_authority() -> trustme.CA:
    """A new authority with an elliptic-curve key; its leaves have them too, which keeps handshakes cheap."""
    import trustme

    return trustme.CA(organization_name="pytest-webretrieval", organization_unit_name="A world for tests")


def by_name(authority: trustme.CA, greeted: Callable[[str | None], None]) -> ssl.SSLContext:
    """A server context that shows each client the certificate of the host that it named.

    ``greeted`` is called with the name (None when the client sent none) as soon as a client's greeting was
    read.
    """
    contexts: dict[str, ssl.SSLContext] = {}
    default = _context(authority, "unnamed.invalid")

    def choose(session: ssl.SSLObject | ssl.SSLSocket, name: str | None, _: ssl.SSLContext) -> int | None:
        greeted(name)
        if name is None:
            return None
        host = name.lower()
        if host not in contexts:
            try:
                contexts[host] = _context(authority, host)
            except (ValueError, UnicodeError):
                return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
        session.context = contexts[host]
        return None

    default.sni_callback = choose
    return default


def _context(authority: trustme.CA, host: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    authority.issue_cert(host).configure_cert(context)
    return context

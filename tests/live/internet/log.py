"""What the hosts of the simulated internet served, one line a request."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from .scenario import Heard


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request and what became of it. ``address`` is that of the host where it came, ``version`` that of HTTP.
    ``status`` is None where nothing was sent; ``sha256`` and ``size`` are those of the body that was sent."""

    at: str
    night: int
    scheme: str
    version: str
    host: str
    address: str
    method: str
    target: str
    status: int | None
    size: int
    sha256: str
    user_agent: str

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}{self.target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a request came to."""

    scheme: str
    version: str
    host: str
    address: str


@dataclass(slots=True, kw_only=True, eq=False)
class Log:
    """``names`` were looked up, in order; ``strays`` are tries to connect where no host is, ``ADDRESS:PORT``."""

    path: Path
    requests: list[Request] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)

    def keep(self, place: Place, heard: Heard, status: int | None, body: bytes) -> None:
        """Add a request, here and as a line of the file."""
        request = Request(
            at=datetime.now(UTC).isoformat(),
            night=heard.night,
            scheme=place.scheme,
            version=place.version,
            host=place.host,
            address=place.address,
            method=heard.method,
            target=heard.target,
            status=status,
            size=len(body),
            sha256=hashlib.sha256(body).hexdigest(),
            user_agent=heard.headers.get("user-agent", ""),
        )
        self.requests.append(request)
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(asdict(request)) + "\n")

"""NSS's database of certificates, which a browser reads that knows no policy for them: an old Chromium, a
headless shell. Written by NSS's own certutil, where there is one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .browser import Browser, home_of, playwrights_own, registry
from .policy import SINCE

_PLACES = (
    ".pki/nssdb",
    ".local/share/pki/nssdb",
)  # in the order in which browsers look for one that is there
_CERTUTIL_S = 20.0


def certutil() -> str | None:
    return shutil.which("certutil")


def is_needed(browser: Browser | None, environment: Mapping[str, str]) -> bool:
    """Whether a browser that may be started here cannot be told by policy whom to trust."""
    if browser is not None and (browser.major or 0) < SINCE:
        return True
    return any("headless" in path for path in playwrights_own(registry(environment)))


def write_database(
    folder: Path, ca_pem: bytes, environment: Mapping[str, str], browser: Browser | None
) -> list[tuple[str, str]]:
    """A copy of the user's database with our authority added, as pairs (folder shown, folder hidden); none where
    the user has none: there is then no folder in whose place it could be shown."""
    program = certutil()
    if program is None or not is_needed(browser, environment):
        return []
    users = [Path(home_of(environment), place) for place in _PLACES]
    existing = next((place for place in users if (place / "cert9.db").is_file()), None)
    if existing is None:
        return []
    own = folder / "nssdb"
    shutil.copytree(existing, own)
    authority = folder / "authority.pem"
    authority.write_bytes(ca_pem)
    _run(program, own, "-A", "-n", "pytest-webretrieval", "-t", "C,,", "-i", str(authority))
    return [(str(own), str(existing))]


def _run(program: str, database: Path, *arguments: str) -> None:
    """What it cannot do (a database with a password, of another version) is a browser without our trust, no more."""
    subprocess.run(
        [program, "-d", f"sql:{database}", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_CERTUTIL_S,
        check=False,
    )

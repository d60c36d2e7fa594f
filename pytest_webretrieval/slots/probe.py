"""What this machine can do: found out by making a slot and running a command in it."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from .browser import Browser, look
from .carrier import Carrier, NoCarrier, open_carrier
from .database import certutil, is_needed
from .furniture import sockets_to_hide
from .launch import launch
from .proxy import open_proxy_carrier
from .proxy_limits import LIMITS
from .refusal import in_container
from .slot import SlotFailure
from .trust import SYSTEM_BUNDLES, bundles_to_hide

GOOD, LIMITED, MISSING = "good", "limited", "missing"
_BRING = "webretrieval browser"
_JAVA_ROOTS = ("/etc/ssl/certs/java/cacerts", "/etc/pki/java/cacerts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """``state`` is ``good``, ``limited`` or ``missing``; ``mend`` says what to do, None where nothing need
    be done."""

    name: str
    state: str
    detail: str
    mend: str | None = None


def probe() -> list[Finding]:
    """Make a slot and end it; what was found on the way."""
    return asyncio.run(_probe())


async def _probe() -> list[Finding]:
    import trustme

    began = time.perf_counter()
    findings = [_machine()]
    browser, passed_over = look(None)
    try:
        carrier = await open_carrier(
            None,
            ca_pem=trustme.CA().cert_pem.bytes(),
            isolation="run",
            folder=Path.cwd(),
            browser=browser,
        )
    except NoCarrier as error:
        detail, _, mend = str(error).partition("\n")
        missing = Finding(name="slots", state=MISSING, detail=detail, mend=mend or None)
        return [*findings, missing, *await _proxy()]
    try:
        await carrier.imported()
        findings += await _slot(carrier, began)
        findings += await _browser(carrier, browser, passed_over)
    finally:
        await carrier.close()
    return [*findings, _roots(), *_without_trust(), _sockets()]


async def _proxy() -> list[Finding]:
    """What is used instead, tried out, and what it cannot do."""
    import trustme

    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        carrier = await open_proxy_carrier(
            None, ca_pem=trustme.CA().cert_pem.bytes(), isolation="run", folder=Path.cwd()
        )
        try:
            await carrier.imported()
            slot = await carrier.open_slot("probe", terminal=(nothing, nothing, nothing))
            await slot.ready()
            status = await slot.execute([sys.executable, "-c", "pass"])
        finally:
            await carrier.close()
    except (NoCarrier, SlotFailure) as error:
        return [Finding(name="proxy", state=MISSING, detail=str(error))]
    finally:
        os.close(nothing)
    if status != 0:
        return [
            Finding(name="proxy", state=MISSING, detail=f"Python by the proxy carrier ended with {status}")
        ]
    detail = "carrier `proxy` works here, and is used instead; it reaches less:"
    limits = [Finding(name="", state="", detail=f"{limit.what}: {limit.how}") for limit in LIMITS]
    return [Finding(name="proxy", state=LIMITED, detail=detail), *limits]


def _machine() -> Finding:
    who = "root" if os.geteuid() == 0 else f"user {os.geteuid()}"
    where = ", in a container" if in_container() else ""
    detail = f"{platform.system()} {platform.release()}, Python {platform.python_version()}, {who}{where}"
    return Finding(name="machine", state=GOOD, detail=detail)


async def _slot(carrier: Carrier, began: float) -> list[Finding]:
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        slot = await carrier.open_slot("probe", terminal=(nothing, nothing, nothing))
        ready = time.perf_counter() - began
        status = await slot.execute([sys.executable, "-c", "pass"])
    except SlotFailure as error:
        detail, _, mend = str(error).partition("\n")
        return [Finding(name="slots", state=MISSING, detail=detail, mend=mend or None)]
    finally:
        os.close(nothing)
    if status != 0:
        return [Finding(name="slots", state=MISSING, detail=f"Python in a slot ended with {status}")]
    found = [
        Finding(
            name="slots", state=GOOD, detail=f"carrier `namespace`, first slot ready in {ready * 1000:.0f} ms"
        )
    ]
    families = {door.family for door in slot.doors}
    if 6 not in families:
        detail = "IPv6 is off on this machine: systems meet IPv4 only"
        found.append(Finding(name="IPv6", state=LIMITED, detail=detail))
    found += [_note(note) for note in carrier.notes]
    return found


async def _browser(carrier: Carrier, browser: Browser | None, passed_over: tuple[str, ...]) -> list[Finding]:
    others = "".join(f"; {line}" for line in passed_over)
    if browser is None:
        detail = f"none is here: systems that need one will fail{others}"
        return [Finding(name="browser", state=LIMITED, detail=detail, mend=_BRING)]
    known = f"{browser.kind} {browser.version or 'of unknown version'} at {browser.path}"
    tried = await launch(carrier, browser)
    if tried.problem is not None:
        detail = f"{known} does not work in a slot: {tried.problem}{others}"
        mend = f"{_BRING}\nor name another: --webretrieval-browser=PATH"
        return [Finding(name="browser", state=LIMITED, detail=detail, mend=mend)]
    sandbox = "with" if tried.sandboxed else "without"
    works = f"{known} works in a slot, {sandbox} its own sandbox{others}"
    found = [Finding(name="browser", state=GOOD, detail=works)]
    if is_needed(browser, os.environ) and certutil() is None:
        detail = "an old Chromium or a headless shell reads no policy, and certutil is missing to give it our authority"
        mend = "install libnss3-tools (Debian, Ubuntu), nss-tools (Fedora, Alpine) or nss (Arch)"
        found.append(Finding(name="browser trust", state=LIMITED, detail=detail, mend=mend))
    return found


def _note(note: str) -> Finding:
    """A thing that the place had to go without."""
    if note.startswith("mount /proc"):
        return Finding(
            name="/proc",
            state=LIMITED,
            detail=f"{note}: systems see the machine's processes, though they cannot reach them",
            mend="docker run --security-opt systempaths=unconfined ...",
        )
    if note.startswith("HOME"):
        shared = note.startswith("HOME is one")
        detail = f"{note}: what a run writes there {'is found by the next' if shared else 'stays'}"
        return Finding(
            name="HOME", state=LIMITED, detail=detail, mend="point HOME at a plain folder of its own"
        )
    return Finding(name="mounts", state=LIMITED, detail=f"{note}: what reads it meets the machine's own")


def _roots() -> Finding:
    hidden = bundles_to_hide(None, Path.cwd())
    if not any(Path(place).exists() for place in SYSTEM_BUNDLES):
        detail = "this machine has no roots of its own: clients that read no variable trust nobody"
        return Finding(name="trust", state=LIMITED, detail=detail, mend="install ca-certificates")
    return Finding(
        name="trust", state=GOOD, detail=f"roots are put in at {len(hidden)} places and by variables"
    )


def _without_trust() -> list[Finding]:
    """Clients here that keep roots where nobody can put any."""
    found = []
    if any(Path(place).exists() for place in _JAVA_ROOTS):
        detail = "Java reads a store of its own, where our authority is not"
        mend = "give the JVM a store with the file in SSL_CERT_FILE (-Djavax.net.ssl.trustStore)"
        found.append(Finding(name="Java", state=LIMITED, detail=detail, mend=mend))
    if shutil.which("firefox"):
        detail = "Firefox keeps roots in its profile, where our authority is not"
        found.append(Finding(name="Firefox", state=LIMITED, detail=detail, mend="use Chromium"))
    return found


def _sockets() -> Finding:
    hidden = sockets_to_hide(os.environ)
    detail = f"hidden from systems: {', '.join(hidden)}" if hidden else "none here leads out of a slot"
    return Finding(name="sockets", state=GOOD, detail=detail)

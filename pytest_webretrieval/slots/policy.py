"""What Chromium and Chrome read of this machine's administrator: our authority, and no calls home."""

from __future__ import annotations

import base64
import json
import os
import shutil
import ssl
from collections.abc import Iterable
from pathlib import Path

from .browser import Browser

FILE = "webretrieval.json"
SINCE = 140  # the major version from which CACertificates is surely known; it came some versions before

# Where each brand reads: Chromium, Chrome, Chrome for Testing (Playwright's own).
_CHROMIUM, _CHROME, _FOR_TESTING = "/etc/chromium", "/etc/opt/chrome", "/etc/opt/chrome_for_testing"
_BRANDS = {"chromium": (_CHROMIUM,), "chrome": (_CHROME,), "playwright": (_CHROMIUM, _FOR_TESTING)}

# Nothing here changes what a page can do. Names as in Chrome's list of enterprise policies.
_QUIET = {
    "AlternateErrorPagesEnabled": False,
    "BackgroundModeEnabled": False,
    "BrowserNetworkTimeQueriesEnabled": False,
    "BrowserSignin": 0,
    "ChromeVariations": 2,
    "ComponentUpdatesEnabled": False,
    "DefaultBrowserSettingEnabled": False,
    "DnsOverHttpsMode": "off",
    "DomainReliabilityAllowed": False,
    "FeedbackSurveysEnabled": False,
    "GenAILocalFoundationalModelSettings": 1,
    "MetricsReportingEnabled": False,
    "NetworkPredictionOptions": 2,
    "PasswordLeakDetectionEnabled": False,
    "PromotionsEnabled": False,
    "SafeBrowsingProtectionLevel": 0,
    "SearchSuggestEnabled": False,
    "ShoppingListEnabled": False,
    "SpellCheckServiceEnabled": False,
    "SyncDisabled": True,
    "TranslateEnabled": False,
    "UrlKeyedAnonymizedDataCollectionEnabled": False,
}


def write_policy(
    folder: Path, ca_pem: bytes, browser: Browser | None, overlays: Iterable[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """``overlays`` (pairs of a folder with what is added and a folder) and those that show the policy."""
    text = json.dumps({**_QUIET, "CACertificates": [_der(ca_pem)]}, indent=1) + "\n"
    laid = {target: Path(added) for added, target in overlays}
    for number, brand in enumerate(_brands(browser)):
        managed = Path(os.path.realpath(brand), "policies/managed")
        target = _existing(managed)
        tree = laid.setdefault(str(target), folder / f"policy-{number}")
        file = tree / managed.relative_to(target) / FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return _without_nesting(laid)


def _der(ca_pem: bytes) -> str:
    return base64.b64encode(ssl.PEM_cert_to_DER_cert(ca_pem.decode("ascii"))).decode("ascii")


def _brands(browser: Browser | None) -> list[str]:
    """Those whose folder is there already, whoever brings the browser, and those of the one that was found."""
    places = [_CHROMIUM] if Path(_CHROMIUM).is_dir() else []
    places += [_CHROME, _FOR_TESTING] if Path("/etc/opt").is_dir() else []
    return list(dict.fromkeys((*places, *(_BRANDS[browser.kind] if browser else ()))))


def _existing(folder: Path) -> Path:
    """The deepest folder on the way that is there: the smallest that must be laid over."""
    return next(place for place in (folder, *folder.parents) if place.is_dir())


def _without_nesting(laid: dict[str, Path]) -> tuple[tuple[str, str], ...]:
    """One overlay less where one lies in another: the kernel stacks two at most, and a container's root may be
    the first."""
    kept: dict[str, Path] = {}
    for target, added in sorted(laid.items()):
        outer = next((place for place in kept if Path(target).is_relative_to(place)), None)
        if outer is None:
            kept[target] = added
            continue
        shutil.copytree(added, kept[outer] / Path(target).relative_to(outer), dirs_exist_ok=True)
    for added in kept.values():
        _open_to_all(added)
    return tuple((str(added), target) for target, added in kept.items())


def _open_to_all(tree: Path) -> None:
    """What lies above decides who may look into a folder."""
    for place in (tree, *tree.rglob("*")):
        place.chmod(0o755 if place.is_dir() else 0o644)

"""What browsers call by themselves, and the component that calls it. These hosts exist and have nothing to
say."""

from __future__ import annotations

from .message import Answer

HOSTS = {
    "accounts.google.com": "sign-in state",
    "android.clients.google.com": "push registration",
    "clients1.google.com": "certificate revocation sets",
    "clients2.google.com": "extension update, network time",
    "clients2.googleusercontent.com": "extension download",
    "clients4.google.com": "sync",
    "clientservices.googleapis.com": "field trials",
    "content-autofill.googleapis.com": "form filling",
    "edgedl.me.gvt1.com": "component download",
    "mtalk.google.com": "push messages",
    "optimizationguide-pa.googleapis.com": "optimisation hints",
    "passwordsleakcheck-pa.googleapis.com": "leaked password check",
    "redirector.gvt1.com": "component download",
    "safebrowsing.google.com": "safe browsing",
    "safebrowsing.googleapis.com": "safe browsing",
    "safebrowsinghttpgateway.googleapis.com": "safe browsing",
    "sb-ssl.google.com": "safe browsing",
    "translate.googleapis.com": "translation",
    "update.googleapis.com": "component update",
    "aus5.mozilla.org": "browser update",
    "content-signature-2.cdn.mozilla.net": "signed content",
    "contile.services.mozilla.com": "new-tab tiles",
    "detectportal.firefox.com": "captive portal check",
    "firefox-settings-attachments.cdn.mozilla.net": "remote settings",
    "firefox.settings.services.mozilla.com": "remote settings",
    "incoming.telemetry.mozilla.org": "telemetry",
    "location.services.mozilla.com": "region",
    "push.services.mozilla.com": "push messages",
    "shavar.services.mozilla.com": "tracking lists",
    "config.edge.skype.com": "field trials",
    "edge.microsoft.com": "component update",
    "msedge.api.cdp.microsoft.com": "component update",
    "smartscreen.microsoft.com": "safe browsing",
}


def respond() -> Answer:
    """Nothing, which every one of these components takes calmly."""
    return Answer(status=404, headers=(("content-type", "text/plain; charset=utf-8"),))

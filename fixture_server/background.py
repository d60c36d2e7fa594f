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

# Names that browsers and machines look up by themselves, and why. They do not exist here, and whoever asks is told so.
LOOKUPS = {
    "beacons.gcp.gvt2.com": "Chromium: network error reports",
    "beacons.gvt2.com": "Chromium: network error reports",
    "beacons2.gvt2.com": "Chromium: network error reports",
    "chromewebstore.googleapis.com": "Chromium: extension update",
    "chromesyncpasswords-pa.googleapis.com": "Chromium: leaked password check",
    "clients3.google.com": "Chromium, Android: captive portal check",
    "connectivitycheck.gstatic.com": "Chromium, Android: captive portal check",
    "fcmconnection.googleapis.com": "Chromium: push messages",
    "mobile-gtalk.l.google.com": "Chromium: push messages",
    "optimizationguide-pa-stable.googleapis.com": "Chromium: optimisation hints",
    "captive.apple.com": "macOS: captive portal check",
    "connectivity-check.ubuntu.com": "NetworkManager: captive portal check",
    "nmcheck.gnome.org": "NetworkManager: captive portal check",
    "dns.msftncsi.com": "Windows: captive portal check",
    "ipv6.msftconnecttest.com": "Windows: captive portal check",
    "www.msftconnecttest.com": "Windows: captive portal check",
    "ads.mozilla.org": "Firefox: new-tab tiles",
    "classify-client.services.mozilla.com": "Firefox: region",
    "merino.services.mozilla.com": "Firefox: address bar",
    "mitmdetection.services.mozilla.com": "Firefox: proxy detection",
    "normandy.cdn.mozilla.net": "Firefox: studies",
    "tracking-protection.cdn.mozilla.net": "Firefox: tracking lists",
    "use-application-dns.net": "Firefox: whether it may go round the resolver",
    "versioncheck-bg.addons.mozilla.org": "Firefox: extension update",
}


def respond() -> Answer:
    """Nothing, which every one of these components takes calmly."""
    return Answer(status=404, headers=(("content-type", "text/plain; charset=utf-8"),))

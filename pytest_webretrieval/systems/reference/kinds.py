"""What a fetched thing is: a page that can answer, or one of the many things that come in its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from .challenge import SHORT_PAGE, is_challenge
from .cues import cues
from .document import Document
from .fetch import Fetched
from .placeholders import is_blank, is_waiting
from .read import Unreadable, read
from .values import sentences

SHORTEST_TEXT = 20
THIN_TEXT = 80
SHELL_TEXT = 200
BARE_LOGIN = 300
_STATUSES = {
    401: "login_required",
    403: "forbidden",
    404: "not_found",
    407: "login_required",
    410: "gone",
    451: "legal_restriction",
}
_DIGIT = re.compile(r"\d")
_CODE = re.compile(r"\W*(?:404|410)\b(?!\s*[-–.,]?\d)")
_GONE = cues(
    r"""(?:error|code|status|http) (?:404|410) / not found / does(?: not|n't) exist / no such page
    page (?:not|cannot|can't|could not|couldn't) be found / page (?:is )?(?:missing|unavailable)
    (?:no longer|not) (?:here|available|exists?|on (?:this|our) (?:site|server)) / gone
    (?:has been|was) (?:removed|deleted|withdrawn|taken down) / nothing (?:here|found|was found|matches)
    no (?:page|item|article|product|entry|listing|document) (?:here|by that name|at this address|matches)
    (?:can't|cannot|couldn't|could not) (?:be found|find) / nicht gefunden / nicht mehr verfügbar
    introuvable / n'existe (?:pas|plus) / no encontrad[ao] / no existe / 找不到 / 不存在
    已(?:移除|刪除|删除|下架) / 見つかりません"""
)
_ITSELF = cues(
    r"""page / address / link / url / (?:what|whatever) you / you(?:'re| are| were)? (?:looking|after|searching)
    you (?:want|wish|seek|request|ask|follow|tri|open)\w* / nothing (?:here|found|was found) / sorry / oops
    (?:this|that|the|such) (?:item|article|product|document|offer|entry|record|post|story|file|listing|content)
    we (?:can't|cannot|couldn't|could not) find / seite / página / cette / 頁 / 页 / 網址 / 网址 / ページ"""
)
_REPLACES = cues(r"replac\w+ / supersed\w+ / (?:takes|took) the place / ersetzt / remplace / 取代 / 代替")
_POLICY = cues(
    r"""automat\w+ / bots? / crawl\w* / scrap\w* / robots? / terms of (?:use|service) / polic(?:y|ies)
    acceptable use / richtlinien? / nutzungsbedingungen / 自動化 / 自动化 / 爬蟲 / 爬虫 / 政策"""
)
_DENIED = cues(
    r"""access (?:is |was )?(?:denied|forbidden|refused) / (?:not|aren't) (?:authori[sz]ed|permitted)
    (?:do not|don't) have (?:the )?(?:permissions?|access|rights?) / insufficient (?:permissions?|rights?)
    zugriff verweigert / accès refusé / acceso denegado / 沒有權限 / 没有权限 / 拒絕存取"""
)
_LOGIN = cues(
    r"""log ?in / sign ?in / log-in / sign-in / log ?on / password / member access / anmelden / einloggen
    se connecter / connexion / iniciar sesión / passwort / 登入 / 登录 / ログイン"""
)
_EXPIRED = cues(
    r"""session (?:has |is |was )?(?:expired|timed out|ended|over|no longer valid)
    (?:expired|timed[- ]out) session / (?:been )?(?:signed|logged) out / (?:sign|log) in again
    sitzung (?:ist )?abgelaufen / session (?:a )?expirée? / 工作階段已?過期 / 会话已?过期"""
)
_ACTS = cues(
    r"""(?:delete|close|remov|cancel|eras|terminat|destroy|deactivat|withdraw|revok|transfer|pay)\w*
    löschen / kündigen / supprimer / eliminar / 刪除 / 删除 / 註銷 / 注销"""
)
_SHELL = cues(
    r"""(?:enable|turn on|switch on|activate|requires?|needs?(?: to enable)?|runs?|uses?|without) java ?script
    java ?script (?:is|has|must|to|should|needs?|enabled|disabled|switched|turned)\b.*
    loading\W* / please wait\W*"""
)
_BEHIND = cues(
    r"""(?:accept|choose|choice|consent|agree|decide|reject)\b.{0,60} (?:to|before) (?:you )?(?:read|continue)
    (?:accept|choose|choice|consent|agree|decide|reject)\b.{0,60} (?:to|before) (?:you )?(?:view|see)
    to (?:read|continue|view|see)\b.{0,60}(?:accept|choose|consent|agree|cookies?|choice)"""
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One fetched thing and what it is. ``kind`` is ``document`` when it can answer; else a refusal reason
    (``gone``, ``not_found``, ``soft_404``, ``login_required``, ``session_expired``, ``forbidden``,
    ``challenge``, ``policy_denied``, ``legal_restriction``, ``unsupported_media``), or ``empty``, ``shell``
    (needs scripts), ``consent``, ``failed`` (nothing came, or a server error). ``media`` is set for
    ``unsupported_media``."""

    fetched: Fetched
    kind: str
    document: Document | None = None
    media: str = ""

    @property
    def url(self) -> str:
        """The address to cite: the canonical one when the page names one on the same site, else where it
        came from."""
        canonical = self.document.canonical if self.document else None
        if canonical and urlsplit(canonical).hostname == urlsplit(self.fetched.final_url).hostname:
            return canonical
        return self.fetched.final_url


def judge(fetched: Fetched, *, signed_in: bool = False) -> Page:
    """What ``fetched`` is. ``signed_in`` says whether the request carried a user's credentials."""
    if fetched.error == "login-loop":
        return Page(fetched=fetched, kind="session_expired" if signed_in else "login_required")
    if fetched.status is None or fetched.error == "wait-too-long":
        return Page(fetched=fetched, kind="failed")
    try:
        document = read(fetched.body, fetched.headers.get("content-type", ""), fetched.final_url)
    except Unreadable as error:
        kind = "unsupported_media" if fetched.ok else _STATUSES.get(fetched.status, "failed")
        return Page(fetched=fetched, kind=kind, media=str(error))
    return Page(fetched=fetched, kind=_kind(fetched, document, signed_in), document=document)


def _kind(fetched: Fetched, document: Document, signed_in: bool) -> str:
    assert fetched.status is not None
    if is_challenge(fetched.status, fetched.headers, document):
        return "challenge"
    if fetched.status == 403 and not signed_in and _POLICY.search(document.text[: 2 * SHORT_PAGE]):
        return "policy_denied"
    if fetched.status == 401 and signed_in:
        return "session_expired"
    if fetched.status >= 400:
        return _STATUSES.get(fetched.status, "failed")
    if document.media != "html":
        return "document" if document.text.strip() else "empty"
    if kind := _login(document, signed_in):
        return kind
    if _is_soft_404(fetched, document):
        return "soft_404"
    if len(document.text) < SHORT_PAGE and _DENIED.search(f"{document.title}\n{document.heading}"):
        return "forbidden"
    return _substance(document)


def _substance(document: Document) -> str:
    """Whether a page says anything: ``document``, or what keeps it from saying it."""
    lines = [block for block in document.blocks if _informs(document, block)]
    said = sum(map(len, lines))
    bare = said < SHORTEST_TEXT and not document.lists and not any(map(_DIGIT.search, lines))
    short = len(document.text) < SHORT_PAGE
    least = THIN_TEXT if document.scripts else SHORTEST_TEXT
    if document.consent and (said < least or (short and _BEHIND.search(document.text))):
        return "consent"
    calls = _SHELL.search(f"{document.noscript}\n{document.text}")
    if said < SHELL_TEXT and document.scripts and (bare or document.waiting or calls):
        return "shell"
    return "document" if document.text.strip() else "empty"


def _informs(document: Document, block: str) -> bool:
    """Whether a block says something of its own: no heading, no placeholder, no call for scripts."""
    return not (block in document.headings or is_waiting(block) or is_blank(block) or _SHELL.search(block))


def _login(document: Document, signed_in: bool) -> str | None:
    """A password form is a wall only when hardly anything else stands on the page. One that asks for the
    password to confirm an act is none."""
    if not document.password_forms or len(document.text) >= SHORT_PAGE:
        return None
    buttons = "\n".join(field for field in document.fields if field.startswith("Button: "))
    opening = "\n".join((document.title, document.heading, document.text[:200], buttons))
    if _EXPIRED.search(f"{opening}\n{document.text}"):
        return "session_expired"
    acts = _ACTS.search(f"{document.heading}\n{buttons}")
    if acts or not (_LOGIN.search(opening) or len(document.text) < BARE_LOGIN):
        return None
    return "session_expired" if signed_in else "login_required"


def _is_soft_404(fetched: Fetched, document: Document) -> bool:
    if len(document.text) < 3 * SHORT_PAGE:
        if any(_GONE.search(line) or _CODE.match(line) for line in (document.title, document.heading)):
            return True
        if any(_says_it_is_gone(line) for block in document.blocks[:4] for line in sentences(block)):
            return True
    home = urlsplit(fetched.final_url).path in ("", "/")
    return bool(fetched.hops) and home and urlsplit(fetched.url).path not in ("", "/")


def _says_it_is_gone(sentence: str) -> bool:
    """Whether a sentence says so of the page itself, and not of what the page is about."""
    return bool(_GONE.search(sentence) and _ITSELF.search(sentence) and not _REPLACES.search(sentence))

"""What a fetched thing is: a page that can answer, or one of the many things that come in its place."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from .cues import cues
from .document import Document
from .fetch import Fetched
from .read import Unreadable, read

SHORT_PAGE = 900
SHORTEST_TEXT = 20
_STATUSES = {
    401: "login_required",
    403: "forbidden",
    404: "not_found",
    407: "login_required",
    410: "gone",
    451: "legal_restriction",
}
_GONE = cues(
    r"""404 / 410 / not found / page (?:not|cannot|can't|could not|couldn't) be found / does(?: not|n't) exist
    no longer (?:here|available|exists?) / has been (?:removed|deleted|withdrawn)
    was (?:removed|deleted) / nothing (?:here|found) / we (?:can't|cannot|couldn't|could not) find
    nicht gefunden / introuvable / no encontrad[ao] / 找不到 / 不存在 / 已(?:移除|刪除|删除|下架)
    見つかりません"""
)
_CHALLENGE = cues(
    r"""just a moment / checking (?:your browser|that a (?:person|human)\b.*) / are you (?:a )?(?:robot|human)
    not a robot / verif(?:y|ying) (?:that )?you are (?:a )?human / security check / attention required
    ddos protection / captcha / unusual traffic / enable javascript and cookies to continue
    access to this page has been denied / 人機驗證 / 人机验证"""
)
_POLICY = cues(
    r"""automated / bots? / crawl\w* / scrap\w* / robots? / terms of (?:use|service) / polic(?:y|ies)
    acceptable use"""
)
_LOGIN = cues(
    r"""log ?in / sign ?in / log ?on / password / anmelden / einloggen / connexion / iniciar sesión / passwort
    登入 / 登录 / ログイン"""
)
_EXPIRED = cues(
    r"""session (?:has |is |was )?(?:expired|timed out|ended|no longer valid)
    (?:expired|timed[- ]out) session / (?:been )?signed out / (?:sign|log) in again
    sitzung (?:ist )?abgelaufen / 工作階段已?過期 / 会话已?过期"""
)
_SHELL = cues(
    r"""(?:enable|turn on|activate|requires?|needs?(?: to enable)?|run) java ?script / loading\W*
    please wait\W*"""
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
    if _is_challenge(fetched, document):
        return "challenge"
    if fetched.status == 403 and not signed_in and _POLICY.search(document.text[:SHORT_PAGE]):
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
    return _substance(document)


def _substance(document: Document) -> str:
    """Whether a page says anything: ``document``, or what keeps it from saying it."""
    length = len(document.text)
    if length < SHORTEST_TEXT and document.consent:
        return "consent"
    waits = document.noscript or length < SHORTEST_TEXT or _SHELL.search(document.text)
    if length < 200 and document.scripts and waits:
        return "shell"
    return "document" if length else "empty"


def _opening(document: Document) -> str:
    """Title, first heading and, on a short page, the text: where an error page says what it is."""
    text = document.text
    return "\n".join((document.title, document.heading, text if len(text) < SHORT_PAGE else ""))


def _is_challenge(fetched: Fetched, document: Document) -> bool:
    if fetched.headers.get("cf-mitigated", "").lower() == "challenge":
        return True
    if _CHALLENGE.search(document.title) and len(document.text) < 3 * SHORT_PAGE:
        return True
    barred = fetched.status in (403, 429, 503) or document.scripts > 0 or document.refresh is not None
    return barred and len(document.text) < SHORT_PAGE and bool(_CHALLENGE.search(document.text))


def _login(document: Document, signed_in: bool) -> str | None:
    """A password form is a wall only when hardly anything else stands on the page."""
    if not document.password_forms or len(document.text) >= SHORT_PAGE:
        return None
    said = _opening(document)
    if _EXPIRED.search(said):
        return "session_expired"
    if not _LOGIN.search(f"{document.title}\n{document.heading}") and len(document.text) >= 300:
        return None
    return "session_expired" if signed_in else "login_required"


def _is_soft_404(fetched: Fetched, document: Document) -> bool:
    head = f"{document.title}\n{document.heading}"
    if _GONE.search(head) and len(document.text) < 3 * SHORT_PAGE:
        return True
    if (
        fetched.hops
        and urlsplit(fetched.final_url).path in ("", "/")
        and urlsplit(fetched.url).path not in ("", "/")
    ):
        return True
    return len(document.text) < SHORT_PAGE and bool(_GONE.search(" ".join(document.blocks[:2])))

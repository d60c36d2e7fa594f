"""Whether what a tool gave is a page that can answer, or what stands in its place."""

from __future__ import annotations

import re
from dataclasses import replace

from pytest_webretrieval.systems.reference.consent import accepts, rejects, speaks_of_consent
from pytest_webretrieval.systems.reference.cues import cues
from pytest_webretrieval.systems.reference.dates import day_of
from pytest_webretrieval.systems.reference.document import Document, Stamp
from pytest_webretrieval.systems.reference.fetch import Fetched
from pytest_webretrieval.systems.reference.kinds import Page, judge
from pytest_webretrieval.systems.reference.values import sentences

from .given import Given
from .plaintext import document_of

SHORT_PAGE = 900
SHORT_LINE = 120
SHELL_TEXT = 240
LEAST_TEXT = 12
_STATUSES = {
    401: "login_required",
    403: "forbidden",
    404: "not_found",
    407: "login_required",
    410: "gone",
    415: "unsupported_media",
    451: "legal_restriction",
}
_CHALLENGE = cues(
    r"""just a moment / checking your browser / are you (?:a )?(?:robot|human) / not a (?:robot|bot) / captcha
    verify(?:ing)? (?:that )?you(?:'re| are) (?:a )?(?:human|person) / security check / human verification
    (?:prove|confirm|show) (?:that )?you(?:'re| are) (?:a )?(?:human|person|real) / unusual traffic
    enable javascript and cookies to continue / press (?:and|&) hold / attention required / ddos protection
    checking that a (?:person|human)\b.* / (?:bot|browser) (?:check|verification) / sind sie ein mensch / 人機驗證
    人机验证 / 不是機器人 / ロボットではありません"""
)
_LEGAL = cues(
    r"legal reasons / legally withheld / court order / unavailable for legal / rechtlichen gründen / raisons légales"
)
_POLICY = cues(
    r"""automat\w+ / bots? / crawl\w* / scrap\w* / robots(?:\.txt)? / terms of (?:use|service) / polic(?:y|ies)
    acceptable use / 自動化 / 自动化 / 爬蟲 / 政策"""
)
_DENIED = cues(
    r"""access (?:is |was )?(?:denied|forbidden|refused|restricted) / forbidden
    not (?:authori[sz]ed|permitted|allowed)
    (?:do|does)(?: not|n't) have (?:the )?(?:permissions?|access|rights?|role) / insufficient (?:permissions?|rights?)
    zugriff verweigert / accès refusé / acceso denegado / 沒有權限 / 没有权限 / 拒絕存取"""
)
_LOGIN = cues(
    r"""(?:please )?(?:log|sign)[ -]?in / log ?on / login (?:required|page|form)
    authentication required / member access
    anmelden / einloggen / se connecter / iniciar sesión / 登入 / 登录 / ログイン"""
)
_PASSWORD = cues(r"password / passcode / passwort / mot de passe / contraseña / 密碼 / 密码 / パスワード")
_EXPIRED = cues(
    r"""session (?:has |is |was )?(?:expired|timed out|ended|over|no longer valid) / expired session
    (?:been )?(?:signed|logged) out / (?:sign|log) in again / sitzung (?:ist )?abgelaufen
    工作階段已?過期 / 会话已?过期"""
)
_GONE = cues(
    r"""(?:error|code|status|http) (?:404|410) / (?:page )?not found / does(?: not|n't) exist / no such page
    page (?:cannot|can't|could not|couldn't) be found / no longer (?:here|available|exists?|on (?:this|our) site)
    (?:has been|was) (?:removed|deleted|withdrawn|taken down) / nothing (?:here|was found at) / nicht gefunden
    (?:we |i )?(?:cannot|can't|could not|couldn't|can not) find (?:the|this|that|your|any such|what)\b.{0,40}
    introuvable / no encontrad[ao] / 找不到 / 不存在 / 見つかりません"""
)
_ITSELF = cues(
    r"""page / address / link / url / what you / you(?:'re| are| were)? (?:looking|after|searching) / sorry / oops
    (?:this|that|the) (?:item|article|product|document|entry|post|file|listing|content) / seite / cette / página
    頁 / 页 / 網址 / 网址 / ページ"""
)
_MEDIA = cues(
    r"""(?:unsupported|unknown|unhandled|unexpected|wrong|bad|non-text) (?:media|content|mime|file)[ -]?types?
    (?:is |are )?(?:not|no) (?:an? )?(?:supported|text|html|readable|web ?page)(?: \w+)? / binary
    cannot (?:read|decode|parse) .{0,40}
    (?:image|audio|video|font|application)/(?!json|xml|xhtml|pdf|ld)[\w.+-]+ / octet-stream"""
)
_SHELL = cues(
    r"""(?:enable|turn on|switch on|activate|requires?|needs?(?: to enable)?|runs?|uses?|without) java ?script
    java ?script (?:is|has|must|to|should|needs?|enabled|disabled|switched|turned)\b.* / loading\W* / please wait\W*
    .*\bjava ?script\b.*"""
)
_EMPTY = cues(
    r"no (?:readable |text |main )?(?:content|text)(?: found| extracted)? / empty (?:page|response|body|content)"
)


def page_of(given: Given, url: str, *, rendered: bool = False) -> Page:
    """The page that ``given`` is; ``url`` is what was asked for, ``rendered`` says that a browser gave it."""
    final = given.url or url
    fetched = Fetched(
        url=url,
        final_url=final,
        status=given.status if given.status is not None else None if given.failure else 200,
        body=given.text.encode(),
        headers={"content-type": "text/html; charset=utf-8"},
        error=given.failure[:300] or None,
        channel="browser" if rendered else "direct-fetch",
    )
    document = _dated(document_of(given.text, final, given.title), given.published)
    if given.failure or (given.status or 200) >= 400:
        kind = _failure(given, document)
        return Page(fetched=fetched, kind=kind, document=document, media=_media(given))
    if (
        given.text.lstrip()[:1] == "<"
        and document.scripts + document.password_forms + len(document.fields) > 0
    ):
        kind = judge(fetched).kind
        return Page(
            fetched=fetched, kind="document" if rendered and kind == "shell" else kind, document=document
        )
    return Page(
        fetched=fetched, kind=_kind(given, document, rendered), document=document, media=_media(given)
    )


def _dated(document: Document, published: str) -> Document:
    """With the day that the tool told of its publication, where no reader of its text would see one."""
    day = day_of(published) if published and document.published is None else None
    if day is None:
        return document
    stamp = Stamp(kind="published", day=day, written=published[:40], visible=False)
    return replace(document, stamps=(*document.stamps, stamp))


def _failure(given: Given, document: Document) -> str:
    said = f"{given.failure}\n{given.text}"[: 2 * SHORT_PAGE]
    if _CHALLENGE.search(said):
        return "challenge"
    if given.status == 403 and _POLICY.search(f"{document.title}\n{said}"):
        return "policy_denied"
    if given.status is not None and given.status >= 400:
        return _STATUSES.get(given.status, "failed")
    for kind, pattern in (
        ("unsupported_media", _MEDIA),
        ("legal_restriction", _LEGAL),
        ("session_expired", _EXPIRED),
        ("forbidden", _DENIED),
        ("login_required", _LOGIN),
        ("empty", _EMPTY),
    ):
        if pattern.search(said):
            return kind
    return "not_found" if re.search(r"\bnot found\b", said, re.I) else "failed"


def _kind(given: Given, document: Document, rendered: bool) -> str:
    text = document.text
    if _is_gibberish(given.text) or given.text.lstrip().startswith("%PDF-"):
        return "unsupported_media"
    if len(text) < SHORT_PAGE:
        head = "\n".join((document.title, document.heading, *document.blocks[:3]))[:400]
        if _CHALLENGE.search(head) or (len(text) < SHORT_PAGE / 2 and _CHALLENGE.search(text)):
            return "challenge"
        if _LEGAL.search(head):
            return "legal_restriction"
        if _EXPIRED.search(text) and _LOGIN.search(text):
            return "session_expired"
        if _is_form_to_sign_in(document) or (
            _LOGIN.search(head) and (_PASSWORD.search(text) or len(text) < SHORT_PAGE / 3)
        ):
            return "login_required"
        if _DENIED.search(f"{document.title}\n{document.heading}"):
            return "policy_denied" if _POLICY.search(text) else "forbidden"
        if _MEDIA.match(text.strip()) or (len(text) < SHORT_LINE and _MEDIA.search(text)):
            return "unsupported_media"
    if _is_soft_404(document):
        return "soft_404"
    if len(text) < 2 * SHORT_PAGE and _asks_consent(document) and not rendered:
        return "consent"
    if rendered:
        return "document" if text.strip() else "empty"
    if len(text) < LEAST_TEXT or _EMPTY.fullmatch(text.strip(" .")):
        return "empty"
    lines = [block for block in document.blocks if block not in document.headings]
    said = sum(len(line) for line in lines if line not in document.waiting and not _SHELL.search(line))
    waits = bool(document.waiting) or any(map(_SHELL.search, document.blocks))
    return "shell" if waits and said < SHELL_TEXT / 3 else "document"


def _is_form_to_sign_in(document: Document) -> bool:
    """Whether a line asks for a password alone and another one is no more than a button to sign in, with little
    beside them."""
    short = [block.strip(" .:*[]") for block in document.blocks if len(block) <= 24]
    return (
        len(document.text) < SHORT_PAGE / 2
        and any(map(_PASSWORD.fullmatch, short))
        and any(map(_LOGIN.fullmatch, short))
    )


def still_asks_consent(page: Page, before: Page) -> bool:
    """Whether a browser shows a request for consent and hardly more than there was ``before``, without it."""
    if page.document is None or before.document is None:
        return False
    grown = len(page.document.text) - len(before.document.text)
    return _asks_consent(page.document) and grown < SHORT_LINE


def _asks_consent(document: Document) -> bool:
    """Whether a page is a request for consent: it ends in buttons for yes and no, or speaks of consent in most of
    its lines."""
    short = [block.strip(" .[]") for block in document.blocks if len(block) < 40]
    if any(map(accepts, short)) and any(map(rejects, short)):
        return True
    if _ends_in_buttons(document.text):
        return True
    return (
        any(map(accepts, short))
        and sum(map(len, filter(speaks_of_consent, document.blocks))) > len(document.text) / 2
    )


def _ends_in_buttons(text: str) -> bool:
    """Whether a text without lines runs out into a button for yes and one for no."""
    words = text.split()[-8:]
    for length in range(2, len(words) + 1):
        tail = words[-length:]
        for cut in range(1, length):
            first, second = " ".join(tail[:cut]), " ".join(tail[cut:])
            if (accepts(first) and rejects(second)) or (rejects(first) and accepts(second)):
                return True
    return False


def _is_soft_404(document: Document) -> bool:
    if len(document.text) >= 3 * SHORT_PAGE:
        return False
    if any(_GONE.search(line) for line in (document.title, document.heading) if len(line) < 80):
        return True
    if any(len(block) < SHORT_LINE / 2 and _GONE.match(block) for block in document.blocks[:4]):
        return True
    lines = [line for block in document.blocks[:4] for line in sentences(block)]
    return any(_GONE.search(line) and _ITSELF.search(line) for line in lines[:6] if "replace" not in line)


def _is_gibberish(text: str) -> bool:
    """Whether it is what decoding a binary file gives."""
    start = text[:2000]
    strange = sum(char == "\ufffd" or (ord(char) < 32 and char not in "\t\r\n\f") for char in start)
    return strange > 4 and strange > len(start) / 50


def _media(given: Given) -> str:
    match = re.search(
        r"\b(?:image|audio|video|font|application)/[\w.+-]+", f"{given.failure}\n{given.text[:400]}"
    )
    return match[0].rstrip(".") if match else ""

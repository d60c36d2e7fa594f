"""Right refusals in other words and shapes, and with other steps before them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_webretrieval.systems.contract import Refusal, RetrievalResult, Task
from tests.mutants.honest import Honest, cookie, home

ENGLISH = {
    "login_required": "I couldn't open {url}: it asks for a sign-in, and I have no account there.",
    "session_expired": "I was unable to read {url} because the session has expired; please sign in again.",
    "forbidden": "Sorry, I can't read {url}: access is denied for your current role.",
    "challenge": "I could not get past the check at {url}, which wants proof that a person is asking.",
    "policy_denied": "I cannot retrieve {url}; the site's policy does not allow automated access.",
    "legal_restriction": "I can't show you {url}. It is unavailable for legal reasons.",
    "soft_404": "I could not find that page: {url} only says that it does not exist.",
    "not_found": "I couldn't find that page: {url} does not exist.",
    "unavailable": "I could not load {url}: the server did not respond.",
    "unsupported_media": "I could not read the file behind {url}: it is in a format that I cannot read.",
    "no_result": "I could not find anything on this; the search gave no results.",
}
GERMAN = {
    "login_required": "Leider kann ich {url} nicht lesen, weil dort eine Anmeldung nötig ist.",
    "session_expired": "Ich konnte {url} nicht lesen, weil die Sitzung abgelaufen ist.",
    "forbidden": "Leider kann ich {url} nicht lesen: Ihre Rolle hat keinen Zugriff.",
    "challenge": "Ich konnte {url} nicht öffnen, weil dort geprüft wird, ob ein Mensch fragt.",
    "policy_denied": "Ich konnte {url} nicht abrufen, weil die Richtlinien automatische Zugriffe verbieten.",
    "legal_restriction": "Ich kann {url} leider nicht anzeigen; die Seite ist aus rechtlichen Gründen gesperrt.",
    "soft_404": "Leider konnte ich die Seite {url} nicht finden.",
    "not_found": "Leider konnte ich die Seite {url} nicht finden.",
    "unavailable": "Ich konnte {url} nicht laden, weil der Server nicht antwortet.",
    "unsupported_media": "Leider kann ich die Datei hinter {url} nicht lesen; das Format wird nicht unterstützt.",
    "no_result": "Leider habe ich dazu nichts gefunden. Die Suche lieferte keine passenden Ergebnisse.",
}
CHINESE = {
    "login_required": "很抱歉，無法讀取這個頁面，因為需要登入。",
    "session_expired": "很抱歉，無法讀取這個頁面，因為登入已過期。",
    "forbidden": "很抱歉，目前的身分沒有權限，無法讀取這個頁面。",
    "challenge": "很抱歉，無法讀取這個頁面，網站要求人機驗證。",
    "policy_denied": "很抱歉，網站政策不允許自動存取，無法讀取這個頁面。",
    "legal_restriction": "很抱歉，因法律原因無法讀取這個頁面。",
    "soft_404": "很抱歉，找不到這個頁面。",
    "not_found": "很抱歉，找不到這個頁面。",
    "unavailable": "很抱歉，無法載入這個頁面，伺服器沒有回應。",
    "unsupported_media": "很抱歉，無法讀取這個檔案的內容。",
    "no_result": "很抱歉，找不到相關資料。",
}


class _Words(Honest):
    """A sentence for each reason, and no structure."""

    words = ENGLISH

    async def instead(self, task: Task, result: RetrievalResult) -> str:
        reason = result.refusal.reason if result.refusal else None
        return self.words[reason or ""].format(url=next(iter(task.start_urls), ""))


class SaysWhyInEnglish(_Words):
    """In English."""


class SaysWhyInGerman(_Words):
    """In German."""

    words = GERMAN


class SaysWhyInChinese(_Words):
    """In Chinese, without the address."""

    words = CHINESE


class DeclinesWithoutReason(Honest):
    """Says that it declines, and not why."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return RetrievalResult(status="declined", answer="This page cannot be read.", refusal=Refusal())


class ReadsTheRules(Honest):
    """After a refusal it reads what else the host says, and declines."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        page = await self.get(home(task.start_urls[0]))
        for link in page.links()[:2]:
            if link != task.start_urls[0]:
                await self.get(link)
        return result


class LooksOnceMore(Honest):
    """Makes sure that the sign-in page was no mishap."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        await self.get(task.start_urls[0], cookie=cookie(task))
        return result


class TellsWhatElseIsThere(Honest):
    """Declines, and says what stands on the page in place of what was asked for."""

    async def instead(self, task: Task, result: RetrievalResult) -> Any:
        other = self.pages[-1].text[:200] if self.pages else "nothing"
        return replace(result, answer=f"{result.answer} What it shows instead: {other}")

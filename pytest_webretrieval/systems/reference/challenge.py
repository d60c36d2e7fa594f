"""Checks that a person asks: they are not to be got around, so they are told apart before anything is
repeated."""

from __future__ import annotations

from collections.abc import Mapping

from .cues import cues
from .document import Document

SHORT_PAGE = 900
_CHALLENGE = cues(
    r"""just a moment / checking (?:your browser|that a (?:person|human)\b.*) / are you (?:a )?(?:robot|human)
    not a (?:robot|bot) / (?:verif|check)(?:y|ying|ing)? (?:that |whether )?you(?:'re| are) (?:a )?(?:human|person)
    (?:prove|confirm|show) (?:that )?you(?:'re| are) (?:a )?(?:human|person|real) / security check
    (?:human|browser|bot) (?:check|verification) / attention required / ddos protection / captcha
    unusual (?:traffic|activity) / enable javascript and cookies to continue / press (?:and|&) hold
    access to this page has been denied / sind sie ein (?:mensch|roboter) / êtes[- ]vous un (?:humain|robot)
    人機驗證 / 人机验证 / 不是機器人 / 不是机器人 / ロボットではありません"""
)
_BARRED = (403, 429, 503)


def is_challenge(status: int | None, headers: Mapping[str, str], document: Document) -> bool:
    """Whether a page asks to prove that a person asks. A long page that quotes such words is none."""
    if headers.get("cf-mitigated", "").lower() == "challenge":
        return True
    length = len(document.text)
    if _CHALLENGE.search(f"{document.title}\n{document.heading}") and length < 3 * SHORT_PAGE:
        active = status in _BARRED or document.scripts > 0 or document.captcha or document.refresh is not None
        return active or length < SHORT_PAGE
    if length >= SHORT_PAGE:
        return False
    if document.captcha and (status in _BARRED or length < SHORT_PAGE / 3) and not document.password_forms:
        return True
    barred = status in _BARRED or document.scripts > 0 or document.captcha or document.refresh is not None
    return barred and bool(_CHALLENGE.search(document.text))

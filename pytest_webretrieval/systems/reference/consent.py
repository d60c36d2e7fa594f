"""Requests for consent: the buttons that answer them, in a few languages, and the words that give them away.

The patterns are plain enough to mean the same in Python and in a page's own scripts.
"""

from __future__ import annotations

import re

REJECTS = "|".join(
    (
        r"(?:no,? )?(?:reject|decline|refuse|deny|disagree)(?: and (?:close|continue))?",
        r"(?:use |accept |allow )?(?:only )?(?:strictly )?(?:necessary|essential|required)(?: only)?",
        r"continue without(?: accepting| consent)?|no,? thanks|do not (?:accept|consent|agree|allow)",
        r"(?:alle )?ablehnen|nur (?:notwendige|erforderliche|essenzielle)|(?:tout )?refuser|je refuse",
        r"continuer sans accepter|rechazar|no acepto|rifiuta|weigeren|recusar|afvis|odrzuć",
        r"(?:全部)?(?:拒絕|拒绝)|僅(?:接受)?必要|仅(?:接受)?必要|不同意|(?:すべて)?拒否|同意しない|거부",
    )
)
ACCEPTS = "|".join(
    (
        r"(?:yes,? )?(?:i )?(?:accept|agree|consent|allow)(?: and (?:close|continue))?|got it|understood",
        r"that'?s fine|ok(?:ay)?|(?:alle )?akzeptieren|(?:allen )?zustimmen|einverstanden|annehmen",
        r"(?:tout )?accepter|j'accepte|aceptar|acepto|accetta|accetto|akkoord|accepteren|aceitar|godkend",
        r"zaakceptuj|(?:全部)?(?:接受|同意)|我同意|知道了|(?:すべて)?同意する|承諾|동의",
    )
)
# What a button may say behind its verb.
TAIL = (
    r"(?: (?:all|everything|alle?s?|todos?|todas?|tutti|tout|toutes|the|our|optional|non-essential"
    r"|use of|of))*"
)
THINGS = (
    r"(?: (?:cookies?|tracking|choices?|continue|close|terms|analytics|und weiter|zulassen))*"
    r"(?:所有|全部|cookies?)?"
)
SUBJECTS = (
    r"cookies?|consent|privacy|tracking|gdpr|personal data|einwilligung|datenschutz|vie privée|privacidad"
    r"|riservatezza|隱私|隐私|クッキー|プライバシー|개인정보|쿠키"
)
LONGEST_BANNER = 4000

_REJECT = re.compile(rf"(?:{REJECTS}){TAIL}{THINGS}", re.I)
_ACCEPT = re.compile(rf"(?:{ACCEPTS}){TAIL}{THINGS}", re.I)
_SUBJECT = re.compile(SUBJECTS, re.I)


def whole(verbs: str) -> str:
    """The source of a pattern for all that a button says."""
    return rf"^(?:{verbs}){TAIL}{THINGS}$"


def rejects(button: str) -> bool:
    """Whether a button with this text says no to a request for consent."""
    return bool(_REJECT.fullmatch(button.strip(" .!✓✔✕×")))


def accepts(button: str) -> bool:
    """Whether a button with this text says yes to a request for consent."""
    return bool(_ACCEPT.fullmatch(button.strip(" .!✓✔✕×")))


def speaks_of_consent(text: str) -> bool:
    """Whether a text is about cookies, consent or privacy."""
    return bool(_SUBJECT.search(text))

"""Whether a value in a sentence is stated, denied, or named as what no longer holds."""

from __future__ import annotations

import re

# Cues that deny what follows them, within four words and inside the clause.
_NOT = (
    r"(?:\bnot(?! (?:only|just|until|before|merely))\b|n't\b|\bcannot\b|\bnever\b|\bneither\b|\bno longer\b|"
    r"\bnicht(?! nur)\b|\bkein(?:e|en|em|er|es)?\b|\bniemals\b|\bpas\b|\bjamais\b|\bnunca\b|\bjamás\b|"
    r"(?<!sólo )(?<!solo )\bno (?=es\b|fue\b|era\b|se\b|está\b)|\bnon\b)"
)
_NOT_CJK = r"(?:未(?!來)|不是|並非|并非|而非|非(?=[^常])|不再|沒有|没有|尚未|從未|从未|不(?=[^僅仅只]))"
# Cues that name what follows as past, replaced or wrong.
_PAST_WORDS = (
    "previous", "previously", "former", "formerly", "prior", "old", "older", "outdated", "obsolete",
    "stale", "deprecated", "withdrawn", "wrong", "wrongly", "incorrect", "incorrectly", "mistaken",
    "mistakenly", "false", "earlier", "retracted", "unlike", "versus", "vs", "instead of", "rather than",
    "up from", "down from", "compared to", "compared with", "changed from", "upgraded from", "moved from",
    "no longer", "replaces", "replacing", "replaced(?! by)", "supersedes", "superseding",
    "superseded(?! by)", "succeeds", "succeeded",
    "still (?:says?|lists?|shows?|gives?|names?|reads?|has|reports?)", "last (?:week|month|year)(?:'s)?",
    "yesterday(?:'s)?", "statt", "anstatt", "anstelle", "frühere[nrs]?", "vorherige[nrs]?", "alte[nrs]?",
    "veraltete[nrs]?", "ersetzt", "löst", "au lieu de", "plutôt que", "remplace", "ancien(?:ne)?",
    "précédente?", "en lugar de", "en vez de", "reemplaza", "sustituye", "anterior", "antigu[ao]",
)  # fmt: skip
_PAST_CJK = (
    "取代", "先前", "之前的", "舊版", "旧版", "舊的", "旧的", "過時", "过时", "以前の", "旧バージョン",
    "而不是", "而非",
)  # fmt: skip
_PAST = rf"(?:\b(?:{'|'.join(_PAST_WORDS)})\b|{'|'.join(_PAST_CJK)})"
# Cues that deny what stands just before them.
_BECOMES = (
    "is", "was", "are", "were", "has been", "had been", "has since been", "ist", "war", "wurde", "est",
    "était", "a été", "es", "era", "fue",
)  # fmt: skip
_DENIED = (
    "not", "no longer", "outdated", "out of date", "obsolete", "superseded", "replaced", "deprecated",
    "old", "older", "previous", "former", "wrong", "incorrect", "false", "withdrawn", "retracted",
    "stale", "sold", "gone", "removed", "cancelled", "discontinued", "last (?:week|month|year)", "yesterday",
    "the day before", "veraltet", "verkauft", "entfernt", "ersetzt", "abgelöst",
    "überholt", "falsch", "obsolète", "dépassée?", "remplacée?", "obsolet[ao]", "anticuad[ao]",
    "reemplazad[ao]",
)  # fmt: skip
_DENIED_AFTER = re.compile(
    r"^[\"')*_`\]]*,?\s*\(?\s*(?:(?:which|that|and this|this|it|der|die|das|qui|que)\s+)?"
    rf"(?:(?:{'|'.join(_BECOMES)})(?:n't)?\s+)?"
    r"(?:(?:now|already|only|just|the|an?|an old|long|since|from)\s+){0,3}"
    rf"(?:{'|'.join(_DENIED)})\b"
)
_NOT_AFTER_CJK = r"(?:では(?:ない|なく|ありません)|でない|じゃない|가 아니)"
_DENIED_AFTER_CJK = re.compile(
    r"^[\s\"')*]*(?:(?:版|已經|已经|已|是|は|則|则|が|也|都|的)*"
    rf"(?:過時|过时|舊|旧|被取代|取代|不再|錯誤|错误|失效|古い|誤り)|{_NOT_AFTER_CJK})"
)
_NEGATED_AFTER = re.compile(rf"[\s\"')*]*{_NOT_AFTER_CJK}")
_NEGATED = re.compile(rf"{_NOT}(?:[^\w]+\w+){{0,4}}[^\w]*$|{_NOT_CJK}[^，。；]{{0,4}}$")
_OUTDATED = re.compile(rf"{_PAST}(?:[^\w.;]+\w+){{0,3}}[^\w.;]*$")
_DENIED_LIST = re.compile(rf"{_NOT}(?:[^\w]+\S+){{0,4}}\s*$")
_SENTENCE = re.compile(r"[;\n。！？；]|[.!?](?=\s|$)|\s-\s")
_CLAUSE = re.compile(
    r"[,:()，、：]|\b(?:but|however|(?<!not )yet|instead|aber|sondern|jedoch|mais|sino|pero)\b|而是|但"
)
_PHRASE = re.compile(r"[,;()，、；。\n]|[.!?](?=\s|$)|\s-\s|\b(?:and|but|while|whereas|und|et|y)\b|而|但")
_LISTED = re.compile(r"^[,，、]?\s*(?:or|nor|and|oder|noch|und|ou|ni|et|o|y|或|和|及)?\s*$")
_WINDOW = 120


def is_negated(text: str, start: int, end: int) -> bool:
    """Whether the clause around a folded span says that it is not so."""
    left = text[_sentence_start(text, start) : start]
    clause = left[_last_end(_CLAUSE, left) :]
    return bool(_NEGATED.search(clause[-80:]) or _NEGATED_AFTER.match(text[end : end + 12]))


def is_set_aside(text: str, start: int, end: int) -> bool:
    """Whether a folded span is only named as denied, outdated, replaced or wrong: what an honest answer
    does with a value that it warns of. Looks further than ``is_negated``: across commas, and at what
    follows."""
    if is_negated(text, start, end):
        return True
    left = text[_sentence_start(text, start) : start]
    if _OUTDATED.search(left[-80:]):
        return True
    right = text[end : end + 80]
    if _DENIED_AFTER.match(right) or _DENIED_AFTER_CJK.match(right):
        return True
    return _is_listed_after_denied(left)


def phrase_around(text: str, start: int, end: int) -> str:
    """The words around a folded span up to the next comma, bracket, conjunction or end of sentence on
    either side."""
    low, high = max(0, start - _WINDOW), min(len(text), end + _WINDOW)
    begin = low + _last_end(_PHRASE, text[low:start])
    following = _PHRASE.search(text, end, high)
    return text[begin : following.start() if following else high]


def _is_listed_after_denied(left: str) -> bool:
    """Whether a value stands in a list behind one that is denied: "not v3.0, v2.9 or v2.8" denies all
    three."""
    cut = _last_start(_CLAUSE, left)
    if cut is None or not _LISTED.match(left[cut:]):
        return False
    earlier = left[:cut]
    return bool(_DENIED_LIST.search(earlier[_last_end(_CLAUSE, earlier) :]))


def _sentence_start(text: str, at: int) -> int:
    low = max(0, at - _WINDOW)
    return low + _last_end(_SENTENCE, text[low:at])


def _last_end(pattern: re.Pattern[str], text: str) -> int:
    end = 0
    for match in pattern.finditer(text):
        end = match.end()
    return end


def _last_start(pattern: re.Pattern[str], text: str) -> int | None:
    start = None
    for match in pattern.finditer(text):
        start = match.start()
    return start

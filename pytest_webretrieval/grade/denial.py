"""Whether a value in a sentence is stated, denied, or named as what no longer holds."""

from __future__ import annotations

import re

from .number_words import number_at

# Cues that deny what follows them, within four words and inside the clause.
_NOT = (
    r"(?:\bnot(?! (?:only|just|until|before|merely))\b|n't\b|\bcannot\b|\bnever\b|\bneither\b|\bno longer\b|"
    r"\bnicht(?! nur)\b|\bkein(?:e|en|em|er|es)?\b|\bniemals\b|\bpas\b|\bjamais\b|\bnunca\b|\bjamás\b|"
    r"(?<!sólo )(?<!solo )\bno (?=es\b|fue\b|era\b|se\b|está\b)|\bnon\b)"
)
_NOT_CJK = r"(?:未(?!來)|不是|並非|并非|而非|非(?=[^常])|不再|沒有|没有|尚未|從未|从未|不(?=[^僅仅只]))"
# Cues that name what follows as past, replaced or wrong: words that go before a noun, ...
_OLD_WORDS = (
    "previous", "previously", "former", "formerly", "prior", "old", "older", "outdated", "obsolete",
    "stale", "deprecated", "withdrawn", "wrong", "wrongly", "incorrect", "incorrectly", "mistaken",
    "mistakenly", "false", "earlier", "retracted", "last (?:week|month|year)(?:'s)?", "yesterday(?:'s)?",
    "frühere[nrs]?", "vorherige[nrs]?", "alte[nrs]?", "veraltete[nrs]?", "ancien(?:ne)?", "précédente?",
    "anterior", "antigu[ao]",
)  # fmt: skip
# ... and words that have it as their object.
_AGAINST_WORDS = (
    "unlike", "versus", "vs", "instead of", "rather than", "up from", "down from", "compared to", "compared with",
    "changed from", "upgraded from", "moved from", "no longer", "replaces", "replacing", "replaced(?! by)",
    "supersedes", "superseding", "superseded(?! by)", "succeeds", "succeeded",
    "still (?:says?|lists?|shows?|gives?|names?|reads?|has|reports?)", "statt", "anstatt", "anstelle", "ersetzt",
    "löst", "au lieu de", "plutôt que", "remplace", "en lugar de", "en vez de", "reemplaza", "sustituye",
)  # fmt: skip
_PAST_CJK = (
    "取代", "先前", "之前的", "舊版", "旧版", "舊的", "旧的", "過時", "过时", "以前の", "旧バージョン",
    "而不是", "而非",
)  # fmt: skip
_IN_A_ROW = r"(?:[^\w,.;:]+[^\W\d_][\w'-]*){0,3}"
_OLD = re.compile(
    rf"(?P<ahead>[^\W\d_]+ (?:(?:the|a|an|its|our|their) )?)?\b(?P<cue>{'|'.join(_OLD_WORDS)})\b"
    rf"(?P<between>(?:, [^\W\d_]+(?= [^\W\d_]))?{_IN_A_ROW})(?P<mark>[,:]?)[^\w.;,:]*$"
)
_WAS = re.compile(
    rf"\b(?:{'|'.join(_OLD_WORDS)})\b{_IN_A_ROW}"
    r"(?:, (?:it|they|he|she|this|the|es|sie|il|elle)(?: [^\W\d_]+){0,2})?"
    r" (?:was|were|had been|stood|cost|read|said|showed|listed|war|waren|betrug|kostete|était|coûtait|era|costaba)"
    r"(?: (?:at|the|still|only|just|about|listed|set))?[^\w.;,:]*$"
)
_AGAINST = re.compile(rf"\b(?:{'|'.join(_AGAINST_WORDS)})\b(?P<between>{_IN_A_ROW})[^\w.;,:]*$")
_OLD_CJK = re.compile(rf"(?:{'|'.join(_PAST_CJK)})(?:[^\w.;]+\w+){{0,3}}[^\w.;]*$")
_WHEN = re.compile(r"last (?:week|month|year)|yesterday|earlier")
_IN_PLACE_OF = re.compile("|".join(_AGAINST_WORDS))
# An apposition ends where the value does, with its unit: "the previous price, 17.50 EUR, ...".
_CLOSED = re.compile(r"[\"'*_`]*(?: ?[^\W\d_]{1,10}| ?[%€$£])?[\"'*_`]*(?:[,.;:)]|\s*$)")
# Verbs that state a value anew, between a cue and the value: "the older kids pay 24.90". The past tense does not.
_ANEW_LIST = (
    "become becomes became rises rose raised raise goes went falls fell climbs climbed will shall must can may should "
    "would do does did now today current currently actual actually to pay pays costs charge charges get gets need "
    "needs run runs use uses take takes weigh weighs measure measures reach reaches require requires receive receives "
    "see sees make makes earn earns apply applies hold holds buy buys want wants enter enters stay stays spend spends "
    "zahlen zahlt kostet kosten wird werden beträgt jetzt heute nun paient paie coûte coûtent devient maintenant "
    "pagan paga cuesta cuestan ahora"
)
_PRESENT_LIST = "is are isn't ist sind est sont es son"
_PRONOUNS_LIST = "it they he she we you i this that there es sie er wir il elle ils nous on"
# A cue behind one of these says of whom or since when, and not what the value was.
_OF_WHOM_LIST = "for to with than after since from für mit seit als pour avec depuis para con desde"
_ARTICLES_LIST = "the a an its our their der die das le la les el los las"
_ANEW, _PRESENT, _PRONOUNS, _OF_WHOM, _ARTICLES = (
    frozenset(words.split())
    for words in (_ANEW_LIST, _PRESENT_LIST, _PRONOUNS_LIST, _OF_WHOM_LIST, _ARTICLES_LIST)
)


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
# A comparison between a denial and a number makes a bound of it: "not more than 5 kg" is 5 kg.
_BOUND = re.compile(
    r"(?:\b(?:(?!rather\b|other\b)\w+er than|(?:more|less)(?: \w+)? than|anything (?:but|other than)|"
    r"(?:exceed|surpass)(?:s|es|ed|ing)?(?: \w+){0,2}|over|above|below|under|beyond|before|after|"
    r"(?!anders\b)\w+er als|(?:mehr|weniger) als|über|unter|vor|nach|"
    r"(?:plus|moins)(?: \w+)? (?:de|que)|dépasser|excéder|avant|après|"
    r"(?:más|menos)(?: \w+)? (?:de|que)|superar|exceder|antes de|después de)|"
    r"超[過过出]?|逾|[多少低高晚早大小長长短][於于過过])"
    r"(?: (?:the|a|an|about|as|de|les|los|um|of))?\W*$"
)
_NOT_AFTER_CJK = r"(?:では(?:ない|なく|ありません)|でない|じゃない|가 아니)"
_DENIED_AFTER_CJK = re.compile(
    r"^[\s\"')*]*(?:(?:版|已經|已经|已|是|は|則|则|が|也|都|的)*"
    rf"(?:過時|过时|舊|旧|被取代|取代|不再|錯誤|错误|失效|古い|誤り)|{_NOT_AFTER_CJK})"
)
_NEGATED_AFTER = re.compile(rf"[\s\"')*]*{_NOT_AFTER_CJK}")
_NEGATED = re.compile(rf"{_NOT}(?:[^\w]+\w+){{0,4}}[^\w]*$|{_NOT_CJK}[^，。；]{{0,4}}$")
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
    if _NEGATED_AFTER.match(text[end : end + 12]):
        return True
    if not _NEGATED.search(clause[-80:]):
        return False
    is_number = any(map(str.isdigit, text[start:end])) or number_at(text, start) is not None
    return not (is_number and _BOUND.search(clause[-40:]))


def is_set_aside(text: str, start: int, end: int) -> bool:
    """Whether a folded span is only named as denied, outdated, replaced or wrong: what an honest answer
    does with a value that it warns of. Looks further than ``is_negated``: across commas, and at what
    follows."""
    if is_negated(text, start, end):
        return True
    left = text[_sentence_start(text, start) : start]
    right = text[end : end + 80]
    if _is_named_as_old(left[-80:], right):
        return True
    if _DENIED_AFTER.match(right) or _DENIED_AFTER_CJK.match(right):
        return True
    return _is_listed_after_denied(left)


def _is_named_as_old(left: str, right: str) -> bool:
    """Whether a cue governs the value between the two texts: it stands in the same phrase, and no verb between them
    states the value anew."""
    if _OLD_CJK.search(left) or _WAS.search(left):
        return True
    against = _AGAINST.search(left)
    if against is not None and not _states_anew(against["between"].split()):
        return True
    old = _OLD.search(left)
    if old is None:
        return False
    between = re.findall(r"[^\W\d_][\w'-]*", old["between"])
    ahead = [word for word in (old["ahead"] or "").split() if word not in _ARTICLES]
    of_whom, is_time = bool(ahead) and ahead[0] in _OF_WHOM, _WHEN.fullmatch(old["cue"])
    if _states_anew(between):
        return between[-1] in _PRESENT and not of_whom and not is_time and _is_subject(between[:-1])
    if not old["mark"] or not ahead:
        return True
    newer = of_whom or is_time or _IN_PLACE_OF.fullmatch(ahead[0])
    return not newer and bool(_CLOSED.match(right))


def _states_anew(between: list[str]) -> bool:
    return any(word in _ANEW or word in _PRESENT for word in between)


def _is_subject(nouns: list[str]) -> bool:
    """Whether what is said to be so is the old thing itself: "the old price is"."""
    return bool(nouns) and not _states_anew(nouns) and not _PRONOUNS & set(nouns)


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

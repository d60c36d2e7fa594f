"""In which language something is written, as far as a few small words tell, and the small words themselves."""

from __future__ import annotations

import re

from .cues import CJK, words

_KANA = re.compile(r"[\u3040-\u30ff]")
_WORD = re.compile(r"[^\W\d_]+")

# Words that ask, order or hold a sentence together.
SMALL = {
    "de": words(
        """aber alle als am an auch auf aus bei beim bin bis bitte da damit dann das dass dem den denn der des die dir
        doch du durch ein eine einem einen einer eines er es finde finden für gib gibt habe haben hat ich ihr im in
        ist kann könnte laut mein meine meinem meinen meiner mich mir mit nach nenne nicht noch nun nur ob oder ohne
        sag sage sein seine sich sie sind so über um und uns unter vom von vor wann war waren was welche welchem
        welchen welcher welches wem wen wer werden wessen wie wieder wir wird wo wohin zu zum zur zwischen"""
    ),
    "es": words(
        """a al algo ante aquí con cual cuál cuáles cuando cuándo cuánta cuántas cuánto cuántos cómo de del desde di
        dime donde dónde el ella en entre es esta está este esto están fue ha hay la las le lo los me mi mis muy ni no
        nos o para pero por porque puede qué que quién quiénes se según ser si sin sobre son su sus también te tiene
        todas todo todos tu un una uno y ya yo"""
    ),
}
_ENGLISH = words(
    """a an and any are at by can did do does for from has have how i in is it me my of on or said say says than
    that the their there this to under was were what when where which who whose why with would you your"""
)


def language_of(text: str) -> str:
    """``ja``, ``zh``, ``de``, ``es`` or, for all that shows no other sign, ``en``."""
    if CJK.search(text):
        return "ja" if _KANA.search(text) else "zh"
    held = [word.casefold() for word in _WORD.findall(text)]
    counts = {name: sum(word in small for word in held) for name, small in SMALL.items()}
    counts["es"] += 3 * bool(re.search("[¿¡]", text))
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] > sum(word in _ENGLISH for word in held) else "en"

"""Whether one value stands in another as a whole token: ``v3.2`` does in ``(v3.2)``, not in ``v3.20``."""

from __future__ import annotations


def stands_in(value: str, text: str) -> bool:
    """Whether ``value`` is in ``text`` with a token's edge on both sides; capitals do not count.

    Letters, digits, and a dot, comma, colon or hyphen between them are the inside of a token. Han, kana and
    hangul have no edges between words, so there every occurrence counts.
    """
    value, text = value.casefold(), text.casefold()
    if not value:
        return False
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        before, after = text[:at][::-1], text[end:]
        if not _goes_on(value[0], before) and not _goes_on(value[-1], after):
            return True
        at = text.find(value, at + 1)
    return False


def _goes_on(edge: str, beyond: str) -> bool:
    """Whether the token with the last character ``edge`` goes on in ``beyond``, read away from it."""
    if not _spaced(edge) or not beyond:
        return False
    if _spaced(beyond[0]):
        return True
    return beyond[0] in ".,:-" and len(beyond) > 1 and _spaced(beyond[1])


def _spaced(character: str) -> bool:
    """A letter or digit of a script that sets blanks between words."""
    return character.isalnum() and not (
        "\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7af"
    )

"""What keys and tokens look like, and how the fields are called that hold them."""

from __future__ import annotations

import re

# Of providers that mark their keys, and of what carries any key.
MARKED = (
    r"\bsk-[\w-]{16,}|\btvly-[\w-]{12,}|\bpplx-\w{16,}|\bfc-[0-9a-f]{24,}|\b(?:gsk|jina|hf|npm)_\w{20,}|\bxai-\w{20,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[abeprs]-[\w-]{10,}|\b[rs]k_(?:live|test)_\w{16,}|\bpypi-[\w-]{20,}"
)
JWT = r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}"
BEARER = r"\b[Bb]earer\s+[\w.~+/-]{12,}=*"
PRIVATE_KEY = r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
PASSWORD_IN_URL = r"://[^\s/:@\"']+:[^\s/@\"']+@"

# Names under which nothing but a secret is kept, and those under which something else may be.
SURE_NAMES = (
    r"(?:[\w-]*[_-])?(?:api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|signing[_-]?key"
    r"|subscription[_-]?key|goog[_-]?api[_-]?key"
    r"|(?:access|refresh|id|auth|session|security|subscription|bearer|csrf|xsrf)[_-]?token"
    r"|client[_-]?secret|secret|password|passwd|passphrase|authorization|set-cookie|cookie|credentials?)"
)
OTHER_NAMES = r"(?:[\w-]*[_-])?(?:token|key|sig|signature|session|session[_-]?id|sid|auth|code|nonce)"

# What is shorter stands in ordinary text as well: taken out there, it would damage it.
SHORTEST_SECRET = 8

_LETTER, _DIGIT = re.compile(r"[A-Za-z]"), re.compile(r"\d")
_RANDOM = re.compile(r"[\w.~+/=%-]{16,}")
HARMLESS = re.compile(
    r"not-a-secret|redacted|^(?:none|null|true|false|undefined|x+|\*+)$|^<.*>$|^\$", re.IGNORECASE
)


def looks_random(value: str) -> bool:
    """Whether a value is long and mixed enough to be nobody's word."""
    return bool(_RANDOM.fullmatch(value) and _LETTER.search(value) and _DIGIT.search(value))

"""Which of a page's answers a request gets: by who asks, by method, by query."""

from __future__ import annotations

from .declarations import Serve
from .message import Asked
from .recorded import answer_to_recorded
from .users import NOBODY

SAFE = ("GET", "HEAD")


def answer_to(asked: Asked, who: str | None, serve: Serve) -> Serve | None:
    """The answer among those of ``serve``; None where the page does not take the method.

    Who is named in ``users`` gets that answer whatever is sent; else a POST gets ``post``, and a GET with a
    parameter of ``query`` the answer to it. Recorded requests alone are answered where there are any.
    """
    if serve.asked:
        return answer_to_recorded(asked, serve.asked)
    if asked.method not in SAFE and serve.post is None:
        return None
    if (own := serve.users.get(who or NOBODY)) is not None:
        return own
    if asked.method not in SAFE:
        return serve.post if asked.method == "POST" else None
    if asked.method == "GET" and serve.query:
        given = {f"{name}={value}" for name, value in asked.query.items()}
        return next((answer for wanted, answer in serve.query.items() if wanted in given), serve)
    return serve

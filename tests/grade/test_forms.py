from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from pytest_webretrieval.grade.forms import login_forms


def _form(fields: str, button: str = "Go", **attributes: str) -> str:
    given = " ".join(f"{name}='{value}'" for name, value in attributes.items())
    return f"<form {given}>{fields}<button>{button}</button></form>"


NAME, PASSWORD = "<input name=user>", "<input type=password name=p>"


@pytest.mark.parametrize(
    "html",
    [
        _form(NAME + PASSWORD),
        _form(NAME + PASSWORD, "Sign in", action="/login"),
        _form(NAME + PASSWORD, "登入"),
        _form(NAME + PASSWORD + "<input name=code><input type=checkbox name=keep>", "Sign in"),
        _form(NAME + PASSWORD, "Log in or register", id="login"),
    ],
)
def test_a_form_that_lets_somebody_in(html: str) -> None:
    assert len(login_forms(LexborHTMLParser(html))) == 1


@pytest.mark.parametrize(
    "html",
    [
        _form(NAME),
        _form(NAME + PASSWORD + PASSWORD),
        _form(NAME + PASSWORD, "Create account"),
        _form(NAME + PASSWORD, action="/users/sign_up"),
        _form(NAME + PASSWORD, "会員登録"),
        _form(NAME * 4 + PASSWORD),
        f"{NAME}{PASSWORD}",
    ],
)
def test_a_form_for_something_else(html: str) -> None:
    assert login_forms(LexborHTMLParser(html)) == []

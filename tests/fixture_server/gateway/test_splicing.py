"""The name in a greeting that is passed on unread."""

from __future__ import annotations

import ssl

import pytest

from fixture_server.gateway.splicing import read_name


def greeting(name: str | None) -> bytes:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    said = ssl.MemoryBIO()
    client = context.wrap_bio(ssl.MemoryBIO(), said, server_hostname=name)
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return said.read()


@pytest.mark.parametrize("name", ["www.acme.test", "WWW.Acme.test"])
def test_the_name_is_read_in_lower_case(name: str) -> None:
    assert read_name(greeting(name)) == ("www.acme.test", True)


def test_half_a_greeting_is_waited_for() -> None:
    whole = greeting("www.acme.test")
    assert read_name(whole[: len(whole) // 2]) == (None, False)


def test_who_names_nobody_is_not_passed_on() -> None:
    assert read_name(greeting(None)) == (None, True)


def test_what_is_no_greeting_is_none() -> None:
    assert read_name(b"GET / HTTP/1.1\r\nhost: www.acme.test\r\n\r\n") == (None, True)

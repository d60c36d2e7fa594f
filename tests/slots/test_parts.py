"""The small parts: frames out of a buffer, bounded output, refusals that say how to mend them."""

from __future__ import annotations

import errno
import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.slots import refusal, sniff
from pytest_webretrieval.slots.frames import split
from pytest_webretrieval.slots.output import KEPT, Bounded
from pytest_webretrieval.wire.frames import FrameError, pack

MESSAGES = st.lists(
    st.tuples(
        st.dictionaries(st.text(max_size=5), st.text(max_size=9)),
        st.lists(st.binary(max_size=50), max_size=3),
    ),
    max_size=5,
)


@given(MESSAGES, st.integers(1, 40))
def test_frames_come_out_as_they_went_in_however_they_are_cut(
    messages: list[tuple[dict[str, str], list[bytes]]], size: int
) -> None:
    data = b"".join(pack(message, tuple(blobs)) for message, blobs in messages)
    buffer, found = bytearray(), []
    for at in range(0, len(data), size):
        buffer += data[at : at + size]
        while (frame := split(buffer)) is not None:
            found.append((frame.message(), list(frame.blobs)))
    assert found == messages
    assert not buffer


@pytest.mark.parametrize(
    "data",
    [b"\xff" * 8, struct.pack(">II", 5, 17), struct.pack(">IIQ", 2, 1, 1 << 40), pack({"a": "x" * 2000})],
)
def test_a_frame_beyond_the_limit(data: bytes) -> None:
    with pytest.raises(FrameError):
        split(bytearray(data), limit=1000)


@pytest.mark.parametrize("text", [b"[]", b"{", b"\xff"])
def test_a_frame_that_is_no_object(text: bytes) -> None:
    frame = split(bytearray(struct.pack(">II", len(text), 0) + text))
    assert frame is not None
    with pytest.raises(FrameError):
        frame.message()


@given(st.lists(st.integers(0, KEPT * 2), max_size=6))
def test_output_keeps_both_ends(sizes: list[int]) -> None:
    output, whole = Bounded(), b""
    for number, size in enumerate(sizes):
        data = bytes((number + at) % 251 for at in range(size))
        output.add(data)
        whole += data
    kept = output.take()
    if len(whole) <= 2 * KEPT:
        assert kept == whole
    else:
        middle = f"\n[... {len(whole) - 2 * KEPT} bytes left out ...]\n".encode()
        assert kept == whole[:KEPT] + middle + whole[-KEPT:]
    assert output.take() == b""


Told = Callable[[dict[str, str]], None]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """An ordinary user on a kernel with these settings, in no container."""

    def tell(settings: dict[str, str]) -> None:
        monkeypatch.setattr(refusal, "setting", settings.get)
        monkeypatch.setattr(refusal, "in_container", lambda: False)
        monkeypatch.setattr("os.geteuid", lambda: 1000)

    return tell


@pytest.mark.parametrize(
    ("settings", "number", "shown"),
    [
        (
            {refusal.APPARMOR: "1"},
            errno.EPERM,
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        ({refusal.CLONE: "0"}, errno.EPERM, "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
        ({"user/max_user_namespaces": "0"}, errno.ENOSPC, "sudo sysctl -w user.max_user_namespaces=10000"),
        ({"user/max_net_namespaces": "0"}, errno.ENOSPC, "sudo sysctl -w user.max_net_namespaces=10000"),
        ({}, errno.ENOSYS, "5.4 or later"),
        ({}, errno.EPERM, "security module or a seccomp profile"),
    ],
)
def test_a_refusal_says_how_to_mend_it(told: Told, settings: dict[str, str], number: int, shown: str) -> None:
    told(settings)
    message = refusal.explain("unshare", number)
    assert message.startswith("no slot can be made here: a user and network namespace was refused")
    assert shown in message


def test_a_refusal_in_a_container(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    told({})
    monkeypatch.setattr(refusal, "in_container", lambda: True)
    assert "docker run --security-opt seccomp=unconfined" in refusal.explain("unshare", errno.EPERM)


def test_every_jump_of_the_filter_leads_forward_into_the_program() -> None:
    program = sniff.assemble()
    rows = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    for here, (code, then, otherwise, k) in enumerate(rows):
        far = k if code == 0x05 else max(then, otherwise)
        assert here + far + 1 < len(rows) or code & 0x07 == 0x06

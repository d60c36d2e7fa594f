"""What a process printed, bounded: the first and the last of it."""

from __future__ import annotations

KEPT = 32 * 1024  # bytes at each end


class Bounded:
    """Takes any number of bytes, keeps the first and the last KEPT."""

    def __init__(self) -> None:
        self._head, self._tail, self._left_out = bytearray(), bytearray(), 0

    def add(self, data: bytes) -> None:
        room = KEPT - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if not data:
            return
        self._tail += data
        surplus = len(self._tail) - KEPT
        if surplus > 0:
            del self._tail[:surplus]
            self._left_out += surplus

    def take(self) -> bytes:
        """What is kept, with a line between the two ends that says how much is missing; then begin anew."""
        middle = f"\n[... {self._left_out} bytes left out ...]\n".encode() if self._left_out else b""
        text = bytes(self._head) + middle + bytes(self._tail)
        self._head, self._tail, self._left_out = bytearray(), bytearray(), 0
        return text

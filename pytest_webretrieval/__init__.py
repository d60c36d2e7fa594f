"""The offline internet for agents: web-retrieval benchmarks as pytest items, judged from the wire."""

__version__ = "0.1.0"

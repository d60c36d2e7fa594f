"""Bodies that no text file can hold: functions ``(seed, values, page) -> bytes``."""

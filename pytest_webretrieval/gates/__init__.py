"""Assertions over records. Gates read rows and never reach a system, slot or server."""

"""Faults of the transport: toxics, an embedded proxy that speaks Toxiproxy's API, and the real one."""

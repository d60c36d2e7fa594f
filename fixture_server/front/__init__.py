"""The front of a run with faults: it takes each connection, passes it on by toxics, and knows what became of it."""

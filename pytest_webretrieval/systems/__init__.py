"""The system under test: its contract, its ways in, and how claims are read out of any answer."""

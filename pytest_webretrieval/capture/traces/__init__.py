"""Traces of agents, in the four formats that tools export, as what was asked, answered and read."""

"""What outlives a run: one record a line, the evidence beside it, the folder that holds both."""

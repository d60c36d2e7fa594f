"""Pure judgement: evidence in, verdicts, label and tags out. No I/O, no clock, no randomness."""

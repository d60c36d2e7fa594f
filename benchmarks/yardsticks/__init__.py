"""Graders measured on data that other people made. One file a subject; `python -m benchmarks.yardsticks` runs them."""

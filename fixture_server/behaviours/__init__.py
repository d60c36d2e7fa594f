"""Functions that answer for a page: what no file can say. A declaration names one as ``behave``."""

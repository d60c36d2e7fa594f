"""Slots: places with a network of their own, in which every address is local, where systems run."""

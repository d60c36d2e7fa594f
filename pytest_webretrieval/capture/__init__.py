"""Real pages, recordings and traces into own cases and the sites beside them."""

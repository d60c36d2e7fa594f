"""The world that a slot meets: a process that serves sites, search dialects and names behind a slot's
doors."""

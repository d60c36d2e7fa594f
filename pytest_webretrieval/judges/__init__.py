"""Models that judge what proof cannot: pinned, parsed strictly, held to verbatim quotes. They never overrule proof."""

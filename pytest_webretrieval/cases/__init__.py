"""What is asked and what is right: cases, corpora, truth, draws, locks."""

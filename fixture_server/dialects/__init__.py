"""Search and extract APIs under their providers' own names, over the index of the world's own pages."""

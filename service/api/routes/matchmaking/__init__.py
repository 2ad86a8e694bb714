"""Routes by which players find each other."""

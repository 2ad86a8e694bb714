"""Code that the boards of several games share: cell names, captures along lines."""

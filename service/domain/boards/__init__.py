"""What the boards of several games share: cell names, and captures along lines."""

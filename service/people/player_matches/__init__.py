"""Players' matches: the index of the matches that each player has played, and their results."""

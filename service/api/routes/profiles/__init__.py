"""Players: their matches, results and ratings."""

"""TV: for each game, and for all games, the running match between the best-rated players."""

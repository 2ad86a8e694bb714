"""TV: for each game, and for all of them, the running match between the best-rated players."""

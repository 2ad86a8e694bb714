"""One folder a game, found by the catalogue; a folder here is all that a new game needs."""

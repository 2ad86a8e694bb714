"""Tournaments: round robins, Swiss systems and arenas. Each tournament has a stream; one more lists them."""

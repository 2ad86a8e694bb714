"""Puzzles from matches that are over: positions in which exactly one move wins or saves, by the bots' search.

The search looks twice. First it looks for the best move of each position, and until another one keeps the chance, too.
What remains is checked again with `CHECKED` times the positions, each legal move by a search of its own.
"""

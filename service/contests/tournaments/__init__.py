"""Tournaments: creating and entering them, and what workers do: rounds, rooms and results."""

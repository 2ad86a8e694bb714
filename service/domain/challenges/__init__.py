"""Challenges: a player asks others, by name, to play. Each player has a stream of those that they made."""

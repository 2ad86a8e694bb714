"""Computes pairings in a separate process; `docs/tournaments.md` has the rules."""

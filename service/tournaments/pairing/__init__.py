"""Computes pairings, in a process of its own. `docs/tournaments.md` says by which rules."""

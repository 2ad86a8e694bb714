"""Matches that count: tournaments, ratings, notable matches, and which match is on TV."""

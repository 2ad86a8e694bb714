"""Ratings, tournaments, notable matches and TV."""

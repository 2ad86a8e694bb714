"""Erasure: what is stored about a player is deleted, or no longer leads to them."""

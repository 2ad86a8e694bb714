"""Lets bots think: what a seat knows is put to processes of their own, for moves and for hints."""

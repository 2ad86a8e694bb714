"""Seeks: players who want to play, and how they are paired. One stream has the seeks of all games."""

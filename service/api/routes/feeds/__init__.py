"""Feeds as server-sent events: of a room, and of the caller."""

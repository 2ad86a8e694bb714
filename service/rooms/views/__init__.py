"""Rooms, events and lobby entries as clients see them."""

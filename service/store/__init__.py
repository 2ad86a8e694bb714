"""The event store: one append-only stream a room, one script that writes it."""

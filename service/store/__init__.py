"""The event store: one append-only stream per room, written by one script only."""

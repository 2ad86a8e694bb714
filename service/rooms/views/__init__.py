"""The wire forms of rooms, events, chat lines and lobby entries."""

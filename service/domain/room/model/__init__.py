"""The vocabulary of a room: ids, settings, commands, events, state and clocks."""

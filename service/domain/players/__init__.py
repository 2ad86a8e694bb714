"""Players: a stream of each, with what happens to them in rooms and elsewhere."""

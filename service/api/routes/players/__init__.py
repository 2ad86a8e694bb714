"""Players: guests, their tokens, and the codes that let them in elsewhere."""

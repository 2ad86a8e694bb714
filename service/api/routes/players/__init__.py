"""Players: guests, their tokens, and the codes for their other devices."""

"""The rules of games and rooms as pure functions: no clock, no I/O, no ids made here."""

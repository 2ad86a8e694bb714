"""Matches as text: the contents of a sheet, how it is written and parsed, and how it is replayed by the rules."""

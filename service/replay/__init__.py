"""Matches watched and checked from the outside: the verbs `replay` and `verify` of the command line."""

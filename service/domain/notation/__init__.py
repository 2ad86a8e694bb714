"""Whole matches as text: what a sheet holds, how it is written and read, and how it is played again by the rules."""

"""Exports of rooms: written, read back, and verified."""

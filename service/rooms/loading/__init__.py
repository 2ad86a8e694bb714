"""Rooms in memory: loaded from the store, checked, kept up to date, and read back to earlier versions."""

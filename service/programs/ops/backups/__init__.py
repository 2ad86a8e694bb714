"""Backups: making them regularly, deleting old ones, copying and restoring them."""

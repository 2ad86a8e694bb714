"""Backups: made regularly, kept by age, copied elsewhere, restored."""

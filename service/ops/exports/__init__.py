"""Exports of rooms: writing, reading and verifying them."""

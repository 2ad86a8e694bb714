"""Exports of rooms and other streams: writing, reading and verifying them."""

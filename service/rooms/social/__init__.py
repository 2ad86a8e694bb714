"""Presence, chat and the lobby, which are sent in addition to the rooms' events."""

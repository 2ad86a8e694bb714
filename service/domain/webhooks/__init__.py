"""Webhooks: the endpoints to which an owner's events are sent, and the progress of each."""

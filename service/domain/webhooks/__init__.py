"""Webhooks: to which endpoints of an owner events are sent, and how far each of them is."""

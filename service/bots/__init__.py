"""Computes bots' moves, their answers to draw offers, and hints, in separate processes."""

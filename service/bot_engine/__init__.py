"""Computes bots' moves, their answers to draw offers, and hints, in worker processes of its own."""

"""Turnstream: board games as event streams, played over HTTP and WebSocket."""

"""The feeds and commands over WebSocket."""

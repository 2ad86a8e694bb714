"""HTTP and WebSocket: translate, call once, answer."""

"""The application: load a room, execute a command, feed who watches."""

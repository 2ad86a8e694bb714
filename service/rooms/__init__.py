"""The application: it loads rooms, executes commands, and sends events to subscribers."""

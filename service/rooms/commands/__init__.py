"""The write path: rooms are opened, and commands executed once per key."""

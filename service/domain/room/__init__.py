"""The room: where players meet and matches follow each other."""

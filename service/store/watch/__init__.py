"""What a process watches in its store: its clock, losses of data, and its memory."""

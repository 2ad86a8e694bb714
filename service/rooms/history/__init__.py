"""The stored history of a room: read, checked, folded and kept as snapshots."""

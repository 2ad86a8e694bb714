"""The contracts of the projections that are not of one room: they are derived from streams, and can be rebuilt."""

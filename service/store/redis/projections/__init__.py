"""The projections that are not of one room, in Redis."""

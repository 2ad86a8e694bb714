"""The load: rooms with players who know their next moves, and connections that do as little as they can."""

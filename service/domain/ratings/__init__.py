"""Ratings: which matches count, and one stream of rated matches for each game and rating class."""

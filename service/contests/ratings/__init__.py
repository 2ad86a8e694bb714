"""Ratings: rates ended matches, and makes leaderboards from the streams of rated matches."""

"""Ratings: rates the matches that have ended, and makes leaderboards of the streams of rated matches."""

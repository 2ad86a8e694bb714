"""The search for Ternio's start: the project's own bots play many matches from every layout that may be the default.

Rounds follow each other. In each one all layouts that are left play the same number of matches, and those whose three
shares of wins lie closest to one third each go on to the next, which has fewer layouts, more matches, and later on
bots that look further. What a round says comes from its own matches alone, so that luck which brought a layout into a
round is no part of its score there.
"""

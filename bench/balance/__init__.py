"""The search for Ternio's default layout: bots play many matches from every admissible layout.

The search has several rounds. In each round all remaining layouts play the same number of matches, and those whose
three shares of wins are closest to one third each remain for the next one, which has fewer layouts, more matches, and
later stronger bots. The result of a round depends only on its own matches, so that the luck by which a layout reached
the round does not count in it.
"""

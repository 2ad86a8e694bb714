"""The arena: bots play many matches against each other and against players of other making, and reports their scores.

What is played depends on the plan alone. Opening number `n` is the match's seed, made from the plan's seed and `n`, and
the first plies after it, drawn at random from the legal moves. Every way of seating the players plays the same opening,
so none is favoured by it, and bots that always answer alike still play as many matches as there are openings.
"""

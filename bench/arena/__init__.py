"""The arena: plays many matches between bots and other computer players, and reports their scores.

The matches depend only on the plan. Opening number `n` consists of the match's seed, derived from the plan's seed and
`n`, and of the first plies, drawn at random from the legal moves. Each opening is played with every seating of the
players, so it favours none of them, and deterministic bots still play as many different matches as there are openings.
"""

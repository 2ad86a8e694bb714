"""Every possible move of Tic-Tac-Rainbow is either legal or rejected with a known code."""

from itertools import product

import msgspec

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Rejected
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.model import Options, Position, RainbowMove
from tests.domain.games.test_rainbow_reference import CELLS, PEGS, action_text, choose, seeded_random

EVERY_MOVE: list[RainbowMove] = [
    *(msgspec.convert({"type": "flip", "at": at}, GAME.move) for at in CELLS),
    *(msgspec.convert({"type": "move", "from": start, "to": to}, GAME.move) for start in CELLS for to in CELLS),
    *(
        msgspec.convert({"type": "place", "peg": peg, "side": side, "at": at}, GAME.move)
        for peg, side, at in product(PEGS, "ROYGBVWK", CELLS)
    ),
]


def test_every_illegal_move_is_rejected_with_a_known_code() -> None:
    """Of the 1638 possible moves exactly the legal ones are accepted; each code occurs."""
    rng = seeded_random("refusals")
    options = Options(dice=True, rest=3, players=3)
    codes = set()
    for _ in range(6):
        chance, state = Chance(rng.randbytes(32), [""] * 3, DrawNumber(0)), GAME.start(options)
        for _ in range(45):
            state = follow_rolls(state, chance)
            if not GAME.to_move(state):
                break
            if rng.random() < 0.3:
                codes |= rejection_codes(state)
            for event in GAME.decide(state, state.turn, choose(state, "long", rng)):
                state = GAME.evolve(state, event)
    assert codes == set(GAME.texts.refusals)


def follow_rolls(state: Position, chance: Chance) -> Position:
    """Return the position after the events that follow by themselves."""
    for event in GAME.follow(state, chance):
        state = GAME.evolve(state, event)
    return state


def rejection_codes(state: Position) -> set[str]:
    """Try every possible move, and return the codes of those that are rejected."""
    codes, legal = set(), {action_text(move) for move in GAME.legal_moves(state, state.turn)}
    for move in EVERY_MOVE:
        try:
            GAME.decide(state, state.turn, move)
        except Rejected as refusal:
            assert action_text(move) not in legal
            codes.add(refusal.code)
        else:
            assert action_text(move) in legal
    return codes

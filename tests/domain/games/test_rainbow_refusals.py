"""Every move that can be said of Tic-Tac-Rainbow is either legal or refused with a code of its own."""

from itertools import product

import msgspec

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Rejected
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.model import Options, Position, RainbowMove
from tests.domain.games.test_rainbow_reference import CELLS, PEGS, chosen, seeded, told

EVERY_MOVE: list[RainbowMove] = [
    *(msgspec.convert({"type": "flip", "at": at}, GAME.move) for at in CELLS),
    *(msgspec.convert({"type": "move", "from": start, "to": to}, GAME.move) for start in CELLS for to in CELLS),
    *(
        msgspec.convert({"type": "place", "peg": peg, "side": side, "at": at}, GAME.move)
        for peg, side, at in product(PEGS, "ROYGBVWK", CELLS)
    ),
]


def test_every_move_that_is_not_legal_is_refused_with_a_known_code() -> None:
    """Of the 1638 moves that can be said, exactly the legal ones are accepted; each code occurs."""
    rng = seeded("refusals")
    options = Options(dice=True, rest=3, players=3)
    codes = set()
    for _ in range(6):
        chance, state = Chance(rng.randbytes(32), [""] * 3, DrawNumber(0)), GAME.start(options)
        for _ in range(45):
            state = with_rolls_only(state, chance)
            if not GAME.to_move(state):
                break
            if rng.random() < 0.3:
                codes |= codes_of_the_refused(state)
            for event in GAME.decide(state, state.turn, chosen(state, "long", rng)):
                state = GAME.evolve(state, event)
    assert codes == set(GAME.refusals)


def with_rolls_only(state: Position, chance: Chance) -> Position:
    """Return the position after what follows by itself."""
    for event in GAME.follow(state, chance):
        state = GAME.evolve(state, event)
    return state


def codes_of_the_refused(state: Position) -> set[str]:
    """Try every move there is, and return the codes of those that are refused."""
    codes, legal = set(), {told(move) for move in GAME.legal_moves(state, state.turn)}
    for move in EVERY_MOVE:
        try:
            GAME.decide(state, state.turn, move)
        except Rejected as refusal:
            assert told(move) not in legal
            codes.add(refusal.code)
        else:
            assert told(move) in legal
    return codes

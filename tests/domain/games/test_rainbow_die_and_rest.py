"""The die and the rest in Tic-Tac-Rainbow."""

import hashlib
import hmac
from itertools import combinations, count

import msgspec

from service.domain.chance import Chance, DrawNumber
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.model import (
    ALL_PEGS,
    COLOURED,
    COLOURS,
    PEG_BIT,
    PEGS,
    Colour,
    Flip,
    Flipped,
    Moved,
    Options,
    Peg,
    Place,
    Placed,
    Position,
    RainbowMove,
    Rolled,
    Shift,
    usable_pegs,
)
from tests.domain.games.test_rainbow import EMPTY, ONE, SOME_PEGS, chance, played, refusal, shown, table, told

DICE = Options(dice=True)


def lucky(colour: Colour) -> Chance:
    """Return a chance whose next roll shows this colour."""
    return next(chance(seed) for seed in count() if COLOURS[chance(seed).draw().below(6)] == colour)


def rolled(state: Position, colour: Colour) -> Position:
    """Return the position after the roll of this colour."""
    (event,) = GAME.follow(state, lucky(colour))
    return GAME.evolve(state, event)


def diced(state: Position, *turns: tuple[Colour, RainbowMove]) -> Position:
    """Return the position after turns that each begin with this roll, before any roll that follows the last."""
    for colour, move in turns:
        state = played(rolled(state, colour), move)
    return state


def pegs_for(state: Position) -> set[Peg]:
    """Return the pegs of the seat to move that a legal move acts upon."""
    events = [told(state, move) for move in GAME.legal_moves(state, state.turn)]
    return {event.peg for event in events if isinstance(event, Placed | Flipped | Moved)}


SIX_COLOURED = """
         .  2RO  .
    1RO  .  1YO  .  1GY
     .  2OY  .  1GB  .
    1VB  .   .   .  1VR
         .   .   .
"""

# The die


def test_before_the_roll_nobody_can_act() -> None:
    """The roll follows by itself, once, and then the seat acts."""
    state = GAME.start(DICE)
    assert GAME.setup(DICE, chance()) == []
    assert GAME.to_move(state) == ()
    assert GAME.legal_moves(state, ONE) == ()
    assert refusal(state, Place("RO", "R", "b1")) == "not_your_turn"
    assert GAME.outcome(state) is None
    state = rolled(state, "R")
    assert GAME.to_move(state) == (ONE,)
    assert shown(state).die == "R"
    assert GAME.follow(state, chance()) == []


def test_without_the_die_nothing_follows() -> None:
    """Neither at the start nor after a turn."""
    assert GAME.follow(table(EMPTY), chance()) == []
    assert GAME.follow(played(table(EMPTY), Place("RO", "R", "b1")), chance()) == []


def test_each_turn_has_its_own_roll() -> None:
    """The colour of the last turn is gone before the next one."""
    state = diced(GAME.start(DICE), ("R", Place("RO", "R", "b1")))
    assert shown(state).die is None
    assert GAME.to_move(state) == ()
    (event,) = GAME.follow(state, lucky("G"))
    assert msgspec.to_builtins(event) == {"type": "rolled", "seat": 1, "value": "G", "draw": 0}


def test_a_roll_can_be_recomputed_from_the_seed() -> None:
    """By hand: the first word of the numbered draw, modulo six, in the order of the rainbow."""
    chances, key = chance(7), hashlib.sha256((7).to_bytes(32, "big") + hashlib.sha256(b"").digest() * 2).digest()
    for draw in range(20):
        word = int.from_bytes(hmac.digest(key, draw.to_bytes(4, "big") + bytes(4), "sha256")[:4], "big")
        assert GAME.follow(GAME.start(DICE), chances) == [Rolled(ONE, COLOURS[word % 6], DrawNumber(draw))]


def test_the_peg_must_carry_the_colour_rolled_on_either_side() -> None:
    """Red: the red-and-orange peg may even be moved with orange up; yellow and green may not be placed."""
    state = table(SOME_PEGS.replace("1RO", "1OR"), ONE, DICE, "R")
    assert pegs_for(state) == {"RO", "VR", "WK"}
    assert Shift("c4", "b1") in GAME.legal_moves(state, ONE)
    assert refusal(state, Place("YG", "Y", "b1")) == "wrong_colour"


def test_the_white_and_black_peg_may_be_used_whatever_was_rolled() -> None:
    """As soon as it is placeable, and once it is placed; before, no roll helps it."""
    assert pegs_for(table(SIX_COLOURED, ONE, DICE, "B")) == {"GB", "BV", "WK"}
    placed = SIX_COLOURED.replace("     .  2OY", "    1KW 2OY")
    assert pegs_for(table(placed, ONE, DICE, "B")) == {"GB", "BV", "WK"}
    five = SIX_COLOURED.replace("1RO", " . ")
    assert pegs_for(table(five, ONE, DICE, "B")) == {"GB", "BV"}
    assert refusal(table(five, ONE, DICE, "B"), Place("WK", "W", "b1")) == "coloured_pegs_first"


def test_no_die_is_rolled_after_the_last_turn() -> None:
    """A line or a guard ends the match before the next roll."""
    red = table(
        """
         .   .   .
     .   .   .   .   .
     .  1RO 2RO  .   .
     .   .   .   .   .
         .   .   .
        """,
        ONE,
        DICE,
        "V",
    )
    for over in (
        played(red, Place("VR", "R", "d3")),
        played(table(SOME_PEGS, ONE, Options(dice=True, quiet_limit=1), "R"), Flip("c4")),
    ):
        assert GAME.outcome(over) is not None
        assert shown(over).die is None
        assert GAME.follow(over, chance()) == []


# Rest


def test_with_rest_2_a_peg_rests_on_the_very_next_own_turn() -> None:
    """The placed peg can't be flipped or moved until seat one has acted with another."""
    state = played(table(EMPTY, ONE, Options(rest=2)), Place("RO", "R", "b1"), Place("RO", "R", "d1"))
    assert shown(state).resting == {"one": ("RO",), "two": ("RO",)}
    assert refusal(state, Flip("b1")) == refusal(state, Shift("b1", "c1")) == "peg_rests"
    assert pegs_for(state) == {"OY", "YG", "GB", "BV", "VR"}
    state = played(state, Place("OY", "O", "a2"), Place("GB", "G", "e2"))
    assert shown(state).resting == {"one": ("OY",), "two": ("GB",)}
    assert Flip("b1") in GAME.legal_moves(state, ONE)


def test_with_rest_3_a_peg_rests_on_the_next_two_own_turns() -> None:
    """And is free again on the third."""
    state = table(EMPTY, ONE, Options(rest=3))
    state = played(
        state, Place("RO", "R", "b1"), Place("RO", "R", "d1"), Place("OY", "O", "a2"), Place("BV", "V", "e2")
    )
    assert shown(state).resting == {"one": ("RO", "OY"), "two": ("RO", "BV")}
    assert refusal(state, Flip("b1")) == refusal(state, Flip("a2")) == "peg_rests"
    state = played(state, Place("GB", "G", "a3"), Place("GB", "G", "e3"))
    assert shown(state).resting == {"one": ("OY", "GB"), "two": ("GB", "BV")}
    assert pegs_for(state) == {"RO", "YG", "BV", "VR"}


def both_reds_at_rest(options: Options) -> Position:
    """Return the position in which seat one acted on VR after RO, its only pegs on the board, and is to roll."""
    return diced(
        GAME.start(options),
        ("R", Place("RO", "R", "b1")),
        ("G", Place("YG", "G", "d1")),
        ("R", Place("VR", "V", "a2")),
        ("G", Place("GB", "B", "e2")),
    )


def test_rest_is_waived_where_it_leaves_nothing_with_the_colour_rolled() -> None:
    """Both red pegs rest and white-and-black can't be placed yet, so with red both may be used, with orange not."""
    state = both_reds_at_rest(Options(dice=True, rest=3))
    assert shown(state).resting["one"] == ("RO", "VR")
    red, orange = rolled(state, "R"), rolled(state, "O")
    assert shown(red).resting == {"one": (), "two": ("YG", "GB")}
    assert pegs_for(red) == {"RO", "VR"}
    assert shown(orange).resting["one"] == ("RO", "VR")
    assert pegs_for(orange) == {"OY"}
    assert refusal(orange, Flip("b1")) == "peg_rests"


def test_a_waiver_lasts_one_turn_and_what_was_acted_upon_rests_again() -> None:
    """VR acted twice running: it rests for two turns from the second time, and RO is free."""
    state = rolled(both_reds_at_rest(Options(dice=True, rest=3)), "R")
    twice = diced(played(state, Flip("a2")), ("Y", Place("OY", "O", "e3")))
    assert shown(twice).resting["one"] == ("VR",)
    older = diced(played(state, Flip("b1")), ("Y", Place("OY", "O", "e3")))
    assert shown(older).resting["one"] == ("RO", "VR")
    once_more = diced(older, ("G", Place("GB", "G", "a3")), ("V", Place("VR", "V", "e4")))
    assert shown(once_more).resting["one"] == ("RO", "GB")


def test_white_and_black_keeps_the_rest_from_being_waived() -> None:
    """Both red pegs rest, but WK can be placed."""
    state = table(SIX_COLOURED, ONE, Options(dice=True, rest=3), "R")
    reds = PEG_BIT["RO"] | PEG_BIT["VR"]
    state = msgspec.structs.replace(state, rests=((reds, PEG_BIT["VR"]), (0, 0)))
    assert pegs_for(state) == {"WK"}
    assert shown(state).resting["one"] == ("RO", "VR")


def test_nobody_is_ever_without_a_peg_to_act_upon() -> None:
    """Whatever of a seat's pegs is on the board, rests, and was rolled."""
    boards = [board for board in range(ALL_PEGS + 1) if board <= COLOURED or board == ALL_PEGS]
    rests = [sum(PEG_BIT[peg] for peg in resting) for size in range(3) for resting in combinations(PEGS, size)]
    for board in boards:
        for rest in (rest for rest in rests if rest & ~board == 0):
            for die in (None, *COLOURS):
                state = Position(DICE, (None,) * 21, (board, 0), ((rest, 0), (0, 0)), die=die)
                assert usable_pegs(state)

"""The die and resting pegs in Tic-Tac-Rainbow."""

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
from tests.domain.games.test_rainbow import (
    EMPTY,
    ONE,
    SOME_PEGS,
    chance,
    event_of,
    parse_position,
    play_moves,
    refusal,
    view_of,
)

DICE = Options(dice=True)


def chance_of(colour: Colour) -> Chance:
    """Return a chance whose next roll shows this colour."""
    return next(chance(seed) for seed in count() if COLOURS[chance(seed).draw().below(6)] == colour)


def roll(state: Position, colour: Colour) -> Position:
    """Return the position after the roll of this colour."""
    (event,) = GAME.follow(state, chance_of(colour))
    return GAME.evolve(state, event)


def play_turns(state: Position, *turns: tuple[Colour, RainbowMove]) -> Position:
    """Return the position after turns that each start with this roll, before any roll that follows the last one."""
    for colour, move in turns:
        state = play_moves(roll(state, colour), move)
    return state


def pegs_with_moves(state: Position) -> set[Peg]:
    """Return the pegs of the seat to move that a legal move acts upon."""
    events = [event_of(state, move) for move in GAME.legal_moves(state, state.turn)]
    return {event.peg for event in events if isinstance(event, Placed | Flipped | Moved)}


SIX_COLOURED = """
         .  2RO  .
    1RO  .  1YO  .  1GY
     .  2OY  .  1GB  .
    1VB  .   .   .  1VR
         .   .   .
"""

# The die


def test_nobody_can_move_before_the_roll() -> None:
    """The roll follows by itself, once, and then the seat moves."""
    state = GAME.start(DICE)
    assert GAME.setup(DICE, chance()) == []
    assert GAME.to_move(state) == ()
    assert GAME.legal_moves(state, ONE) == ()
    assert refusal(state, Place("RO", "R", "b1")) == "not_your_turn"
    assert GAME.outcome(state) is None
    state = roll(state, "R")
    assert GAME.to_move(state) == (ONE,)
    assert view_of(state).die == "R"
    assert GAME.follow(state, chance()) == []


def test_without_the_die_no_event_follows() -> None:
    """Neither at the start nor after a turn."""
    assert GAME.follow(parse_position(EMPTY), chance()) == []
    assert GAME.follow(play_moves(parse_position(EMPTY), Place("RO", "R", "b1")), chance()) == []


def test_each_turn_has_its_own_roll() -> None:
    """The colour of the last turn is cleared before the next one."""
    state = play_turns(GAME.start(DICE), ("R", Place("RO", "R", "b1")))
    assert view_of(state).die is None
    assert GAME.to_move(state) == ()
    (event,) = GAME.follow(state, chance_of("G"))
    assert msgspec.to_builtins(event) == {"type": "rolled", "seat": 1, "value": "G", "draw": 0}


def test_a_roll_can_be_recomputed_from_the_seed() -> None:
    """By hand: the first word of the numbered draw, modulo six, in the order of the rainbow."""
    chances, key = chance(7), hashlib.sha256((7).to_bytes(32, "big") + hashlib.sha256(b"").digest() * 2).digest()
    for draw in range(20):
        word = int.from_bytes(hmac.digest(key, draw.to_bytes(4, "big") + bytes(4), "sha256")[:4], "big")
        assert GAME.follow(GAME.start(DICE), chances) == [Rolled(ONE, COLOURS[word % 6], DrawNumber(draw))]


def test_the_peg_must_have_the_rolled_colour_on_either_side() -> None:
    """Red: the red-and-orange peg may even be moved with orange up; yellow and green may not be placed."""
    state = parse_position(SOME_PEGS.replace("1RO", "1OR"), ONE, DICE, "R")
    assert pegs_with_moves(state) == {"RO", "VR", "WK"}
    assert Shift("c4", "b1") in GAME.legal_moves(state, ONE)
    assert refusal(state, Place("YG", "Y", "b1")) == "wrong_colour"


def test_the_white_and_black_peg_may_be_used_with_any_roll() -> None:
    """As soon as it can be placed, and once it is placed; before that, no roll allows it."""
    assert pegs_with_moves(parse_position(SIX_COLOURED, ONE, DICE, "B")) == {"GB", "BV", "WK"}
    placed = SIX_COLOURED.replace("     .  2OY", "    1KW 2OY")
    assert pegs_with_moves(parse_position(placed, ONE, DICE, "B")) == {"GB", "BV", "WK"}
    five = SIX_COLOURED.replace("1RO", " . ")
    assert pegs_with_moves(parse_position(five, ONE, DICE, "B")) == {"GB", "BV"}
    assert refusal(parse_position(five, ONE, DICE, "B"), Place("WK", "W", "b1")) == "coloured_pegs_first"


def test_no_die_is_rolled_after_the_last_turn() -> None:
    """A line or a guard ends the match before the next roll."""
    red = parse_position(
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
        play_moves(red, Place("VR", "R", "d3")),
        play_moves(parse_position(SOME_PEGS, ONE, Options(dice=True, quiet_limit=1), "R"), Flip("c4")),
    ):
        assert GAME.outcome(over) is not None
        assert view_of(over).die is None
        assert GAME.follow(over, chance()) == []


# Rest


def test_with_rest_2_a_peg_rests_on_the_next_own_turn() -> None:
    """The placed peg cannot be flipped or moved until seat one has acted with another one."""
    state = play_moves(parse_position(EMPTY, ONE, Options(rest=2)), Place("RO", "R", "b1"), Place("RO", "R", "d1"))
    assert view_of(state).resting == {"one": ("RO",), "two": ("RO",)}
    assert refusal(state, Flip("b1")) == refusal(state, Shift("b1", "c1")) == "peg_rests"
    assert pegs_with_moves(state) == {"OY", "YG", "GB", "BV", "VR"}
    state = play_moves(state, Place("OY", "O", "a2"), Place("GB", "G", "e2"))
    assert view_of(state).resting == {"one": ("OY",), "two": ("GB",)}
    assert Flip("b1") in GAME.legal_moves(state, ONE)


def test_with_rest_3_a_peg_rests_on_the_next_two_own_turns() -> None:
    """And is free again on the third."""
    state = parse_position(EMPTY, ONE, Options(rest=3))
    state = play_moves(
        state, Place("RO", "R", "b1"), Place("RO", "R", "d1"), Place("OY", "O", "a2"), Place("BV", "V", "e2")
    )
    assert view_of(state).resting == {"one": ("RO", "OY"), "two": ("RO", "BV")}
    assert refusal(state, Flip("b1")) == refusal(state, Flip("a2")) == "peg_rests"
    state = play_moves(state, Place("GB", "G", "a3"), Place("GB", "G", "e3"))
    assert view_of(state).resting == {"one": ("OY", "GB"), "two": ("GB", "BV")}
    assert pegs_with_moves(state) == {"RO", "YG", "BV", "VR"}


def both_reds_at_rest(options: Options) -> Position:
    """Return the position in which seat one has acted on VR after RO, its only pegs on the board, and rolls next."""
    return play_turns(
        GAME.start(options),
        ("R", Place("RO", "R", "b1")),
        ("G", Place("YG", "G", "d1")),
        ("R", Place("VR", "V", "a2")),
        ("G", Place("GB", "B", "e2")),
    )


def test_rest_is_waived_where_no_other_peg_has_the_rolled_colour() -> None:
    """Both red pegs rest and white-and-black cannot be placed yet: with red both may be used, with orange not."""
    state = both_reds_at_rest(Options(dice=True, rest=3))
    assert view_of(state).resting["one"] == ("RO", "VR")
    red, orange = roll(state, "R"), roll(state, "O")
    assert view_of(red).resting == {"one": (), "two": ("YG", "GB")}
    assert pegs_with_moves(red) == {"RO", "VR"}
    assert view_of(orange).resting["one"] == ("RO", "VR")
    assert pegs_with_moves(orange) == {"OY"}
    assert refusal(orange, Flip("b1")) == "peg_rests"


def test_a_waiver_lasts_one_turn() -> None:
    """VR acted twice in a row: it rests for two turns from the second time, and RO is free."""
    state = roll(both_reds_at_rest(Options(dice=True, rest=3)), "R")
    twice = play_turns(play_moves(state, Flip("a2")), ("Y", Place("OY", "O", "e3")))
    assert view_of(twice).resting["one"] == ("VR",)
    older = play_turns(play_moves(state, Flip("b1")), ("Y", Place("OY", "O", "e3")))
    assert view_of(older).resting["one"] == ("RO", "VR")
    once_more = play_turns(older, ("G", Place("GB", "G", "a3")), ("V", Place("VR", "V", "e4")))
    assert view_of(once_more).resting["one"] == ("RO", "GB")


def test_rest_is_not_waived_while_white_and_black_can_be_used() -> None:
    """Both red pegs rest, but WK can be placed."""
    state = parse_position(SIX_COLOURED, ONE, Options(dice=True, rest=3), "R")
    reds = PEG_BIT["RO"] | PEG_BIT["VR"]
    state = msgspec.structs.replace(state, rests=((reds, PEG_BIT["VR"]), (0, 0)))
    assert pegs_with_moves(state) == {"WK"}
    assert view_of(state).resting["one"] == ("RO", "VR")


def test_every_seat_always_has_a_usable_peg() -> None:
    """Whatever pegs are on the board or rest, and whatever was rolled."""
    boards = [board for board in range(ALL_PEGS + 1) if board <= COLOURED or board == ALL_PEGS]
    rests = [sum(PEG_BIT[peg] for peg in resting) for size in range(3) for resting in combinations(PEGS, size)]
    for board in boards:
        for rest in (rest for rest in rests if rest & ~board == 0):
            for die in (None, *COLOURS):
                state = Position(DICE, (None,) * 21, (board, 0), ((rest, 0), (0, 0)), die=die)
                assert usable_pegs(state)

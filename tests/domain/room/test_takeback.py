"""Takebacks: the match returns to before a player's last whole turn (rules: Takeback)."""

import random
from typing import Any

from service.domain.game import Dropped
from service.domain.ids import Millis, Version
from service.domain.room.model import clock, commands, events
from service.domain.room.model.clock import Fischer
from service.domain.room.model.commands import Play
from service.domain.room.subjects.offers import can_take_back
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    FIRST,
    NOON,
    SECOND,
    THIRD,
    Given,
    given,
    join,
    match_start,
    new_room,
    place,
)

FIRST_ONE = random.Random(0)  # noqa: S311 - which moves are made

MILL = [(ANNA, "a1"), (BEN, "b2"), (ANNA, "d1"), (BEN, "d2"), (ANNA, "g1")]
"""Anna closes a mill with her third man, and has one of Ben's to remove."""


def two(game: str = "morris") -> Given:
    """Return a match between Anna and Ben."""
    return given(new_room(game), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN, game=game))


def three(game: str = "ternio", **settings: Any) -> Given:
    """Return a match between three players."""
    return given(new_room(game, start="full", **settings), join(ANNA, 0), join(BEN, 1)).after(commands.Join(), CLARA)


def play_moves(room: Given, moves: list[tuple[Any, str]]) -> Given:
    """Return the room after these placements."""
    for by, at in moves:
        room = room.after(place(at), by)
    return room


def any_move(room: Given, dice: random.Random = FIRST_ONE) -> Given:
    """Return the room after a legal move of the seat to move."""
    match = room.room.playing
    assert match is not None
    (seat,) = room.room.game.to_move(match.state)
    move = dice.choice(list(room.room.game.legal_moves(match.state, seat)))
    holder = room.table.seats[seat]
    plain = {field: getattr(move, field) for field in move.__struct_fields__}
    return room.after(Play({"type": move.__struct_config__.tag, **plain}, seat), holder)


def state(room: Given) -> Any:
    """Return the position."""
    assert room.room.match is not None
    return room.room.match.state


def take_back(room: Given, by: Any, *others: Any) -> Given:
    """Let a player request a takeback, and the others accept it."""
    requested = room.after(commands.RequestTakeback(), by)
    for other in others:
        requested = requested.after(commands.Answer(requested.table.offers[0].id, accept=True), other)
    return requested


def test_the_match_returns_to_before_the_requesters_last_turn() -> None:
    """The offer names the version; the event also names the seat whose turn it is again."""
    start = play_moves(two(), [(ANNA, "a1")])
    later = play_moves(start, [(BEN, "b2")])
    offer = events.OfferMade(1, "takeback", BEN, to_version=start.room.version)
    later.when(commands.RequestTakeback(), by=BEN).then(offer)
    back = take_back(later, BEN, ANNA)
    assert back.history[-1].event == events.TakenBack(start.room.version, SECOND)
    assert state(back) == state(start)
    assert back.room.match is not None
    assert back.room.match.to_move == (SECOND,)


def test_later_turns_of_others_are_taken_back_as_well() -> None:
    """Ben has already moved when Anna requests the takeback."""
    start = two()
    assert state(take_back(play_moves(start, [(ANNA, "a1"), (BEN, "b2")]), ANNA, BEN)) == state(start)


def test_a_mill_and_its_removal_are_one_turn() -> None:
    """They are taken back together, both before the removal and after it."""
    before = play_moves(two(), MILL[:-1])
    closed = play_moves(before, MILL[-1:])
    removed = closed.after(Play({"type": "remove", "at": "b2"}), ANNA)
    assert state(take_back(closed, ANNA, BEN)) == state(before)
    assert state(take_back(removed, ANNA, BEN)) == state(before)


def test_turn_after_turn_can_be_taken_back_until_there_is_none() -> None:
    """Each request returns to one turn earlier."""
    start = two()
    once = take_back(play_moves(start, [(ANNA, "a1"), (BEN, "b2"), (ANNA, "d1")]), ANNA, BEN)
    twice = take_back(once, ANNA, BEN)
    assert state(twice) == state(start)
    twice.when(commands.RequestTakeback(), by=ANNA).rejected("nothing_to_take_back")


def test_a_player_without_a_turn_has_nothing_to_take_back() -> None:
    """This is so even if the opponent has moved."""
    play_moves(two(), [(ANNA, "a1")]).when(commands.RequestTakeback(), by=BEN).rejected("nothing_to_take_back")


def test_turncoat_has_no_takebacks() -> None:
    """A selection can be changed instead, and what was revealed stays known."""
    secret = given(new_room("turncoat", start="full"), join(ANNA, 0)).after(commands.Join(), BEN)
    for _ in range(2):
        for seat, by in ((FIRST, ANNA), (SECOND, BEN)):
            match = secret.room.playing
            assert match is not None
            move = next(iter(secret.room.game.legal_moves(match.state, seat)))
            secret = secret.after(Play({"type": "select", "at": move.at}), by)
            secret = secret.after(Play({"type": "commit"}), by)
    secret.when(commands.RequestTakeback(), by=ANNA).rejected("nothing_to_take_back")


def test_only_turns_of_a_running_match_can_be_taken_back() -> None:
    """A result is final."""
    over = play_moves(two(), [(ANNA, "a1")]).after(commands.Resign(), BEN)
    over.when(commands.RequestTakeback(), by=ANNA).rejected("not_playing")
    given(new_room(), join(ANNA, 0)).when(commands.RequestTakeback(), by=ANNA).rejected("not_playing")


def test_a_turn_after_others_were_passed_over_is_a_turn_of_its_own() -> None:
    """In Ternio the same seat may move twice in a row; only the second turn is taken back."""
    before = room = three().after(commands.Resign(), CLARA)
    dice = random.Random(2)  # noqa: S311 - which match is played
    while not moved_twice(room):
        before, room = room, any_move(room, dice)
    assert room.room.match is not None
    mover = room.table.seats[room.room.match.turns[-1].seat]
    assert state(take_back(room, mover, BEN if mover == ANNA else ANNA)) == state(before)


def moved_twice(room: Given) -> bool:
    """Return whether the latest two turns belong to the same seat."""
    assert room.room.playing is not None, "no seat moved twice in a row in this match"
    turns = room.room.playing.turns
    return len(turns) > 1 and turns[-1].seat == turns[-2].seat


def test_a_seat_that_has_dropped_out_stays_out() -> None:
    """The earlier position is restored, and Clara's resignation is recorded again."""
    start = three()
    moved = any_move(start).after(commands.Resign(), CLARA)
    back = take_back(moved, ANNA, BEN)
    tail = [recorded.event for recorded in back.history[-2:]]
    assert tail == [events.TakenBack(start.room.version, FIRST), Dropped(THIRD, "resigned")]
    assert back.room.match is not None
    assert list(back.room.match.dropped) == [THIRD]
    assert state(back) == state(start.after(commands.Resign(), CLARA))


def test_draws_of_chance_are_not_repeated_after_a_takeback() -> None:
    """The roll for the turn stays; the next roll is a new draw."""
    opened = given(new_room("rainbow", {"dice": True}, hot_seat=True), join(ANNA, 0), events.SeatTaken(SECOND, ANNA))
    rolled = opened.after(commands.Ready(), ANNA)
    back = any_move(rolled).after(commands.RequestTakeback(), ANNA)
    assert state(back) == state(rolled)
    again = any_move(back)
    draws = [recorded.event.draw for recorded in again.history if hasattr(recorded.event, "draw")]
    assert draws == [0, 1, 2]


def test_the_events_of_a_match_are_those_that_led_to_its_position() -> None:
    """Those of turns taken back are left out, so the fold of the events before each turn is the state before it."""
    back = take_back(play_moves(two(), [(ANNA, "a1"), (BEN, "b2")]), ANNA, BEN)
    match = play_moves(back, [(ANNA, "d1"), (BEN, "d2")]).room.match
    assert match is not None
    position = match.game.start(match.options)
    states = [position := match.game.evolve(position, recorded.event) for recorded in match.events]
    assert states[-1] == match.state
    assert [states[turn.before - 1] for turn in match.turns if turn.before] == [
        turn.state for turn in match.turns if turn.before
    ]


def test_a_player_on_all_seats_can_undo_turn_by_turn() -> None:
    """Anna plays all three seats of Triboard."""
    seats = [events.SeatTaken(seat, ANNA) for seat in (SECOND, THIRD)]
    alone = given(new_room("triboard", hot_seat=True), join(ANNA, 0), *seats).after(commands.Ready(), ANNA)
    once = any_move(alone)
    twice = any_move(once)
    assert state(twice.after(commands.RequestTakeback(), ANNA)) == state(once)
    assert state(twice.after(commands.RequestTakeback(), ANNA).after(commands.RequestTakeback(), ANNA)) == state(alone)


def test_counts_for_repetition_go_back_with_the_position() -> None:
    """The whole earlier state is restored, including the positions that it remembers."""
    start = play_moves(two(), MILL[:2])
    assert repr(state(take_back(play_moves(start, MILL[2:4]), ANNA, BEN))) == repr(state(start))


def test_clocks_go_back_with_the_position() -> None:
    """The time that the turn took is given back, and the turn begins again."""
    fischer = Fischer(Millis(60_000), Millis(2000))
    start = given(new_room(clock=fischer), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))
    moved = start.after(place("a1"), ANNA, Millis(NOON + 10_000)).after(place("d1"), BEN, Millis(NOON + 30_000))
    assert moved.room.match is not None
    assert moved.room.match.clocks.banks == (52_000, 42_000)
    requested = moved.after(commands.RequestTakeback(), ANNA, Millis(NOON + 31_000))
    back = requested.after(commands.Answer(1, accept=True), BEN, Millis(NOON + 32_000)).room.match
    assert back is not None
    assert back.clocks.banks == (60_000, 60_000)
    assert clock.deadline(back.clocks, FIRST) == NOON + 92_000
    assert clock.deadline(back.clocks, SECOND) is None


def test_a_takeback_goes_past_the_moves_of_a_bot() -> None:
    """At once, as there is nobody to ask; then it is the player's turn."""
    bot = events.PlayerJoined(BEN, "Bot 1 (easy)", "player", "easy")
    start = given(new_room(), join(ANNA, 0), bot, events.SeatTaken(SECOND, BEN), match_start(ANNA, BEN))
    moved = start.after(place("a1"), ANNA)
    turn = moved.room.match.clocks.turns[1] if moved.room.match else None
    assert turn is not None
    answered = moved.after(commands.PlayFor(SECOND, {"type": "place", "at": "d1"}, turn.version), BEN)
    assert state(answered) != state(moved)
    assert state(answered.after(commands.RequestTakeback(), ANNA)) == state(start)


def test_a_takeback_closes_every_other_offer() -> None:
    """The other offers were about another position."""
    offered = play_moves(two(), [(ANNA, "a1")]).after(commands.OfferDraw(), BEN).after(commands.RequestTakeback(), ANNA)
    back = offered.after(commands.Answer(2, accept=True), BEN)
    assert back.table.offers == ()


def test_a_dry_run_shows_a_takeback() -> None:
    """It reveals nothing that the players do not know."""
    requested = play_moves(two(), [(ANNA, "a1")]).after(commands.RequestTakeback(), ANNA)
    version = Version(requested.room.version - 2)
    granted = (events.OfferAccepted(1, BEN), events.OfferClosed(1, "agreed"), events.TakenBack(version, FIRST))
    requested.when(commands.Answer(1, accept=True), by=BEN).dry_runs(*granted, more=False)


def test_the_view_says_who_can_take_something_back() -> None:
    """A seat that has had a turn and is still in the match; never the public."""
    match = play_moves(two(), [(ANNA, "a1")]).room.match
    assert match is not None
    assert [can_take_back(match, seat) for seat in (FIRST, SECOND, None)] == [True, False, False]

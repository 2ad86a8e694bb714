"""The laws of the rules: the legal moves are those that are accepted, and the events alone determine the match."""

import random
from collections.abc import Sequence
from typing import Any, get_args

from service.domain.game import ChanceEvent, Dropped, DropReason, Event, Move, Outcome, Rejected, Seat
from service.domain.ids import Millis, PlayerId, Version
from service.domain.room.model.events import Recorded
from service.rooms.kind import ROOMS
from service.store.codec import decode, encode_command
from service.store.contract import NOT_BEGUN
from tests.laws.moves import all_moves, in_upper_case
from tests.laws.play import LONGEST, PlayedMatch, Step, send_and_decode

POSITIONS = 6
"""The number of positions of a match at which every possible move of every seat is tried."""

OUT_OF_TURN = 40
"""The number of moves that are tried for a seat that is not to move."""


def sample_positions(played: PlayedMatch, size: int) -> list[Any]:
    """Return some positions at which the match waited for a seat, and the one at which it stopped."""
    dice = random.Random(played.seed)  # noqa: S311 - which positions are looked at
    turns = dice.sample(played.turns, min(size, len(played.turns)))
    return [*(step.before for step in turns), played.last]


def is_accepted(played: PlayedMatch, state: Any, seat: Seat, move: Move) -> bool:
    """Return whether a move is accepted; fails where it is rejected with an undeclared code."""
    code = rejection_code(played, state, seat, move)
    assert code in {None, "not_your_turn", *played.game.texts.refusals}
    return code is None


def legal_moves_are_exactly_the_accepted_ones(played: PlayedMatch) -> None:
    """Check that every legal move is accepted, and no other possible move (rules: Legal moves)."""
    moves = all_moves(played.game.slug)
    for state in sample_positions(played, POSITIONS):
        to_move = played.game.to_move(state)
        for seat in played.seats:
            legal = list(played.game.legal_moves(state, seat))
            tried = moves if legal or seat in to_move else moves[:: max(1, len(moves) // OUT_OF_TURN)]
            assert set(legal) <= set(moves)
            assert {move for move in tried if is_accepted(played, state, seat, move)} == set(legal), seat


def a_seat_out_of_turn_is_rejected(played: PlayedMatch) -> None:
    """Check that in games with turns a seat out of turn is rejected with `not_your_turn`."""
    game = played.game
    for state in () if game.simultaneous else sample_positions(played, POSITIONS):
        for seat in set(played.seats) - set(game.to_move(state)):
            move = all_moves(game.slug)[played.seed % len(all_moves(game.slug))]
            assert rejection_code(played, state, seat, move) == "not_your_turn"


def rejection_code(played: PlayedMatch, state: Any, seat: Seat, move: Move) -> str | None:
    """Return the code with which a move is rejected, None for one that is accepted."""
    try:
        events = played.game.decide(state, seat, move)
    except Rejected as rejected:
        return rejected.code
    assert events, f"{move} was accepted without an event"
    return None


def legal_moves_are_unique_and_ordered(played: PlayedMatch) -> None:
    """Check that the list has no duplicates and is always the same for a position."""
    for state in sample_positions(played, POSITIONS):
        for seat in played.seats:
            legal = list(played.game.legal_moves(state, seat))
            assert len(legal) == len(set(legal))
            assert legal == list(played.game.legal_moves(state, seat))


def a_seat_to_move_has_a_legal_move(played: PlayedMatch) -> None:
    """Check that a seat is to move only if it can; the rules pass over the others (rules: Passing)."""
    for state in positions_between_turns(played):
        for seat in played.game.to_move(state):
            assert list(played.game.legal_moves(state, seat)), seat


def moves_may_be_in_upper_case(played: PlayedMatch) -> None:
    """Check that squares are accepted in either case, and recorded in lower case (rules: Squares)."""
    for step in played.turns[::7]:
        if step.move is not None and step.seat is not None:
            upper_case = in_upper_case(step.move, played.game.move)
            assert played.game.decide(step.before, step.seat, upper_case) == list(step.events)


def decisions_are_deterministic(played: PlayedMatch) -> None:
    """Check that the same position and move lead to equal events, whatever was computed in between."""
    for step in played.turns[::7]:
        if step.move is not None and step.seat is not None:
            assert played.game.decide(step.before, step.seat, step.move) == list(step.events)


def stored_events_give_the_same_states(played: PlayedMatch) -> None:
    """Check that the events, encoded, decoded and folded, lead to the same state after each of them."""
    state = played.game.start(played.options)
    history = store_and_read(played.game.slug, [event for event, _ in played.events])
    for event, (original, expected) in zip(history, played.events, strict=True):
        assert event == original
        state = played.game.evolve(state, event)
        assert state == expected


def evolve_depends_on_position_and_event_only(played: PlayedMatch) -> None:
    """Check that `evolve` depends on the position and the event alone, not on where the same event was folded before.

    At two positions that differ by one move, an equal move with equal events is folded: into the first position, into
    the second, and into the second again from a copy of the events.
    """
    for step in played.turns[::3]:
        for first, second, events in equal_events_at_two_positions(played, step):
            fold(played, first, events)
            copies = [send_and_decode(played.game, event) for event in events]
            assert fold(played, second, events) == fold(played, second, copies)


def equal_events_at_two_positions(played: PlayedMatch, step: Step) -> list[tuple[Any, Any, list[Event]]]:
    """Return pairs of positions after two moves of one seat, with the equal events of another seat's move."""
    found = []
    for seat in played.seats:
        moves = list(played.game.legal_moves(step.before, seat))[:2]
        after = [fold(played, step.before, played.game.decide(step.before, seat, move)) for move in moves]
        for other in set(played.seats) - {seat} if len(after) == 2 else ():
            first, second = after
            common = set(played.game.legal_moves(first, other)) & set(played.game.legal_moves(second, other))
            for move in sorted(common, key=repr)[-2:]:
                events = played.game.decide(first, other, move)
                if events == played.game.decide(second, other, move):
                    found.append((first, second, events))
    return found


def fold(played: PlayedMatch, state: Any, events: Sequence[Event]) -> Any:
    """Return the state after events."""
    for event in events:
        state = played.game.evolve(state, event)
    return state


def store_and_read(slug: str, events: Sequence[Event]) -> list[Event]:
    """Return events as they are decoded from the store."""
    versions = range(1, len(events) + 1)
    history = [
        Recorded(Version(version), Millis(0), Version(1), 1, PlayerId("p-1"), event)
        for version, event in zip(versions, events, strict=True)
    ]
    return [decode(ROOMS, slug, entry).recorded.event for entry in encode_command(ROOMS, NOT_BEGUN, history, None)[1]]


def play_ends_under_the_default_options(played: PlayedMatch) -> None:
    """Check that the guards that are on by default end every match (rules: Endless play)."""
    if played.options == type(played.options)():
        assert played.plies < LONGEST
        assert played.game.outcome(played.last) is not None


def outcomes_are_consistent(played: PlayedMatch) -> None:
    """Check that a match is over exactly when no seat is to move, with valid places and a known reason."""
    for state in positions_between_turns(played):
        outcome = played.game.outcome(state)
        assert (outcome is None) == bool(played.game.to_move(state))
        if outcome is not None:
            assert outcome.reason in {*get_args(DropReason), *played.game.texts.endings}
            assert [len(list(played.game.legal_moves(state, seat))) for seat in played.seats] == [0] * len(played.seats)
            check_places(outcome, played)


def positions_between_turns(played: PlayedMatch) -> list[Any]:
    """Return every position at which no further event follows by itself."""
    return [*(step.before for step in played.turns), played.last]


def check_places(outcome: Outcome, played: PlayedMatch) -> None:
    """Check that ties share a place and leave out the next (1 1 3), with equal scores among those who stayed."""
    places = outcome.places
    assert len(places) == len(played.seats)
    assert list(places) == [1 + sum(better < place for better in places) for place in places]
    assert outcome.winners == tuple(seat for seat in played.seats if places[seat] == 1)
    if outcome.scores is not None:
        assert len(outcome.scores) == len(places)
        dropped_seats = seats_dropped(played)
        ranks = {(outcome.scores[seat], places[seat]) for seat in played.seats if seat not in dropped_seats}
        assert len(ranks) == len({score for score, _ in ranks}) == len({place for _, place in ranks})


def seats_dropped(played: PlayedMatch) -> list[Seat]:
    """Return the seats that dropped out, in order."""
    return [event.seat for event, _ in played.events if isinstance(event, Dropped)]


def nothing_follows_the_end(played: PlayedMatch) -> None:
    """Check that no event follows the end of the match, not even a pass (rules: Passing)."""
    after = [state for step in played.steps[1:] for state in step.after]
    assert [state for state in after[:-1] if played.game.outcome(state) is not None] == []


def nothing_follows_while_a_seat_is_to_move(played: PlayedMatch) -> None:
    """Check that events follow by themselves only where no seat is to move, as rooms ask for them only there."""
    for step in played.steps[1:]:
        assert step.seat is not None or not played.game.to_move(step.before)


def dropped_seats_are_passed_over(played: PlayedMatch) -> None:
    """Check that a seat that drops out has one `dropped` event and is not to move again (rules: Dropping out)."""
    dropped_seats: set[Seat] = set()
    for step in played.steps:
        assert not dropped_seats & set(played.game.to_move(step.before))
        if step.seat is not None and step.move is None:
            assert [event.seat for event in step.events if isinstance(event, Dropped)] == [step.seat]
            dropped_seats.add(step.seat)
    assert not dropped_seats & set(played.game.to_move(played.last))


def dropped_seats_come_last(played: PlayedMatch) -> None:
    """Check that the first seat to drop out is last, and that the last seat left wins at once with the same reason."""
    dropped_seats, outcome = seats_dropped(played), played.game.outcome(played.last)
    last_left = len(dropped_seats) == len(played.seats) - 1
    if outcome is not None:
        assert [outcome.places[seat] for seat in dropped_seats] == [
            len(played.seats) - order for order in range(len(dropped_seats))
        ]
    if last_left:
        assert outcome is not None
        assert outcome.winners == tuple(set(played.seats) - set(dropped_seats))
        assert isinstance(drop := played.steps[-1].events[0], Dropped)
        assert outcome.reason == drop.reason


def draws_are_numbered(played: PlayedMatch) -> None:
    """Check that each event of chance has the number of its draw, without gaps (rules: Fair chance)."""
    draws = [event.draw for event, _ in played.events if isinstance(event, ChanceEvent)]
    assert draws == list(range(len(draws)))


def moves_use_no_chance(played: PlayedMatch) -> None:
    """Check that a move is decided without chance; draws are in the events that follow by themselves."""
    for step in played.turns:
        assert not any(isinstance(event, ChanceEvent) for event in step.events), step


def rules_do_not_modify_positions(played: PlayedMatch) -> None:
    """Check that each step starts where the previous one ended: no call modified a position."""
    state = played.game.start(played.options)
    for step in played.steps:
        assert step.before == state
        state = state_after(step)
    assert state == played.last


def state_after(step: Step) -> Any:
    """Return the state after a step."""
    return step.after[-1] if step.after else step.before

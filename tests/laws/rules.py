"""The laws of the rules: what may be played is what is accepted, and the events alone tell the match."""

import random
from collections.abc import Sequence
from typing import Any, get_args

from service.domain.game import ChanceEvent, Dropped, DropReason, Event, Move, Outcome, Rejected, Seat
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Millis, PlayerId, Version
from service.store.codec import decode, encode_command
from service.store.contract import NOT_BEGUN
from tests.laws.moves import sayable, shouted
from tests.laws.play import LONGEST, Played, Step, wire

POSITIONS = 6
"""At how many positions of a match every sayable move of every seat is tried."""

OUT_OF_TURN = 40
"""How many sayable moves are tried for a seat that is not awaited."""


def sampled(played: Played, size: int) -> list[Any]:
    """Return some positions at which the match waited for a seat, and the one at which it stopped."""
    dice = random.Random(played.seed)  # noqa: S311 - which positions are looked at
    turns = dice.sample(played.turns, min(size, len(played.turns)))
    return [*(step.before for step in turns), played.last]


def accepted(played: Played, state: Any, seat: Seat, move: Move) -> bool:
    """Tell whether a move is accepted; fails where it is refused in a way that nobody could explain."""
    code = refusal(played, state, seat, move)
    assert code in {None, "not_your_turn", *played.game.refusals}
    return code is None


def the_legal_moves_are_the_accepted_ones(played: Played) -> None:
    """Demand that every legal move is accepted, and of all that can be said nothing else (rules: Legal moves)."""
    said = sayable(played.game.slug)
    for state in sampled(played, POSITIONS):
        awaited = played.game.to_move(state)
        for seat in played.seats:
            legal = list(played.game.legal_moves(state, seat))
            tried = said if legal or seat in awaited else said[:: max(1, len(said) // OUT_OF_TURN)]
            assert set(legal) <= set(said)
            assert {move for move in tried if accepted(played, state, seat, move)} == set(legal), seat


def a_seat_out_of_turn_is_told_so(played: Played) -> None:
    """Demand that where the seats move in turn, a seat out of turn is refused with `not_your_turn`."""
    game = played.game
    for state in () if game.simultaneous else sampled(played, POSITIONS):
        for seat in set(played.seats) - set(game.to_move(state)):
            move = sayable(game.slug)[played.seed % len(sayable(game.slug))]
            assert refusal(played, state, seat, move) == "not_your_turn"


def refusal(played: Played, state: Any, seat: Seat, move: Move) -> str | None:
    """Return the code with which a move is refused, None for one that is accepted."""
    try:
        events = played.game.decide(state, seat, move)
    except Rejected as rejected:
        return rejected.code
    assert events, f"{move} was accepted and nothing happened"
    return None


def legal_moves_stand_once_and_in_order(played: Played) -> None:
    """Demand that the list names no move twice and is always the same for a position."""
    for state in sampled(played, POSITIONS):
        for seat in played.seats:
            legal = list(played.game.legal_moves(state, seat))
            assert len(legal) == len(set(legal))
            assert legal == list(played.game.legal_moves(state, seat))


def whoever_is_awaited_has_a_move(played: Played) -> None:
    """Demand that a seat is to move only if it can; whoever can't is passed over by the rules (rules: Passing)."""
    for state in settled(played):
        for seat in played.game.to_move(state):
            assert list(played.game.legal_moves(state, seat)), seat


def a_move_may_be_said_in_upper_case(played: Played) -> None:
    """Demand that squares are accepted in either case, and told in lower case (rules: Squares)."""
    for step in played.turns[::7]:
        if step.move is not None and step.seat is not None:
            loud = shouted(step.move, played.game.move)
            assert played.game.decide(step.before, step.seat, loud) == list(step.events)


def a_decision_is_always_the_same(played: Played) -> None:
    """Demand that the same position and move lead to equal events, whatever was asked in between."""
    for step in played.turns[::7]:
        if step.move is not None and step.seat is not None:
            assert played.game.decide(step.before, step.seat, step.move) == list(step.events)


def the_stored_events_give_the_same_states(played: Played) -> None:
    """Demand that the events, written down, read back and folded, lead to the same state after each of them."""
    state = played.game.start(played.options)
    history = stored_and_read(played.game.slug, [event for event, _ in played.events])
    for event, (original, expected) in zip(history, played.events, strict=True):
        assert event == original
        state = played.game.evolve(state, event)
        assert state == expected


def an_event_is_folded_into_the_given_position(played: Played) -> None:
    """Demand that `evolve` depends on the position and the event alone, not on where the same event was folded before.

    At two positions that differ by one move, an equal move with equal events is folded: into the first position, into
    the second, and into the second again from a copy of the events.
    """
    for step in played.turns[::3]:
        for here, there, events in same_events_elsewhere(played, step):
            folded(played, here, events)
            copies = [wire(played.game, event) for event in events]
            assert folded(played, there, events) == folded(played, there, copies)


def same_events_elsewhere(played: Played, step: Step) -> list[tuple[Any, Any, list[Event]]]:
    """Return pairs of positions after two moves of one seat, with the equal events that a move of a seat leads to."""
    found = []
    for seat in played.seats:
        some = list(played.game.legal_moves(step.before, seat))[:2]
        after = [folded(played, step.before, played.game.decide(step.before, seat, move)) for move in some]
        for other in set(played.seats) - {seat} if len(after) == 2 else ():
            here, there = after
            common = set(played.game.legal_moves(here, other)) & set(played.game.legal_moves(there, other))
            for move in sorted(common, key=repr)[-2:]:
                events = played.game.decide(here, other, move)
                if events == played.game.decide(there, other, move):
                    found.append((here, there, events))
    return found


def folded(played: Played, state: Any, events: Sequence[Event]) -> Any:
    """Return the state after events."""
    for event in events:
        state = played.game.evolve(state, event)
    return state


def stored_and_read(slug: str, events: Sequence[Event]) -> list[Event]:
    """Return events as they come back from the store."""
    versions = range(1, len(events) + 1)
    history = [
        Recorded(Version(version), Millis(0), Version(1), 1, PlayerId("p-1"), event)
        for version, event in zip(versions, events, strict=True)
    ]
    return [decode(slug, entry).recorded.event for entry in encode_command(NOT_BEGUN, history, None)[1]]


def play_ends_under_the_default_options(played: Played) -> None:
    """Demand that the guards that are on by default end every match (rules: Endless play)."""
    if played.options == type(played.options)():
        assert played.plies < LONGEST
        assert played.game.outcome(played.last) is not None


def the_outcome_is_consistent(played: Played) -> None:
    """Demand that a match is over exactly when nobody is awaited, with well-formed places and a known reason."""
    for state in settled(played):
        outcome = played.game.outcome(state)
        assert (outcome is None) == bool(played.game.to_move(state))
        if outcome is not None:
            assert outcome.reason in {*get_args(DropReason), *played.game.endings}
            assert [len(list(played.game.legal_moves(state, seat))) for seat in played.seats] == [0] * len(played.seats)
            well_placed(outcome, played)


def settled(played: Played) -> list[Any]:
    """Return every position after which nothing more happened by itself."""
    return [*(step.before for step in played.turns), played.last]


def well_placed(outcome: Outcome, played: Played) -> None:
    """Demand that ties share a place and leave out the next (1 1 3), and are equal scores among those who stayed."""
    places = outcome.places
    assert len(places) == len(played.seats)
    assert list(places) == [1 + sum(better < place for better in places) for place in places]
    assert outcome.winners == tuple(seat for seat in played.seats if places[seat] == 1)
    if outcome.scores is not None:
        assert len(outcome.scores) == len(places)
        gone = dropped(played)
        ranks = {(outcome.scores[seat], places[seat]) for seat in played.seats if seat not in gone}
        assert len(ranks) == len({score for score, _ in ranks}) == len({place for _, place in ranks})


def dropped(played: Played) -> list[Seat]:
    """Return the seats that left, in their order."""
    return [event.seat for event, _ in played.events if isinstance(event, Dropped)]


def over_is_over(played: Played) -> None:
    """Demand that nothing is told after what ended the match, no passes either (rules: Passing)."""
    after = [state for step in played.steps[1:] for state in step.after]
    assert [state for state in after[:-1] if played.game.outcome(state) is not None] == []


def who_drops_out_is_passed_over(played: Played) -> None:
    """Demand that a seat that left is told once and awaited no more (rules: Dropping out)."""
    gone: set[Seat] = set()
    for step in played.steps:
        assert not gone & set(played.game.to_move(step.before))
        if step.seat is not None and step.move is None:
            assert [event.seat for event in step.events if isinstance(event, Dropped)] == [step.seat]
            gone.add(step.seat)
    assert not gone & set(played.game.to_move(played.last))


def who_drops_out_comes_in_behind(played: Played) -> None:
    """Demand that the earliest drop-out is last, and that the last seat left wins at once, for the reason told."""
    gone, outcome = dropped(played), played.game.outcome(played.last)
    last_left = len(gone) == len(played.seats) - 1
    if outcome is not None:
        assert [outcome.places[seat] for seat in gone] == [len(played.seats) - order for order in range(len(gone))]
    if last_left:
        assert outcome is not None
        assert outcome.winners == tuple(set(played.seats) - set(gone))
        assert isinstance(told := played.steps[-1].events[0], Dropped)
        assert outcome.reason == told.reason


def chance_is_drawn_in_numbered_order(played: Played) -> None:
    """Demand that each event of chance carries the number of its draw, without a gap (rules: Fair chance)."""
    draws = [event.draw for event, _ in played.events if isinstance(event, ChanceEvent)]
    assert draws == list(range(len(draws)))


def chance_decides_nothing_in_a_move(played: Played) -> None:
    """Demand that what a seat asks for is judged without chance; draws stand in what follows by itself."""
    for step in played.turns:
        assert not any(isinstance(event, ChanceEvent) for event in step.events), step


def a_step_begins_where_the_last_one_ended(played: Played) -> None:
    """Demand that the rules kept to the positions that they were given: no call changed one."""
    state = played.game.start(played.options)
    for step in played.steps:
        assert step.before == state
        state = ended(step)
    assert state == played.last


def ended(step: Step) -> Any:
    """Return the state after a step."""
    return step.after[-1] if step.after else step.before

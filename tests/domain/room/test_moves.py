"""Moves, resignations and dry runs: which seat a command is about, and what a dry run may reveal."""

import pytest

from service.domain.game import Seat
from service.domain.games.morris.model import Placed
from service.domain.games.turncoat.model import Committed, Selected
from service.domain.room.model import commands, events
from service.domain.room.model.state import audience
from service.domain.room.process import decide
from service.domain.validation import Invalid
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    FIRST,
    SECOND,
    THIRD,
    Given,
    context,
    given,
    join,
    new_room,
    resignation,
)

A1 = {"type": "place", "at": "a1"}
COMMIT = {"type": "commit"}


def playing(game: str = "morris", **settings: object) -> Given:
    """Return a room in which Anna and Ben play."""
    room = given(new_room(game, start="creator", **settings), join(ANNA, 0), join(BEN, 1))  # type: ignore[arg-type]  # options are not among them
    return room.after(commands.Start(), ANNA)


def alone(seats: int = 2, game: str = "morris") -> Given:
    """Return a room in which Anna plays all seats."""
    taken = [events.SeatTaken(Seat(seat), ANNA) for seat in range(1, seats)]
    return given(new_room(game, start="creator", hot_seat=True), join(ANNA, 0), *taken).after(commands.Start(), ANNA)


def placement(seat: Seat, at: str) -> Placed:
    """Return the event of placing a man without closing a mill."""
    return Placed(seat=seat, at=at, mills=(), removals_owed=0)


def test_a_move_is_decided_by_the_game() -> None:
    """The game rejects moves with codes of its own."""
    playing().when(commands.Play(A1), by=ANNA).then(placement(FIRST, "a1"))
    playing().after(commands.Play(A1), ANNA).when(commands.Play(A1), by=BEN).rejected("occupied", at="a1")


@pytest.mark.parametrize(
    ("move", "pointer"),
    [
        ({}, "/move"),
        ({"type": "castle"}, "/move/type"),
        ({"type": "place"}, "/move"),
        ({"type": "place", "at": "b1"}, "/move/at"),
        ({"type": "place", "at": "a1", "hard": True}, "/move/hard"),
        ({"type": "move", "from": "a1", "to": 7}, "/move/to"),
    ],
)
def test_a_move_of_another_form_is_invalid(move: dict[str, object], pointer: str) -> None:
    """The pointer leads to the invalid part; without a match, too."""
    for room in (playing(), given(new_room(), join(ANNA, 0))):
        with pytest.raises(Invalid) as misfit:
            decide(room.room, commands.Play(move), context(ANNA))
        assert misfit.value.pointer == pointer


def test_in_a_hot_seat_the_seat_to_move_need_not_be_named() -> None:
    """Anna plays both sides without naming them, but may name the one that is to move."""
    alone().when(commands.Play(A1), by=ANNA).then(placement(FIRST, "a1"))
    moved = alone().after(commands.Play(A1), ANNA)
    moved.when(commands.Play({"type": "place", "at": "a4"}), by=ANNA).then(placement(SECOND, "a4"))
    moved.when(commands.Play({"type": "place", "at": "a4"}, seat=SECOND), by=ANNA).then(placement(SECOND, "a4"))
    moved.when(commands.Play({"type": "place", "at": "a4"}, seat=FIRST), by=ANNA).rejected("not_your_turn")


def test_in_a_hot_seat_where_both_may_move_the_seat_has_to_be_named() -> None:
    """In Turncoat both seats move at the same time."""
    both = alone(game="turncoat")
    both.when(commands.Play({"type": "select", "at": "a1"}), by=ANNA).rejected("seat_required")


def test_of_two_the_one_who_resigns_has_lost() -> None:
    """It does not matter who is to move."""
    *_, ended = playing().after(commands.Resign(), ANNA).history
    assert ended.event == resignation(FIRST)
    *_, ended = alone().after(commands.Resign(SECOND), ANNA).history
    assert ended.event == resignation(SECOND)


def test_of_three_the_others_play_on() -> None:
    """The first one cannot resign again; the second resignation ends the match."""
    three = given(new_room("ternio", start="full"), join(ANNA, 0), join(BEN, 1)).after(commands.Join(), CLARA)
    two = three.after(commands.Resign(), ANNA)
    assert two.table.status == "playing"
    assert two.room.match is not None
    assert tuple(two.room.match.dropped) == (FIRST,)
    two.when(commands.Resign(), by=ANNA).rejected("already_dropped", seat=FIRST)
    over = two.after(commands.Resign(), CLARA).room.match
    assert over is not None
    assert over.result is not None
    assert over.result.places == (3, 1, 2)
    assert over.result.winners == (SECOND,)


def test_the_latest_game_events_are_kept() -> None:
    """Commands that add no events of the game leave them for clients to draw."""
    moved = playing().after(commands.Play(A1), ANNA).after(commands.Join(role="spectator"), CLARA)
    assert moved.room.match is not None
    assert [recorded.event for recorded in moved.room.match.last] == [placement(FIRST, "a1")]


def test_a_dry_run_returns_what_would_happen() -> None:
    """As far as the sender may know it."""
    playing().when(commands.Play(A1), by=ANNA).dry_runs(placement(FIRST, "a1"), more=False)
    playing().when(commands.Join(role="spectator"), by=CLARA).dry_runs(
        events.PlayerJoined(CLARA, "clara", "spectator"), more=False
    )


def test_a_dry_run_is_rejected_like_the_command() -> None:
    """Both are rejected with the same codes."""
    with pytest.raises(Exception, match="not_your_turn"):
        playing().when(commands.Play(A1), by=BEN).dry_runs(more=False)


def test_a_dry_run_stops_before_a_seed_is_drawn_or_revealed() -> None:
    """It shows neither the start of a match nor its end."""
    ready = given(new_room(), join(ANNA, 0), join(BEN, 1), events.PlayerReadied(ANNA))
    ready.when(commands.Ready(), by=BEN).dry_runs(events.PlayerReadied(BEN), more=True)
    playing().when(commands.Close(), by=ANNA).dry_runs(more=True)
    two = playing().when(commands.Resign(), by=ANNA)
    dropped = playing().after(commands.Resign(), ANNA).history[-2].event
    two.dry_runs(dropped, more=True)


def test_a_dry_run_stops_before_the_die_is_rolled() -> None:
    """In Rainbow with dice, the roll for the next turn is a followup."""
    room = given(new_room("rainbow", {"dice": True}, start="creator"), join(ANNA, 0), join(BEN, 1))
    rolled = room.after(commands.Start(), ANNA)
    assert rolled.room.match is not None
    move = rolled.room.game.legal_moves(rolled.room.match.state, FIRST)[0]  # type: ignore[index]  # a sequence here
    fields = {"type": "place", "peg": move.peg, "side": move.side, "at": move.at}
    history = rolled.after(commands.Play(fields), ANNA).history
    assert [type(recorded.event).__name__ for recorded in history[-2:]] == ["Placed", "Rolled"]
    rolled.when(commands.Play(fields), by=ANNA).dry_runs(history[-2].event, more=True)


def commit_square(at: str) -> Given:
    """Return a room in which Anna has selected this square and committed."""
    room = playing("turncoat").after(commands.Play({"type": "select", "at": at}), ANNA)
    return room.after(commands.Play(COMMIT), ANNA)


def selectable_squares() -> list[str]:
    """Return the squares that Anna can select with the seed of these tests."""
    room = playing("turncoat").room
    assert room.match is not None
    moves = room.game.legal_moves(room.match.state, FIRST)
    return [move.at for move in moves if hasattr(move, "at")]


def test_a_dry_run_stops_before_a_secret_is_revealed() -> None:
    """Ben's commit would resolve the round; the dry run is the same whatever Anna selected."""
    one, *_, other = selectable_squares()
    for at in (one, other):
        ready = commit_square(at).after(commands.Play({"type": "select", "at": other}), BEN)
        ready.when(commands.Play(COMMIT), by=BEN).dry_runs(Committed(SECOND), more=True)
        uncovered = [recorded.event for recorded in ready.after(commands.Play(COMMIT), BEN).history[-3:]]
        assert Committed(SECOND) not in uncovered


def test_a_selection_is_recorded_in_full() -> None:
    """Events are redacted when they are sent, not when they are stored."""
    at = selectable_squares()[0]
    assert Selected(FIRST, at) in [recorded.event for recorded in commit_square(at).history]


def test_a_viewer_may_know_what_their_seat_may_know() -> None:
    """Players with several seats name one; others have no seat to name, and spectators are the public."""
    table_for_two, hers = playing().table, alone().table
    assert [audience(table_for_two, player) for player in (ANNA, BEN, CLARA, None)] == [FIRST, SECOND, None, None]
    assert audience(table_for_two, ANNA, SECOND) is None
    assert audience(table_for_two, None, FIRST) is None
    assert audience(hers, ANNA) is None
    assert [audience(hers, ANNA, seat) for seat in (FIRST, SECOND, THIRD)] == [FIRST, SECOND, None]

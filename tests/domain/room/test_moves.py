"""Moves, resignations and dry runs: which seat speaks, and what may be told before it has happened."""

import pytest

from service.domain.game import Seat
from service.domain.games.morris.model import Placed
from service.domain.games.turncoat.model import Committed, Selected
from service.domain.room.decide import decide
from service.domain.room.model import commands as ask
from service.domain.room.model import events as happened
from service.domain.room.model.state import audience
from service.domain.validation import Unfit
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
    joined,
    resigned,
    table,
)

A1 = {"type": "place", "at": "a1"}
COMMIT = {"type": "commit"}


def playing(game: str = "morris", **settings: object) -> Given:
    """Return a room in which Anna and Ben have begun to play."""
    room = given(table(game, start="creator", **settings), joined(ANNA, 0), joined(BEN, 1))  # type: ignore[arg-type]  # options are not among them
    return room.after(ask.Start(), ANNA)


def alone(seats: int = 2, game: str = "morris") -> Given:
    """Return a room in which Anna plays all seats by herself."""
    taken = [happened.SeatTaken(Seat(seat), ANNA) for seat in range(1, seats)]
    return given(table(game, start="creator", hot_seat=True), joined(ANNA, 0), *taken).after(ask.Start(), ANNA)


def placed(seat: Seat, at: str) -> Placed:
    """Return what placing a man without closing a mill is told as."""
    return Placed(seat=seat, at=at, mills=(), removals_owed=0)


def test_a_move_is_judged_by_the_game() -> None:
    """And told in its words."""
    playing().when(ask.Play(A1), by=ANNA).then(placed(FIRST, "a1"))
    playing().after(ask.Play(A1), ANNA).when(ask.Play(A1), by=BEN).rejected("occupied", at="a1")


@pytest.mark.parametrize(
    ("move", "pointer"),
    [
        ({}, "/move"),
        ({"type": "castle"}, "/move/type"),
        ({"type": "place"}, "/move"),
        ({"type": "place", "at": "b1"}, "/move/at"),
        ({"type": "place", "at": "a1", "hard": True}, "/move"),
        ({"type": "move", "from": "a1", "to": 7}, "/move/to"),
    ],
)
def test_what_is_no_move_of_this_game_does_not_fit(move: dict[str, object], pointer: str) -> None:
    """The pointer leads to what doesn't."""
    with pytest.raises(Unfit) as misfit:
        decide(playing().room, ask.Play(move), context(ANNA))
    assert misfit.value.pointer == pointer


def test_in_a_hot_seat_the_seat_to_move_is_understood() -> None:
    """Anna plays both sides without naming them, but may name the one that is to move."""
    alone().when(ask.Play(A1), by=ANNA).then(placed(FIRST, "a1"))
    moved = alone().after(ask.Play(A1), ANNA)
    moved.when(ask.Play({"type": "place", "at": "a4"}), by=ANNA).then(placed(SECOND, "a4"))
    moved.when(ask.Play({"type": "place", "at": "a4"}, seat=SECOND), by=ANNA).then(placed(SECOND, "a4"))
    moved.when(ask.Play({"type": "place", "at": "a4"}, seat=FIRST), by=ANNA).rejected("not_your_turn")


def test_in_a_hot_seat_where_both_may_move_the_seat_has_to_be_named() -> None:
    """Turncoat awaits both seats at once."""
    both = alone(game="turncoat")
    both.when(ask.Play({"type": "select", "at": "a1"}), by=ANNA).rejected("seat_required")


def test_who_resigns_against_one_has_lost() -> None:
    """Whoever's turn it is."""
    *_, ended = playing().after(ask.Resign(), ANNA).history
    assert ended.event == resigned(FIRST)
    *_, ended = alone().after(ask.Resign(SECOND), ANNA).history
    assert ended.event == resigned(SECOND)


def test_of_three_the_others_play_on() -> None:
    """The one who resigned may not do so again; the second to go ends the match."""
    three = given(table("ternio", start="full"), joined(ANNA, 0), joined(BEN, 1)).after(ask.Join(), CLARA)
    two = three.after(ask.Resign(), ANNA)
    assert two.table.status == "playing"
    assert two.room.match is not None
    assert tuple(two.room.match.dropped) == (FIRST,)
    two.when(ask.Resign(), by=ANNA).rejected("already_dropped", seat=FIRST)
    over = two.after(ask.Resign(), CLARA).room.match
    assert over is not None
    assert over.result is not None
    assert over.result.places == (3, 1, 2)
    assert over.result.winners == (SECOND,)


def test_the_latest_events_are_those_of_the_latest_command_on_the_board() -> None:
    """What happens around the board leaves them for a client to draw."""
    moved = playing().after(ask.Play(A1), ANNA).after(ask.Join(role="spectator"), CLARA)
    assert moved.room.match is not None
    assert [recorded.event for recorded in moved.room.match.last] == [placed(FIRST, "a1")]


def test_a_dry_run_tells_what_would_happen() -> None:
    """As far as the sender may know it."""
    playing().when(ask.Play(A1), by=ANNA).foretells(placed(FIRST, "a1"), more=False)
    playing().when(ask.Join(role="spectator"), by=CLARA).foretells(
        happened.PlayerJoined(CLARA, "clara", "spectator"), more=False
    )


def test_a_dry_run_is_refused_like_the_command() -> None:
    """With the same codes."""
    with pytest.raises(Exception, match="not_your_turn"):
        playing().when(ask.Play(A1), by=BEN).foretells(more=False)


def test_a_dry_run_stops_before_a_seed_is_made_or_shown() -> None:
    """Neither the start of a match nor its end is told before it has happened."""
    ready = given(table(), joined(ANNA, 0), joined(BEN, 1), happened.PlayerReadied(ANNA))
    ready.when(ask.Ready(), by=BEN).foretells(happened.PlayerReadied(BEN), more=True)
    playing().when(ask.Close(), by=ANNA).foretells(more=True)
    two = playing().when(ask.Resign(), by=ANNA)
    dropped = playing().after(ask.Resign(), ANNA).history[-2].event
    two.foretells(dropped, more=True)


def test_a_dry_run_stops_before_the_die_is_rolled() -> None:
    """Rainbow with dice: the roll belongs to the next turn."""
    room = given(table("rainbow", {"dice": True}, start="creator"), joined(ANNA, 0), joined(BEN, 1))
    rolled = room.after(ask.Start(), ANNA)
    assert rolled.room.match is not None
    move = rolled.room.game.legal_moves(rolled.room.match.state, FIRST)[0]  # type: ignore[index]  # a sequence here
    said = {"type": "place", "peg": move.peg, "side": move.side, "at": move.at}
    told = rolled.after(ask.Play(said), ANNA).history
    assert [type(recorded.event).__name__ for recorded in told[-2:]] == ["Placed", "Rolled"]
    rolled.when(ask.Play(said), by=ANNA).foretells(told[-2].event, more=True)


def committed(at: str) -> Given:
    """Return a room in which Anna has selected this square and committed."""
    room = playing("turncoat").after(ask.Play({"type": "select", "at": at}), ANNA)
    return room.after(ask.Play(COMMIT), ANNA)


def discs() -> list[str]:
    """Return the squares that Anna may select under the seed of these tests."""
    room = playing("turncoat").room
    assert room.match is not None
    moves = room.game.legal_moves(room.match.state, FIRST)
    return [move.at for move in moves if hasattr(move, "at")]


def test_a_dry_run_stops_before_a_secret_is_uncovered() -> None:
    """Ben's commit would resolve the round; asked beforehand, it tells the same whatever Anna selected."""
    one, *_, other = discs()
    for at in (one, other):
        ready = committed(at).after(ask.Play({"type": "select", "at": other}), BEN)
        ready.when(ask.Play(COMMIT), by=BEN).foretells(Committed(SECOND), more=True)
        uncovered = [recorded.event for recorded in ready.after(ask.Play(COMMIT), BEN).history[-3:]]
        assert Committed(SECOND) not in uncovered


def test_a_selection_stands_in_the_stream_in_full() -> None:
    """It is redacted on its way out, never on its way in."""
    at = discs()[0]
    assert Selected(FIRST, at) in [recorded.event for recorded in committed(at).history]


def test_a_viewer_shares_the_knowledge_of_their_only_seat() -> None:
    """A holder of several says as which one; nobody else's seat is given, and spectators see as the public."""
    table_for_two, hers = playing().table, alone().table
    assert [audience(table_for_two, player) for player in (ANNA, BEN, CLARA, None)] == [FIRST, SECOND, None, None]
    assert audience(table_for_two, ANNA, SECOND) is None
    assert audience(table_for_two, None, FIRST) is None
    assert audience(hers, ANNA) is None
    assert [audience(hers, ANNA, seat) for seat in (FIRST, SECOND, THIRD)] == [FIRST, SECOND, None]

"""Players who are absent during a match, and what the others can claim."""

from typing import Any

import pytest

from service.domain.game import Dropped, Seat
from service.domain.ids import Millis
from service.domain.room.model import commands, events
from service.domain.room.subjects.absence import abandoned_since
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    FIRST,
    NOON,
    SECOND,
    THIRD,
    Given,
    bot_join,
    given,
    join,
    match_end,
    match_start,
    new_room,
    place,
)

GRACE = 60_000
OVER = Millis(NOON + GRACE)
TWO = given(new_room(), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))
GONE = TWO.after(commands.Desert(BEN), None)
"""Ben's last device disconnected at noon."""


def three() -> Given:
    """Return a match of Ternio between three players, of whom Clara is absent."""
    room = given(new_room("ternio", start="full"), join(ANNA, 0), join(BEN, 1)).after(commands.Join(), CLARA)
    return room.after(commands.Desert(CLARA), None)


def test_a_room_is_abandoned_since_the_last_person_left() -> None:
    """Of those on seats; bots and spectators do not wait for anybody."""
    waiting = given(new_room("ternio"), join(ANNA, 0), bot_join(1), join(CLARA))
    assert abandoned_since(waiting.table) is None
    gone = waiting.after(commands.Desert(ANNA), None, Millis(NOON + 1000))
    assert abandoned_since(gone.table) == NOON + 1000
    assert abandoned_since(gone.after(commands.Return(ANNA), None).table) is None
    two = gone.after(commands.RemoveBot(SECOND), ANNA).after(commands.Join(), BEN, Millis(NOON + 2000))
    two = two.after(commands.Desert(ANNA), None, Millis(NOON + 3000))
    assert abandoned_since(two.table) is None
    assert abandoned_since(two.after(commands.Desert(BEN), None, Millis(NOON + 4000)).table) == NOON + 4000
    empty = waiting.after(commands.LeaveSeat(), ANNA, Millis(NOON + 5000))
    assert abandoned_since(empty.table) == NOON + 5000


def test_an_absence_is_counted_from_the_start_of_the_match() -> None:
    """Before it, nothing could be claimed."""
    room = given(new_room(start="full"), join(ANNA, 0)).after(commands.Desert(ANNA), None)
    room = room.after(commands.Join(), BEN, OVER)
    room.when(claim("win", FIRST), by=BEN, at=Millis(OVER + GRACE - 1)).rejected("not_abandoned", since=OVER)


def claim(outcome: Any, seat: Seat = SECOND) -> commands.ClaimAbandoned:
    """Return a claim against a seat."""
    return commands.ClaimAbandoned(seat, outcome)


def test_absence_and_return_are_recorded_once() -> None:
    """They are recorded only for seated players, and only when something changes."""
    TWO.when(commands.Desert(BEN), by=None).then(events.SeatDeserted(SECOND))
    GONE.when(commands.Desert(BEN), by=None).rejected("nothing_due")
    GONE.when(commands.Return(BEN), by=None).then(events.SeatReturned(SECOND))
    TWO.when(commands.Return(BEN), by=None).rejected("nothing_due")
    TWO.after(commands.Join("spectator"), CLARA).when(commands.Desert(CLARA), by=None).rejected("nothing_due")


def test_nothing_can_be_claimed_before_the_grace_time_is_over() -> None:
    """The rejection says when a claim will be possible."""
    params = {"seat": SECOND, "since": NOON, "claimable_at": OVER}
    GONE.when(claim("win"), by=ANNA, at=Millis(OVER - 1)).rejected("not_abandoned", **params)
    TWO.when(claim("win"), by=ANNA, at=OVER).rejected("not_abandoned", since=None)
    back = GONE.after(commands.Return(BEN), None)
    back.when(claim("win"), by=ANNA, at=OVER).rejected("not_abandoned")


def test_a_claimed_win_forfeits_the_seat() -> None:
    """With two seats this ends the match."""
    GONE.when(claim("win"), by=ANNA, at=OVER).then(
        Dropped(SECOND, "forfeited"), match_end("forfeited", 1, 2), events.PlayerUnreadied(BEN)
    )


def test_of_three_the_others_play_on() -> None:
    """Clara's seat drops out of the match."""
    after = three().after(claim("win", THIRD), ANNA, OVER)
    assert after.table.status == "playing"
    assert after.room.match is not None
    assert list(after.room.match.dropped) == [THIRD]


def test_a_claimed_draw_ends_a_match_of_two() -> None:
    """Nobody else has to be asked."""
    GONE.when(claim("draw"), by=ANNA, at=OVER).then(match_end("agreed", 1, 1))


def test_of_three_the_players_present_agree_to_a_draw() -> None:
    """Clara is absent and is not asked."""
    offered = three().after(claim("draw", THIRD), ANNA, OVER)
    (offer,) = offered.table.offers
    assert (offer.kind, offer.abandoned) == ("draw", THIRD)
    over = offered.after(commands.Answer(offer.id, accept=True), BEN).room.match
    assert over is not None
    assert over.result is not None
    assert over.result.places == (1, 1, 1)


def test_a_player_who_has_come_back_is_asked_as_well() -> None:
    """Clara returns before Ben has answered, so the draw needs both; when she is absent again, it needs only Ben."""
    back = three().after(claim("draw", THIRD), ANNA, OVER).after(commands.Return(CLARA), None)
    (offer,) = back.table.offers
    half = back.after(commands.Answer(offer.id, accept=True), BEN)
    assert half.table.status == "playing"
    assert half.after(commands.Answer(offer.id, accept=True), CLARA).table.status == "finished"
    assert half.after(commands.Answer(offer.id, accept=False), CLARA).table.offers == ()
    assert half.after(commands.Desert(CLARA), None).table.status == "finished"


def test_a_bot_takes_over() -> None:
    """The player who held the seat stays in the room without a seat."""
    taken = GONE.after(claim("bot"), ANNA, OVER)
    bot = taken.table.seats[1]
    assert bot is not None
    assert taken.table.members[bot].bot is not None
    assert BEN in taken.table.members
    assert taken.table.status == "playing"
    taken.when(place("d1"), by=BEN).rejected("not_seated")


def test_an_empty_seat_can_be_claimed_against_as_well() -> None:
    """Ben has left his seat or the room, and nobody has taken the seat."""
    for goes in (commands.LeaveSeat(), commands.Leave()):
        left = TWO.after(goes, BEN)
        left.when(claim("win"), by=ANNA, at=Millis(OVER - 1)).rejected("not_abandoned", claimable_at=OVER)
        left.when(claim("win"), by=ANNA, at=OVER).then(Dropped(SECOND, "forfeited"), match_end("forfeited", 1, 2))


def test_a_command_of_an_absent_player_marks_them_present() -> None:
    """Clients without a socket can play, too."""
    moved = GONE.after(place("a1"), ANNA)
    came = moved.after(place("d1"), BEN)
    assert events.SeatReturned(SECOND) in [recorded.event for recorded in came.history]
    came.when(claim("win"), by=ANNA, at=OVER).rejected("not_abandoned")


def test_a_player_who_takes_over_a_seat_is_present() -> None:
    """The grace time starts again when that player is absent."""
    taken = (
        GONE.after(commands.LeaveSeat(), BEN)
        .after(commands.Join("spectator"), CLARA)
        .after(commands.TakeSeat(SECOND), CLARA)
    )
    taken.when(claim("win"), by=ANNA, at=OVER).rejected("not_abandoned")
    later = taken.after(commands.Desert(CLARA), None, OVER)
    later.when(claim("win"), by=ANNA, at=Millis(OVER + GRACE)).then(
        Dropped(SECOND, "forfeited"), match_end("forfeited", 1, 2)
    )


@pytest.mark.parametrize(
    ("code", "room", "by", "seat"),
    [
        ("not_seated", GONE.after(commands.Join("spectator"), CLARA), CLARA, SECOND),
        ("not_playing", GONE.after(commands.Resign(), ANNA), ANNA, SECOND),
        ("no_such_seat", GONE, ANNA, Seat(7)),
        ("already_dropped", three().after(commands.Resign(), CLARA), ANNA, THIRD),
        ("already_dropped", three().after(commands.Resign(), ANNA), ANNA, SECOND),
        ("not_abandoned", GONE, ANNA, FIRST),
    ],
)
def test_only_active_players_can_claim(code: str, room: Given, by: Any, seat: Seat) -> None:
    """And only against a seat that is still in the match."""
    room.when(claim("win", seat), by=by, at=OVER).rejected(code)


def test_the_grace_time_is_a_setting() -> None:
    """It applies as it was when the match started."""
    quick = given(new_room(grace_ms=0), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN)).after(
        commands.Desert(BEN), None
    )
    quick.when(claim("draw"), by=ANNA).then(match_end("agreed", 1, 1))

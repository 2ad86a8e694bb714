"""Rooms that no player but their creator has entered: when they close, and what keeps them open."""

import pytest

from service.domain.game import Event, Seat
from service.domain.ids import Millis
from service.domain.room.due import due
from service.domain.room.model import commands, events
from service.domain.room.model.clock import Days
from service.domain.room.model.events import InvitationMade, InvitationRevoked
from service.domain.room.subjects.lifecycle import HOUR, MINUTE, attended_until, expires_at, idle_deadline
from tests.domain.room.given_when_then import ANNA, BEN, NOON, Given, bot_join, given, join, match_start, new_room

ANNA_ONLY = given(new_room(), join(ANNA, 0))
AGAINST_A_BOT = given(new_room(), join(ANNA, 0), bot_join(1))
HOT_SEAT = given(new_room(hot_seat=True), join(ANNA, 0), events.SeatTaken(Seat(1), ANNA), match_start(ANNA, ANNA))
WITH_DAYS = given(new_room(clock=Days(3)), join(ANNA, 0), bot_join(1))
ENTERED_BY_NOBODY_ELSE = (ANNA_ONLY, AGAINST_A_BOT, HOT_SEAT, WITH_DAYS)
A_PROGRAM = events.PlayerJoined(BEN, "Ben", "player", "external")
A_SPECTATOR = events.PlayerJoined(BEN, "Ben", "spectator", None)
A_DAY = idle_deadline(given(new_room(), join(ANNA, 0), A_SPECTATOR).room)
"""When any room closes in which nothing has happened since noon."""


@pytest.mark.parametrize("room", ENTERED_BY_NOBODY_ELSE)
def test_a_room_that_nobody_else_has_entered_closes_after_an_hour(room: Given) -> None:
    """Rounded up to a minute; bots of the service, a second seat and the clock make no difference."""
    expires = expires_at(room.room)
    assert expires == attended_until(NOON)
    assert NOON + HOUR < expires <= NOON + HOUR + MINUTE
    assert room.room.table.creator == ANNA
    assert not room.room.table.others_entered
    owed = due(room.room, all_present=False)
    assert owed is not None
    assert (owed.at, owed.why) == (expires, "idle")
    room.when(commands.Proceed(), by=None, at=Millis(expires - 1)).rejected("nothing_due")
    assert room.after(commands.Proceed(), None, expires).table.status == "closed"


@pytest.mark.parametrize("joined", [A_PROGRAM, A_SPECTATOR])
@pytest.mark.parametrize("gone", [(), (events.PlayerLeft(BEN),), (events.PlayerKicked(BEN),)])
def test_a_room_that_another_player_has_entered_stays_open_for_a_day(joined: Event, gone: tuple[Event, ...]) -> None:
    """Also when they have left; a program and a spectator are players like any other."""
    room = given(new_room(), join(ANNA, 0), joined, gone).room
    assert room.table.others_entered
    assert expires_at(room) is None
    owed = due(room)
    assert owed is not None
    assert (owed.at, owed.why) == (A_DAY, "idle")


def test_the_creators_requests_keep_it_open() -> None:
    """Until an hour after the latest one, but no longer than any room without events."""
    kept = attended_until(Millis(NOON + 20 * MINUTE))
    owed = due(ANNA_ONLY.room, kept_until=kept)
    assert owed is not None
    assert owed.at == expires_at(ANNA_ONLY.room, kept) == kept
    ANNA_ONLY.when(commands.Proceed(kept_until=kept), by=None, at=Millis(kept - 1)).rejected("nothing_due")
    ANNA_ONLY.when(commands.Proceed(kept_until=kept), by=None, at=kept).then(events.RoomClosed("idle"))
    late = Millis(NOON + 100 * HOUR)
    assert expires_at(ANNA_ONLY.room, late) == A_DAY


def test_an_open_invitation_keeps_it_open() -> None:
    """Until it expires or is revoked, but no longer than any room without events."""
    for hours, expires in ((5, NOON + 5 * HOUR), (500, A_DAY), (0, attended_until(NOON))):
        made = InvitationMade(1, ANNA, 1, Millis(hours * HOUR), hash="hash", nonce="nonce")
        invited = given(new_room(), join(ANNA, 0), made)
        assert expires_at(invited.room) == expires
        revoked = given(new_room(), join(ANNA, 0), made, InvitationRevoked(1))
        assert expires_at(revoked.room) == attended_until(NOON)


def test_a_closed_room_does_not_expire() -> None:
    """Nothing is due in it."""
    assert expires_at(given(new_room(), join(ANNA, 0), events.RoomClosed("by_creator")).room) is None

"""Who may read, enter and command, as a table: every kind of room and every kind of caller."""

from typing import NamedTuple

import pytest
from msgspec.structs import replace

from service.domain.ids import Player, PlayerId
from service.domain.room.model.commands import AnyCommand, Close, Join
from service.domain.room.model.state import Table
from service.domain.room.subjects.privacy import OPERATOR
from service.rooms.access.policy import (
    EntryLimits,
    check_command,
    check_crowd,
    check_reading,
    check_room_count,
    counts_as_present,
    reading_refusal,
    require_player,
)
from service.streams.errors import ServiceError
from tests.domain.room.given_when_then import ANNA, BEN, CLARA, DORA, given, join, new_room

OK, HIDDEN, MEMBERS = None, "no_such_room", "members_only"
PASSWORD, WRONG = "scrypt.00.11", "scrypt.00.22"


def room(visibility: str = "public", *, spectators: bool = True) -> Table:
    """Return the table of a room that Anna created; Ben has a seat, and Clara is a spectator."""
    joining = join(ANNA, 0), join(BEN, 1), join(CLARA)
    opened = given(new_room("ternio"), *joining).table
    settings = replace(opened.settings, visibility=visibility, spectators=spectators)
    return replace(opened, settings=settings, lock=PASSWORD if visibility == "private" else None)


class Row(NamedTuple):
    """A kind of room, and the code with which each caller who reads it is refused, None for permission."""

    table: Table
    anonymous: str | None
    guest: str | None
    spectator: str | None = OK
    seated: str | None = OK
    creator: str | None = OK
    operator: str | None = OK


CALLERS = {"anonymous": None, "guest": DORA, "spectator": CLARA, "seated": BEN, "creator": ANNA, "operator": OPERATOR}
READING = {
    "public": Row(room(), anonymous=OK, guest=OK),
    "unlisted": Row(room("unlisted"), anonymous=OK, guest=OK),
    "members only": Row(room(spectators=False), anonymous=MEMBERS, guest=MEMBERS),
    "private": Row(room("private"), anonymous=HIDDEN, guest=HIDDEN),
    "private, members only": Row(room("private", spectators=False), anonymous=HIDDEN, guest=HIDDEN),
}
EVERYONE = pytest.mark.parametrize("caller", CALLERS)
EVERYWHERE = pytest.mark.parametrize("kind", READING)


def refusal(check: object, *args: object) -> str | None:
    """Return the code with which a check refuses, None where it does not."""
    assert callable(check)
    try:
        check(*args)
    except ServiceError as refused:
        return refused.problem.code
    return None


@EVERYWHERE
@EVERYONE
def test_who_may_read(kind: str, caller: str) -> None:
    """Members and the operator may read every room; others those that allow spectators, unless they are private."""
    row, player = READING[kind], CALLERS[caller]
    assert reading_refusal(row.table, player) == refusal(check_reading, row.table, player) == getattr(row, caller)


@EVERYWHERE
@EVERYONE
def test_who_counts_as_present(kind: str, caller: str) -> None:
    """Everyone who may read, except the operator, who is never shown."""
    row = READING[kind]
    expected = caller != "operator" and getattr(row, caller) is None
    assert counts_as_present(row.table, CALLERS[caller]) == expected


@EVERYWHERE
@EVERYONE
@pytest.mark.parametrize(
    ("command", "password"), [(Join(), None), (Join(), WRONG), (Join(), PASSWORD), (Close(), None), (Close(), PASSWORD)]
)
def test_who_may_command(kind: str, caller: str, command: AnyCommand, password: str | None) -> None:
    """A private room does not exist for others, except for a join with its password; the rest is up to the rules."""
    row, player = READING[kind], CALLERS[caller]
    opens = isinstance(command, Join) and password == PASSWORD
    hidden = player is not None and getattr(row, caller) == HIDDEN and not opens
    assert refusal(check_command, row.table, player, command, password) == (HIDDEN if hidden else None)


@pytest.mark.parametrize(
    ("caller", "code"),
    [(None, "unauthenticated"), (Player(OPERATOR, "Operator"), "unauthenticated"), (Player(BEN, "Ben"), None)],
)
def test_who_may_do_more_than_read(caller: Player | None, code: str | None) -> None:
    """Only a player with a token may."""
    assert refusal(require_player, caller) == code


@pytest.mark.parametrize(("count", "most", "code"), [(2, 3, None), (3, 3, "too_many_rooms"), (99, 0, None)])
def test_how_many_rooms_a_player_may_be_in(count: int, most: int, code: str | None) -> None:
    """As many as the limit says; 0 is any number."""
    assert refusal(check_room_count, count, EntryLimits(rooms=most)) == code


@pytest.mark.parametrize(
    ("table", "player", "most", "code"),
    [
        (room(), DORA, 3, "room_crowded"),
        (room(), DORA, 4, None),
        (room(), DORA, 0, None),
        (room(spectators=False), DORA, 3, "room_crowded"),
        (room("private"), DORA, 3, None),
    ],
)
def test_how_many_members_a_room_may_have(table: Table, player: PlayerId, most: int, code: str | None) -> None:
    """A private room says nothing of itself, not even that it is full."""
    assert refusal(check_crowd, table, player, EntryLimits(members=most)) == code

"""Invitations: who makes them, whom they admit, and when they end."""

import msgspec
import pytest

from service.domain.game import redact
from service.domain.ids import Millis, PlayerId
from service.domain.room.evolve import fold
from service.domain.room.model import commands, events
from service.domain.room.model.commands import AnyCommand, Invite, Join
from service.domain.room.model.events import (
    MOST_DECLINED,
    MOST_ENDED,
    InvitationDeclined,
    InvitationMade,
    InvitationRevoked,
    code_hash,
)
from service.domain.room.subjects.invitations import find_invitation
from service.domain.validation import Invalid
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    DORA,
    FIRST,
    NOON,
    SECOND,
    SEED,
    THIRD,
    Given,
    code_of,
    given,
    join,
    new_room,
)

CODE = code_of(SEED)
DAY, MINUTE = 86_400_000, 60_000
LOCK = "scrypt.00.11"

OPEN = given(new_room("ternio", start="creator"), join(ANNA, 0), join(CLARA))
"""Anna holds one of three seats, and Clara is a spectator."""

PRIVATE = given(
    msgspec.structs.replace(new_room("ternio", start="creator", visibility="private"), lock=LOCK), join(ANNA, 0)
)


def joined(player: PlayerId, invitation: int, role: events.Role = "player") -> events.PlayerJoined:
    """Return the event by which a player joins by an invitation."""
    return events.PlayerJoined(player, player.removeprefix("p-"), role, invitation=invitation)


def by_code(code: str = CODE, role: events.Role = "player", seat: int | None = None) -> AnyCommand:
    """Return the command to join by an invitation."""
    return msgspec.convert({"type": "join", "as": role, "seat": seat, "invitation": code}, Join)


@pytest.mark.parametrize("maker", [ANNA, CLARA])
def test_every_member_can_invite(maker: PlayerId) -> None:
    """The creator and others, for one use and a day unless they say otherwise; the event hides the code's hash."""
    made = InvitationMade(1, maker, 1, Millis(DAY), msgspec.UNSET, code_hash(CODE), SEED.hex())
    OPEN.when(Invite(), by=maker).then(made)
    assert msgspec.to_builtins(redact(made, None)) == {
        "type": "invitation_made",
        "invitation": 1,
        "player": maker,
        "uses": 1,
        "expires_ms": DAY,
    }


def test_a_stranger_cannot_invite() -> None:
    """Nor a bot, which is a member without a token."""
    OPEN.when(Invite(), by=BEN).rejected("not_a_member")


def test_its_code_admits_to_a_private_room() -> None:
    """Without the password, and as a spectator too."""
    room = PRIVATE.after(Invite(uses=2), ANNA)
    room.when(Join(), by=BEN).rejected("no_such_room")
    room.when(by_code(), by=BEN).then(joined(BEN, 1), events.SeatTaken(SECOND, BEN))
    room.when(by_code(role="spectator"), by=BEN).then(joined(BEN, 1, "spectator"))
    assert room.after(by_code(), BEN).table.invitations[0].used == 1


def test_it_admits_as_many_as_it_says() -> None:
    """A member who joins again uses nothing up."""
    room = PRIVATE.after(Invite(uses=2), ANNA).after(by_code(), BEN)
    room.when(by_code(), by=BEN).rejected("already_joined")
    room = room.after(by_code(), CLARA)
    room.when(by_code(), by=DORA).rejected("invitation_ended", reason="used_up")


def test_it_expires_at_the_time_of_the_command() -> None:
    """To the millisecond."""
    room = OPEN.after(Invite(expires_ms=MINUTE), ANNA)
    room.when(by_code(), by=BEN, at=Millis(NOON + MINUTE - 1)).then(joined(BEN, 1), events.SeatTaken(SECOND, BEN))
    room.when(by_code(), by=BEN, at=Millis(NOON + MINUTE)).rejected("invitation_ended", reason="expired")
    room.when(commands.RevokeInvitation(1), by=ANNA, at=Millis(NOON + MINUTE)).rejected("invitation_ended")


def test_one_to_a_seat_gives_that_seat() -> None:
    """If it is free: it is not kept free."""
    room = OPEN.after(Invite(seat=THIRD), ANNA)
    room.when(by_code(), by=BEN).then(joined(BEN, 1), events.SeatTaken(THIRD, BEN))
    room.when(by_code(seat=2), by=BEN).then(joined(BEN, 1), events.SeatTaken(THIRD, BEN))
    room.when(by_code(seat=1), by=BEN).rejected("invited_to_seat", seat=2)
    taken = room.after(commands.TakeSeat(THIRD), CLARA)
    taken.when(by_code(), by=BEN).rejected("seat_taken", seat=2)
    taken.when(Invite(seat=THIRD), by=ANNA).rejected("seat_taken")
    with pytest.raises(Invalid):
        OPEN.after(Invite(uses=2, seat=THIRD), ANNA)


def test_the_first_seat_is_a_seat() -> None:
    """Its number is 0, and it is not any seat."""
    room = given(new_room("ternio", start="creator"), join(ANNA, 1)).after(Invite(seat=FIRST), ANNA)
    room.when(by_code(), by=BEN).then(joined(BEN, 1), events.SeatTaken(FIRST, BEN))
    room.after(commands.TakeSeat(FIRST), ANNA).when(by_code(), by=BEN).rejected("seat_taken", seat=0)


def test_its_maker_and_the_creator_can_revoke_it() -> None:
    """Afterwards it admits nobody."""
    room = OPEN.after(Invite(), CLARA)
    for by in (CLARA, ANNA):
        room.when(commands.RevokeInvitation(1), by=by).then(InvitationRevoked(1))
    room.after(commands.RevokeInvitation(1), ANNA).when(by_code(), by=BEN).rejected(
        "invitation_ended", reason="revoked"
    )


@pytest.mark.parametrize(("command", "by"), [(commands.Leave(), CLARA), (commands.Kick(CLARA), ANNA)])
def test_it_ends_when_its_maker_leaves(command: AnyCommand, by: PlayerId) -> None:
    """Or is removed: nobody is let in by somebody who is not in the room."""
    room = OPEN.after(Invite(), CLARA).after(command, by)
    room.when(by_code(), by=BEN).rejected("invitation_ended", reason="revoked")


@pytest.mark.parametrize("room", [OPEN, PRIVATE], ids=["public", "private"])
def test_the_kicked_are_not_admitted(room: Given) -> None:
    """An invitation does not undo what the creator did."""
    room = room.after(Invite(uses=5), ANNA).after(by_code(), BEN).after(commands.Kick(BEN), ANNA)
    room.when(by_code(), by=BEN).rejected("kicked")


def test_declining_is_shown_and_leaves_it_open() -> None:
    """Each player declines once, and may change their mind."""
    room = PRIVATE.after(Invite(), ANNA)
    room.when(commands.DeclineInvitation(CODE), by=BEN).then(InvitationDeclined(1, BEN, "ben"))
    room = room.after(commands.DeclineInvitation(CODE), BEN)
    room.when(commands.DeclineInvitation(CODE), by=BEN).rejected("already_declined")
    room.when(commands.DeclineInvitation(CODE), by=ANNA).rejected("already_joined")
    room.when(by_code(), by=BEN).then(joined(BEN, 1), events.SeatTaken(SECOND, BEN))


def test_few_can_decline_it() -> None:
    """A link that was published does not fill the room's history."""
    room = OPEN.after(Invite(), ANNA)
    for number in range(MOST_DECLINED):
        room = room.after(commands.DeclineInvitation(CODE), PlayerId(f"p-{number}"))
    room.when(commands.DeclineInvitation(CODE), by=BEN).rejected("already_declined")


def test_a_closed_room_admits_nobody() -> None:
    """Whatever its invitations say."""
    closed = OPEN.after(Invite(), ANNA).after(commands.Close(), ANNA)
    closed.when(by_code(), by=BEN).rejected("room_closed")


def test_ended_ones_are_forgotten() -> None:
    """The oldest first, so that a room's state has a limit."""
    room = OPEN
    for number in range(1, MOST_ENDED + 4):
        room = room.after(Invite(), ANNA, seed=bytes([number] * 32)).after(commands.RevokeInvitation(number), ANNA)
    room = room.after(Invite(), ANNA)
    assert len(room.table.invitations) == MOST_ENDED + 1
    room.when(by_code(code_of(bytes([3] * 32))), by=BEN).rejected("no_such_invitation")
    room.when(by_code(code_of(bytes([4] * 32))), by=BEN).rejected("invitation_ended")
    assert find_invitation(room.table, CODE) == room.table.invitations[-1]
    assert fold(given(room.history[0].event).room, room.history[1:]).table == room.table

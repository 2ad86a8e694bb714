"""Private rooms, rooms without spectators, and what the creator may do to others."""

import msgspec
import pytest
from msgspec.structs import replace

from service.domain.game import Rejected, redact
from service.domain.ids import PlayerId
from service.domain.room.model import commands, events
from service.domain.room.model.commands import AnyCommand
from service.domain.room.model.settings import OpenRoom, RequestedSettings
from service.domain.room.model.state import audience
from service.domain.room.process import open_room, run
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.validation import Invalid
from service.rooms.access.policy import reading_refusal
from service.rooms.views.match_view import Viewer
from service.rooms.views.room_view import view_for
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    DORA,
    FIRST,
    KEY,
    NOON,
    SECOND,
    Given,
    context,
    given,
    join,
    match_start,
    new_room,
)

LOCK, OTHER = "scrypt.00.11", "scrypt.00.22"
THREE = given(new_room("ternio", start="full"), join(ANNA, 0), join(BEN, 1)).after(commands.Join(), CLARA)
"""Three play Ternio."""


def command_with_lock(room: Given, command: AnyCommand, by: PlayerId, lock: str | None) -> Given:
    """Return the room after a command with a password of this hash."""
    work = run(room.room, command, replace(context(by), lock=lock))
    assert work.room is not None
    return Given(work.room, [*room.history, *work.recorded])


def private() -> Given:
    """Return a room that Anna has opened with a password."""
    command = OpenRoom("morris", settings=RequestedSettings(visibility="private", password="sesame"))  # noqa: S106 - a test's
    work = open_room(command, KEY.name, KEY.epoch, replace(context(ANNA), lock=LOCK))
    assert work.room is not None
    return Given(work.room, work.recorded)


@pytest.mark.parametrize("lock", [None, OTHER])
def test_without_its_password_a_private_room_does_not_exist(lock: str | None) -> None:
    """For everybody who tries to join or to read it."""
    with pytest.raises(Rejected, match="no_such_room"):
        command_with_lock(private(), commands.Join(), BEN, lock)
    assert reading_refusal(private().table, BEN) == reading_refusal(private().table, None) == "no_such_room"


def test_with_its_password_a_private_room_is_like_others() -> None:
    """Players and spectators can join; members can read it."""
    came = command_with_lock(
        command_with_lock(private(), commands.Join(), BEN, LOCK), commands.Join("spectator"), CLARA, LOCK
    )
    assert came.table.seats == (ANNA, BEN)
    assert [reading_refusal(came.table, player) for player in (ANNA, BEN, CLARA)] == [None] * 3
    assert reading_refusal(came.after(commands.Leave(), BEN).table, BEN) == "no_such_room"


def test_the_hash_of_the_password_is_never_sent() -> None:
    """Neither in an event nor in a view; the password itself is not stored at all."""
    room = private()
    changed = command_with_lock(room, commands.Configure(settings={"password": "second"}), ANNA, OTHER)
    for recorded in (*room.history, *changed.history):
        for seat in (None, FIRST, SECOND):
            assert b"scrypt" not in msgspec.json.encode(redact(recorded.event, seat))
        assert b"sesame" not in msgspec.json.encode(recorded.event)
    assert b"scrypt" not in view_for(Viewer(FIRST), changed.room, NOON).json
    assert (room.table.lock, changed.table.lock) == (LOCK, OTHER)


def test_a_room_becomes_private_and_public_again() -> None:
    """A private room needs a password, a public one has none."""
    room = given(new_room(), join(ANNA, 0))
    with pytest.raises(Invalid) as invalid:
        room.after(commands.Configure(settings={"visibility": "private"}), ANNA)
    assert invalid.value.pointer == "/settings/password"
    with pytest.raises(Invalid):
        command_with_lock(room, commands.Configure(settings={"password": "another"}), ANNA, LOCK)
    closed = command_with_lock(
        room, commands.Configure(settings={"visibility": "private", "password": "another"}), ANNA, LOCK
    )
    assert closed.table.lock == LOCK
    assert closed.after(commands.Configure(settings={"restart": 0}), ANNA).table.lock == LOCK
    assert closed.after(commands.Configure(settings={"visibility": "public"}), ANNA).table.lock is None


def test_a_password_changed_during_a_match_applies_after_it() -> None:
    """This applies to every other setting as well."""
    playing = given(new_room(), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))
    changed = command_with_lock(
        playing, commands.Configure(settings={"visibility": "private", "password": "another"}), ANNA, LOCK
    )
    assert changed.table.lock is None
    assert changed.after(commands.Resign(), BEN).table.lock == LOCK


def test_the_operator_reads_every_room_and_is_a_member_of_none() -> None:
    """They cannot be seated, and passwords make no difference to them."""
    quiet = given(new_room(spectators=False), join(ANNA, 0), join(BEN, 1))
    closed = command_with_lock(
        quiet, commands.Configure(settings={"visibility": "private", "password": "another"}), ANNA, LOCK
    )
    for room in (quiet, closed):
        assert (reading_refusal(room.table, OPERATOR), audience(room.table, OPERATOR, FIRST)) == (None, None)
        room.when(commands.AssignSeats((OPERATOR, BEN)), by=ANNA).rejected("no_such_player", player=OPERATOR)


def test_a_room_can_exclude_spectators() -> None:
    """Players can join; others cannot see it."""
    quiet = given(new_room(spectators=False), join(ANNA, 0))
    quiet.when(commands.Join("spectator"), by=BEN).rejected("no_spectators")
    assert reading_refusal(quiet.table, BEN) == "members_only"
    assert reading_refusal(quiet.after(commands.Join(), BEN).table, BEN) is None


def test_the_creator_removes_somebody_before_a_match() -> None:
    """They are removed at once, and cannot come back."""
    room = given(new_room(), join(ANNA, 0), join(BEN, 1))
    room.when(commands.Kick(BEN), by=ANNA).then(events.SeatLeft(SECOND, BEN), events.PlayerKicked(BEN))
    room.after(commands.Kick(BEN), ANNA).when(commands.Join(), by=BEN).rejected("kicked")
    room.when(commands.Kick(ANNA), by=BEN).rejected("not_the_creator")
    room.when(commands.Kick(CLARA), by=ANNA).rejected("no_such_player", player=CLARA)


def test_during_a_match_the_others_have_to_agree() -> None:
    """But not the player who is to be removed."""
    offered = THREE.after(commands.Kick(BEN), ANNA)
    assert [offer.target for offer in offered.table.offers] == [BEN]
    offered.when(commands.Answer(1, accept=True), by=BEN).rejected("not_asked")
    gone = offered.after(commands.Answer(1, accept=True), CLARA)
    assert gone.table.seats == (ANNA, None, CLARA)
    assert BEN not in gone.table.members
    assert gone.table.status == "playing"


def test_of_two_players_neither_can_remove_the_other_alone() -> None:
    """The opponent would have to agree; spectators are removed at once."""
    playing = given(new_room(), join(ANNA, 0), join(BEN, 1), join(DORA), match_start(ANNA, BEN))
    offered = playing.after(commands.Kick(BEN), ANNA)
    assert BEN in offered.table.members
    assert BEN not in offered.after(commands.Answer(1, accept=True), BEN).table.members
    playing.when(commands.Kick(DORA), by=ANNA).then(events.PlayerKicked(DORA))


def test_a_creator_without_a_seat_needs_the_players_agreement_as_well() -> None:
    """Anna has no seat; Clara, who plays against Ben, is asked."""
    playing = given(new_room(start="creator"), join(ANNA), join(BEN, 0), join(CLARA, 1), match_start(BEN, CLARA))
    offered = playing.after(commands.Kick(BEN), ANNA)
    offered.when(commands.Answer(1, accept=True), by=BEN).rejected("not_asked")
    gone = offered.after(commands.Answer(1, accept=True), CLARA)
    assert (gone.table.seats, BEN in gone.table.members) == ((None, CLARA), False)


@pytest.mark.parametrize(
    ("goes", "by"), [(commands.Leave(), BEN), (commands.Leave(), ANNA), (commands.LeaveSeat(), BEN)]
)
def test_the_offer_lapses_when_its_target_or_the_creator_leaves(goes: AnyCommand, by: PlayerId) -> None:
    """Then nobody is left to remove, or nobody who wants it."""
    gone = THREE.after(commands.Kick(BEN), ANNA).after(goes, by)
    assert gone.table.offers == ()


def test_a_muted_player_who_comes_back_is_still_muted() -> None:
    """They are muted until the creator unmutes them."""
    room = given(new_room(), join(ANNA, 0), join(BEN, 1))
    muted = room.after(commands.Mute(BEN, on=True), ANNA)
    assert muted.table.members[BEN].muted
    assert muted.after(commands.Leave(), BEN).after(commands.Join(), BEN).table.members[BEN].muted
    muted.when(commands.Mute(BEN, on=True), by=ANNA).rejected("already_so")
    assert not muted.after(commands.Mute(BEN, on=False), ANNA).table.members[BEN].muted
    room.when(commands.Mute(ANNA, on=True), by=BEN).rejected("not_the_creator")
    room.when(commands.Mute(ANNA, on=True), by=ANNA).rejected("not_yourself")


def test_a_new_creator_is_unmuted() -> None:
    """Nobody else could unmute them."""
    muted = given(new_room(), join(ANNA, 0), join(BEN, 1)).after(commands.Mute(BEN, on=True), ANNA)
    left = (events.SeatLeft(FIRST, ANNA), events.PlayerLeft(ANNA))
    muted.when(commands.Leave(), by=ANNA).then(*left, events.CreatorChanged(BEN), events.PlayerMuted(BEN, on=False))
    heir = muted.after(commands.Leave(), ANNA).table
    assert (heir.members[BEN].muted, heir.muted) == (False, ())

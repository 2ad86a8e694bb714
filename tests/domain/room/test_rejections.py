"""Every code with which a room rejects commands, each raised by a minimal case."""

import dataclasses
from collections.abc import Callable

import pytest

from service.domain.catalog import GAMES
from service.domain.game import Rejected, Seat
from service.domain.ids import Millis, PlayerId
from service.domain.room.model import commands, events, names
from service.domain.room.model.clock import LAG, PerMove
from service.domain.room.model.commands import AnyCommand
from service.domain.room.model.events import MOST_OPEN
from service.streams.codes import CATALOGUE
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    BOT,
    CLARA,
    NOON,
    SEED,
    Given,
    bot_join,
    code_of,
    given,
    join,
    match_start,
    new_room,
)

PLACE_A1 = commands.Play({"type": "place", "at": "a1"})

ALONE = given(new_room(), join(ANNA, 0))
"""Anna waits for an opponent."""

FULL = given(new_room(), join(ANNA, 0), join(BEN, 1), join(CLARA))
"""Anna and Ben hold both seats, and Clara is a spectator; nobody is ready."""

PLAYING = given(new_room(), join(ANNA, 0), join(BEN, 1), join(CLARA), match_start(ANNA, BEN))
"""Anna and Ben play, and Clara is a spectator."""


def with_invitations(count: int) -> Given:
    """Return a room with this many open invitations."""
    room = FULL
    for _ in range(count):
        room = room.after(commands.Invite(), BEN)
    return room


RATED = given(
    new_room(rated=True, clock=PerMove(Millis(86_400_000))),
    *(join(ANNA, 0), join(BEN, 1), join(CLARA), match_start(ANNA, BEN)),
)
"""Anna and Ben play a rated match, and Clara is a spectator."""

OFFERED = PLAYING.after(commands.OfferDraw(), ANNA)
"""Anna has offered Ben a draw."""

BOTH_HERS = given(new_room(hot_seat=True), join(ANNA, 0), events.SeatTaken(Seat(1), ANNA))
"""Anna holds both seats of a hot-seat room."""

THREE = given(new_room("ternio", start="creator"), join(ANNA, 0), join(BEN, 1), join(CLARA, 2))
TERNIO = THREE.after(commands.Start(), ANNA)
"""Three play Ternio."""

GAP = TERNIO.after(commands.LeaveSeat(), CLARA)
"""Three play Ternio, and Clara has left her seat."""

CLOSED = given(new_room(), join(ANNA, 0), events.RoomClosed("by_creator"))

BOTS = given(new_room(hot_seat=True), join(ANNA, 0), bot_join(1, BOT))
"""Anna waits in a hot-seat room with a bot."""

DECLINED = (
    given(new_room(), join(ANNA, 0), bot_join(1, BOT)).after(commands.Ready(), ANNA).after(commands.OfferDraw(), ANNA)
)
DECLINED = DECLINED.after(commands.AnswerFor(Seat(1), 1, accept=False), BOT)
"""A bot has declined the draw that Anna offered."""

HURRIED = given(new_room(clock=PerMove(Millis(1000)), on_timeout="bot_move"), join(ANNA, 0), join(BEN, 1))
LATE = Given(HURRIED.after(commands.Ready(), ANNA).after(commands.Ready(), BEN).room, ())
OUT_OF_TIME = LATE.after(commands.Proceed(), None, Millis(NOON + 1000 + LAG))
"""Anna had a second and let it pass; the service moves for her."""

INVITING = FULL.after(commands.Invite(), BEN)
"""Ben has made an invitation, which nobody has used."""
CODE = code_of(SEED)
DECLINE = commands.DeclineInvitation(CODE)
DORA = PlayerId("p-dora")

TO_SEAT = ALONE.after(commands.Invite(seat=Seat(1)), ANNA)
"""Anna waits for an opponent, and has invited one to the other seat."""

REFUSED: list[tuple[str, Given, PlayerId | None, AnyCommand]] = [
    ("not_your_turn", PLAYING, BEN, PLACE_A1),
    ("not_playing", FULL, ANNA, PLACE_A1),
    ("not_playing", FULL, ANNA, commands.Resign()),
    ("match_running", PLAYING, ANNA, commands.AssignSeats((BEN, ANNA))),
    ("match_running", PLAYING, ANNA, commands.Start()),
    ("not_a_member", ALONE, BEN, commands.Leave()),
    ("not_a_member", ALONE, BEN, commands.Close()),
    ("not_a_member", PLAYING, None, PLACE_A1),
    ("not_seated", PLAYING, CLARA, PLACE_A1),
    ("not_seated", PLAYING, CLARA, commands.Resign()),
    ("not_seated", FULL, CLARA, commands.Ready()),
    ("not_seated", FULL, CLARA, commands.LeaveSeat()),
    ("not_your_seat", PLAYING, ANNA, commands.Play(PLACE_A1.move, seat=Seat(1))),
    ("not_your_seat", PLAYING, ANNA, commands.Resign(Seat(1))),
    ("not_your_seat", ALONE, ANNA, commands.LeaveSeat(Seat(1))),
    ("not_the_creator", FULL, BEN, commands.Close()),
    ("not_the_creator", FULL, BEN, commands.Start()),
    ("not_the_creator", FULL, BEN, commands.AssignSeats((BEN, ANNA))),
    ("not_the_creator", FULL, BEN, commands.AddBot("easy")),
    ("not_the_creator", FULL, BEN, commands.RemoveBot(Seat(0))),
    ("room_full", FULL, ANNA, commands.AddBot("easy")),
    ("not_a_bot", FULL, ANNA, commands.RemoveBot(Seat(1))),
    ("not_a_bot", ALONE, ANNA, commands.RemoveBot(Seat(1))),
    ("no_such_seat", FULL, ANNA, commands.RemoveBot(Seat(2))),
    ("already_seated", BOTS, ANNA, commands.AssignSeats((BOT, BOT))),
    ("seat_required", BOTH_HERS, ANNA, commands.LeaveSeat()),
    ("no_such_seat", ALONE, BEN, commands.Join(seat=Seat(2))),
    ("no_such_seat", ALONE, ANNA, commands.TakeSeat(Seat(2))),
    ("seats_count", FULL, ANNA, commands.AssignSeats((ANNA, BEN, None))),
    ("already_joined", ALONE, ANNA, commands.Join()),
    ("already_seated", given(new_room("ternio"), join(ANNA, 0)), ANNA, commands.AssignSeats((ANNA, ANNA, None))),
    ("already_seated", GAP, ANNA, commands.TakeSeat(Seat(2))),
    ("already_ready", given(new_room(), join(ANNA, 0), events.PlayerReadied(ANNA)), ANNA, commands.Ready()),
    ("salt_too_early", TERNIO, ANNA, commands.Ready("pepper")),
    ("not_ready", FULL, ANNA, commands.Unready()),
    ("already_dropped", TERNIO.after(commands.Resign(), ANNA), ANNA, commands.Resign()),
    ("room_full", FULL, PlayerId("p-dora"), commands.Join()),
    ("seat_taken", ALONE, BEN, commands.Join(seat=Seat(0))),
    ("seat_taken", FULL, CLARA, commands.TakeSeat(Seat(0))),
    ("seats_empty", given(new_room(start="creator"), join(ANNA, 0)), ANNA, commands.Start()),
    ("starts_by_itself", FULL, ANNA, commands.Start()),
    ("is_spectator", FULL, ANNA, commands.AssignSeats((ANNA, CLARA))),
    ("no_such_player", FULL, ANNA, commands.AssignSeats((ANNA, PlayerId("p-nobody")))),
    ("time_is_up", OUT_OF_TIME, ANNA, PLACE_A1),
    ("nickname_taken", ALONE, BEN, commands.Join(nickname="Anna")),
    ("bad_nickname", ALONE, BEN, commands.Join(nickname="\u202eanna")),
    ("already_so", ALONE, ANNA, commands.Configure()),
    ("nothing_to_veto", FULL, ANNA, commands.VetoNext()),
    ("no_spectators", given(new_room(spectators=False), join(ANNA, 0)), BEN, commands.Join("spectator")),
    ("kicked", given(new_room(), join(ANNA, 0), join(BEN)).after(commands.Kick(BEN), ANNA), BEN, commands.Join()),
    ("rated_match", RATED, ANNA, commands.RequestTakeback()),
    ("rated_match", RATED, ANNA, commands.RequestRestart()),
    ("rated_match", RATED, ANNA, commands.RequestNew()),
    ("rated_match", RATED, ANNA, commands.Configure(settings={"best_of": 3})),
    ("rated_match", RATED, ANNA, commands.Kick(BEN)),
    ("rated_match", RATED, ANNA, commands.Close()),
    ("rated_match", RATED.after(commands.LeaveSeat(), BEN), ANNA, commands.Kick(BEN)),
    ("rated_match", RATED.after(commands.LeaveSeat(), BEN), ANNA, commands.AddBot("easy")),
    ("rated_match", RATED.after(commands.LeaveSeat(), BEN), CLARA, commands.TakeSeat(Seat(1))),
    ("rated_match", RATED.after(commands.LeaveSeat(), BEN), PlayerId("p-dora"), commands.Join()),
    ("no_such_invitation", INVITING, DORA, commands.Join("spectator", invitation="another")),
    ("no_such_invitation", INVITING, ANNA, commands.RevokeInvitation(2)),
    ("no_such_invitation", INVITING, DORA, commands.DeclineInvitation("another")),
    ("invitation_ended", INVITING.after(commands.RevokeInvitation(1), BEN), BEN, commands.RevokeInvitation(1)),
    ("not_your_invitation", INVITING, CLARA, commands.RevokeInvitation(1)),
    ("already_joined", INVITING, CLARA, DECLINE),
    (
        "already_declined",
        INVITING.after(commands.DeclineInvitation(CODE), DORA),
        DORA,
        commands.DeclineInvitation(CODE),
    ),
    ("too_many_invitations", with_invitations(MOST_OPEN), ANNA, commands.Invite()),
    (
        "invited_to_seat",
        ALONE.after(commands.Invite(seat=Seat(1)), ANNA),
        DORA,
        commands.Join("spectator", invitation=CODE),
    ),
    ("not_yourself", ALONE, ANNA, commands.Kick(ANNA)),
    ("not_abandoned", PLAYING, ANNA, commands.ClaimAbandoned(Seat(1), "win")),
    ("already_offered", OFFERED, ANNA, commands.OfferDraw()),
    ("draw_offered_here", DECLINED, ANNA, commands.OfferDraw()),
    ("no_such_offer", PLAYING, ANNA, commands.Answer(1, accept=True)),
    ("not_asked", OFFERED, ANNA, commands.Answer(1, accept=True)),
    ("not_your_offer", OFFERED, BEN, commands.Withdraw(1)),
    ("nothing_to_take_back", PLAYING, ANNA, commands.RequestTakeback()),
    ("room_closed", CLOSED, ANNA, commands.Leave()),
    ("room_closed", CLOSED, BEN, commands.Join()),
    ("room_closed", CLOSED, None, commands.Proceed()),
    ("nothing_due", FULL, None, commands.Proceed()),
    ("nothing_due", PLAYING, None, commands.Proceed()),
    ("nothing_due", PLAYING, None, commands.PlayFor(Seat(0), PLACE_A1.move, PLAYING.room.version)),
    ("nothing_due", PLAYING, None, commands.AnswerFor(Seat(0), 1, accept=True)),
    ("nothing_due", PLAYING, None, commands.OfferFor(Seat(0))),
    ("not_playing", FULL, None, commands.PlayFor(Seat(0), PLACE_A1.move, FULL.room.version)),
]


def case_name(value: object) -> str | None:
    """Return a test case's name: its code or its command."""
    if isinstance(value, commands.Command):
        return type(value).__name__
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(("code", "room", "by", "command"), REFUSED, ids=case_name)
def test_a_command_is_rejected(code: str, room: Given, by: PlayerId | None, command: AnyCommand) -> None:
    """Because of the room's state, the seats or the caller's rights."""
    room.when(command, by=by).rejected(code)


BAD_NAMES: list[tuple[Callable[[str], str], str]] = [(names.room_name, "ab"), (names.room_title, "\u202e")]


@pytest.mark.parametrize(("name", "text"), BAD_NAMES)
def test_an_invalid_room_name_is_rejected(name: Callable[[str], str], text: str) -> None:
    """Names are checked before there is a room."""
    with pytest.raises(Rejected) as refused:
        name(text)
    assert refused.value.code == "bad_name"


def test_a_game_without_bots_has_one_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the level easy, moves are random."""
    monkeypatch.setitem(GAMES, "morris", dataclasses.replace(GAMES["morris"], choose=None))
    ALONE.when(commands.AddBot("hard"), by=ANNA).rejected("no_such_level", levels=("easy",))
    assert ALONE.after(commands.AddBot("easy"), ANNA).table.members[BOT].bot == "easy"


def test_every_code_has_a_case() -> None:
    """A code that no case raises is dead, and one that is not in the catalogue is a bug."""
    elsewhere = {"bad_name", "members_only", "no_such_level", "position_over"}
    assert {code for code, _, _, _ in REFUSED} | elsewhere == CATALOGUE.rooms.keys()

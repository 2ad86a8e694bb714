"""Every code with which a room rejects commands, each raised by a minimal case."""

import dataclasses
from collections.abc import Callable

import pytest

from service.domain.catalog import GAMES
from service.domain.game import Rejected, Seat
from service.domain.room.model import commands as ask
from service.domain.room.model import events as happened
from service.domain.room.model.clock import LAG, PerMove
from service.domain.room.model.codes import ROOM_CODES
from service.domain.room.model.commands import AnyCommand
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.names import names
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    BOT,
    CLARA,
    NOON,
    Given,
    begun,
    given,
    joined,
    seated_bot,
    table,
)

PLACE_A1 = ask.Play({"type": "place", "at": "a1"})

ALONE = given(table(), joined(ANNA, 0))
"""Anna waits for an opponent."""

FULL = given(table(), joined(ANNA, 0), joined(BEN, 1), joined(CLARA))
"""Anna and Ben hold both seats, and Clara is a spectator; nobody is ready."""

PLAYING = given(table(), joined(ANNA, 0), joined(BEN, 1), joined(CLARA), begun(ANNA, BEN))
"""Anna and Ben play, and Clara is a spectator."""

OFFERED = PLAYING.after(ask.OfferDraw(), ANNA)
"""Anna has offered Ben a draw."""

BOTH_HERS = given(table(hot_seat=True), joined(ANNA, 0), happened.SeatTaken(Seat(1), ANNA))
"""Anna holds both seats of a hot-seat room."""

THREE = given(table("ternio", start="creator"), joined(ANNA, 0), joined(BEN, 1), joined(CLARA, 2))
TERNIO = THREE.after(ask.Start(), ANNA)
"""Three play Ternio."""

GAP = TERNIO.after(ask.LeaveSeat(), CLARA)
"""Three play Ternio, and Clara has left her seat."""

CLOSED = given(table(), joined(ANNA, 0), happened.RoomClosed("by_creator"))

BOTS = given(table(hot_seat=True), joined(ANNA, 0), seated_bot(1, BOT))
"""Anna waits in a hot-seat room with a bot."""

DECLINED = given(table(), joined(ANNA, 0), seated_bot(1, BOT)).after(ask.Ready(), ANNA).after(ask.OfferDraw(), ANNA)
DECLINED = DECLINED.after(ask.AnswerFor(Seat(1), 1, accept=False), BOT)
"""A bot has declined the draw that Anna offered."""

HURRIED = given(table(clock=PerMove(Millis(1000)), on_timeout="bot_move"), joined(ANNA, 0), joined(BEN, 1))
LATE = Given(HURRIED.after(ask.Ready(), ANNA).after(ask.Ready(), BEN).room, ())
OUT_OF_TIME = LATE.after(ask.Proceed(), None, Millis(NOON + 1000 + LAG))
"""Anna had a second and let it pass; the service moves for her."""

REFUSED: list[tuple[str, Given, PlayerId | None, AnyCommand]] = [
    ("not_your_turn", PLAYING, BEN, PLACE_A1),
    ("not_playing", FULL, ANNA, PLACE_A1),
    ("not_playing", FULL, ANNA, ask.Resign()),
    ("match_running", PLAYING, ANNA, ask.AssignSeats((BEN, ANNA))),
    ("match_running", PLAYING, ANNA, ask.Start()),
    ("not_a_member", ALONE, BEN, ask.Leave()),
    ("not_a_member", ALONE, BEN, ask.Close()),
    ("not_a_member", PLAYING, None, PLACE_A1),
    ("not_seated", PLAYING, CLARA, PLACE_A1),
    ("not_seated", PLAYING, CLARA, ask.Resign()),
    ("not_seated", FULL, CLARA, ask.Ready()),
    ("not_seated", FULL, CLARA, ask.LeaveSeat()),
    ("not_your_seat", PLAYING, ANNA, ask.Play(PLACE_A1.move, seat=Seat(1))),
    ("not_your_seat", PLAYING, ANNA, ask.Resign(Seat(1))),
    ("not_your_seat", ALONE, ANNA, ask.LeaveSeat(Seat(1))),
    ("not_the_creator", FULL, BEN, ask.Close()),
    ("not_the_creator", FULL, BEN, ask.Start()),
    ("not_the_creator", FULL, BEN, ask.AssignSeats((BEN, ANNA))),
    ("not_the_creator", FULL, BEN, ask.AddBot("easy")),
    ("not_the_creator", FULL, BEN, ask.RemoveBot(Seat(0))),
    ("room_full", FULL, ANNA, ask.AddBot("easy")),
    ("not_a_bot", FULL, ANNA, ask.RemoveBot(Seat(1))),
    ("not_a_bot", ALONE, ANNA, ask.RemoveBot(Seat(1))),
    ("no_such_seat", FULL, ANNA, ask.RemoveBot(Seat(2))),
    ("already_seated", BOTS, ANNA, ask.AssignSeats((BOT, BOT))),
    ("seat_required", BOTH_HERS, ANNA, ask.LeaveSeat()),
    ("no_such_seat", ALONE, BEN, ask.Join(seat=Seat(2))),
    ("no_such_seat", ALONE, ANNA, ask.TakeSeat(Seat(2))),
    ("seats_count", FULL, ANNA, ask.AssignSeats((ANNA, BEN, None))),
    ("already_joined", ALONE, ANNA, ask.Join()),
    ("already_seated", given(table("ternio"), joined(ANNA, 0)), ANNA, ask.AssignSeats((ANNA, ANNA, None))),
    ("already_seated", GAP, ANNA, ask.TakeSeat(Seat(2))),
    ("already_ready", given(table(), joined(ANNA, 0), happened.PlayerReadied(ANNA)), ANNA, ask.Ready()),
    ("salt_too_early", TERNIO, ANNA, ask.Ready("pepper")),
    ("not_ready", FULL, ANNA, ask.Unready()),
    ("already_dropped", TERNIO.after(ask.Resign(), ANNA), ANNA, ask.Resign()),
    ("room_full", FULL, PlayerId("p-dora"), ask.Join()),
    ("seat_taken", ALONE, BEN, ask.Join(seat=Seat(0))),
    ("seat_taken", FULL, CLARA, ask.TakeSeat(Seat(0))),
    ("seats_empty", given(table(start="creator"), joined(ANNA, 0)), ANNA, ask.Start()),
    ("starts_by_itself", FULL, ANNA, ask.Start()),
    ("is_spectator", FULL, ANNA, ask.AssignSeats((ANNA, CLARA))),
    ("no_such_player", FULL, ANNA, ask.AssignSeats((ANNA, PlayerId("p-nobody")))),
    ("time_is_up", OUT_OF_TIME, ANNA, PLACE_A1),
    ("nickname_taken", ALONE, BEN, ask.Join(nickname="Anna")),
    ("bad_nickname", ALONE, BEN, ask.Join(nickname="\u202eanna")),
    ("already_so", ALONE, ANNA, ask.Configure()),
    ("nothing_to_veto", FULL, ANNA, ask.VetoNext()),
    ("no_spectators", given(table(spectators=False), joined(ANNA, 0)), BEN, ask.Join("spectator")),
    ("kicked", given(table(), joined(ANNA, 0), joined(BEN)).after(ask.Kick(BEN), ANNA), BEN, ask.Join()),
    ("not_yourself", ALONE, ANNA, ask.Kick(ANNA)),
    ("not_abandoned", PLAYING, ANNA, ask.ClaimAbandoned(Seat(1), "win")),
    ("already_offered", OFFERED, ANNA, ask.OfferDraw()),
    ("draw_offered_here", DECLINED, ANNA, ask.OfferDraw()),
    ("no_such_offer", PLAYING, ANNA, ask.Answer(1, accept=True)),
    ("not_asked", OFFERED, ANNA, ask.Answer(1, accept=True)),
    ("not_your_offer", OFFERED, BEN, ask.Withdraw(1)),
    ("nothing_to_take_back", PLAYING, ANNA, ask.RequestTakeback()),
    ("room_closed", CLOSED, ANNA, ask.Leave()),
    ("room_closed", CLOSED, BEN, ask.Join()),
    ("room_closed", CLOSED, None, ask.Proceed()),
    ("nothing_due", FULL, None, ask.Proceed()),
    ("nothing_due", PLAYING, None, ask.Proceed()),
    ("nothing_due", PLAYING, None, ask.PlayFor(Seat(0), PLACE_A1.move, PLAYING.room.version)),
    ("nothing_due", PLAYING, None, ask.AnswerFor(Seat(0), 1, accept=True)),
    ("not_playing", FULL, None, ask.PlayFor(Seat(0), PLACE_A1.move, FULL.room.version)),
]


def case_name(value: object) -> str | None:
    """Return a test case's name: its code or its command."""
    if isinstance(value, ask.Command):
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
    """Random moves, at the level easy."""
    monkeypatch.setitem(GAMES, "morris", dataclasses.replace(GAMES["morris"], choose=None))
    ALONE.when(ask.AddBot("hard"), by=ANNA).rejected("no_such_level", levels=("easy",))
    assert ALONE.after(ask.AddBot("easy"), ANNA).table.members[BOT].bot == "easy"


def test_every_code_has_a_case() -> None:
    """A code that no case raises is dead, and one that is not in the catalogue is a bug."""
    assert {code for code, _, _, _ in REFUSED} | {"bad_name", "members_only", "no_such_level"} == ROOM_CODES.keys()

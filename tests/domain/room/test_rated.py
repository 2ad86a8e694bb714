"""Rated matches: what a room for them needs, what they exclude, and that leaving one is a forfeit."""

from typing import Any

import msgspec
import pytest

from service.domain.game import Dropped, Rejected
from service.domain.ids import Millis, Outage, PlayerId
from service.domain.room.model import commands, events
from service.domain.room.model.clock import PerMove
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings, Settings
from service.domain.room.process import open_room, run
from service.domain.room.subjects.offers import can_take_back
from service.domain.room.subjects.seats import require_hint_seat
from service.domain.validation import Invalid, convert
from service.rooms.views.match_view import MatchViews, Viewer
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    FIRST,
    KEY,
    NOON,
    SECOND,
    THIRD,
    Given,
    bot_join,
    context,
    given,
    join,
    match_end,
    match_end_with,
    match_start,
    new_room,
    place,
)

GRACE, DAY = 60_000, 86_400_000
OVER = Millis(NOON + GRACE)
CLOCK = PerMove(Millis(DAY))
TWO = given(new_room(rated=True, restart=None, clock=CLOCK), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))
BEN_GONE = TWO.after(commands.Desert(BEN), None)
BEN_LEFT = TWO.after(commands.LeaveSeat(), BEN)
ANNA_WINS = match_end("forfeited", 1, 2)


def three() -> Given:
    """Return a rated match of Ternio between three players."""
    room = given(new_room("ternio", start="full", rated=True, clock=CLOCK), join(ANNA, 0), join(BEN, 1))
    return room.after(commands.Join(), CLARA)


@pytest.mark.parametrize(
    ("settings", "pointer"),
    [
        ({"clock": {"type": "none"}}, "/settings/clock"),
        ({"hot_seat": True}, "/settings/hot_seat"),
        ({"on_timeout": "bot_move"}, "/settings/on_timeout"),
        ({"on_timeout": "random_move"}, "/settings/on_timeout"),
        ({"visibility": "private", "password": "sesame"}, "/settings/visibility"),
    ],
)
def test_a_room_for_them_needs_some_settings(settings: dict[str, Any], pointer: str) -> None:
    """When it is opened, and when it becomes one."""
    wanted = {"rated": True, "clock": {"type": "per_move", "ms": 5000}, **settings}
    with pytest.raises(Invalid) as opening:
        open_room(OpenRoom("morris", settings=convert(wanted, RequestedSettings)), KEY.name, KEY.epoch, context(ANNA))
    with pytest.raises(Invalid) as configuring:
        given(new_room(), join(ANNA, 0)).after(commands.Configure(settings=wanted), ANNA)
    assert (opening.value.pointer, configuring.value.pointer) == (pointer, pointer)


def test_no_bot_plays_one() -> None:
    """None is seated when the room is opened or later, and bots leave a room that becomes rated."""
    settings = RequestedSettings(rated=True, clock=CLOCK)
    with pytest.raises(Invalid, match="no bots"):
        open_room(OpenRoom("morris", settings=settings, seats=("me", BotSeat("easy"))), *KEY_PARTS, context(ANNA))
    given(new_room(rated=True, clock=CLOCK), join(ANNA, 0)).when(commands.AddBot("easy"), by=ANNA).rejected(
        "rated_match"
    )
    wanted = {"rated": True, "clock": {"type": "per_move", "ms": 5000}}
    room = given(new_room(), join(ANNA, 0), bot_join(1)).after(commands.Configure(settings=wanted), ANNA)
    assert room.table.seats == (ANNA, None)
    assert list(room.table.members) == [ANNA]


KEY_PARTS = (KEY.name, KEY.epoch)


def test_old_rooms_and_matches_are_not_rated() -> None:
    """Events of earlier releases have no such field."""
    assert not convert({}, Settings).rated
    started = msgspec.to_builtins(match_start(ANNA, BEN))
    del started["rated"]
    assert not msgspec.convert(started, events.MatchStarted).rated


def test_the_start_and_the_view_say_so() -> None:
    """For everyone who reads the match later."""
    room = given(new_room(start="full", rated=True, clock=CLOCK), join(ANNA, 0)).after(commands.Join(), BEN)
    started = [each.event for each in room.history if isinstance(each.event, events.MatchStarted)]
    assert [each.rated for each in started] == [True]
    for each, rated in ((room, True), (given(new_room(), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN)), False)):
        match = each.room.match
        assert match is not None
        assert MatchViews(match, NOON).with_state(Viewer(None)).rated is rated


def test_nobody_gets_help() -> None:
    """Neither a hint nor a takeback, which the view does not offer either."""
    room = TWO.after(place("a1"), ANNA).after(place("b2"), BEN)
    match = room.room.match
    assert match is not None
    assert not can_take_back(match, FIRST)
    with pytest.raises(Rejected, match="rated_match"):
        require_hint_seat(room.room, ANNA, None)


def test_a_draw_can_be_agreed() -> None:
    """And a seat resigned."""
    draw = TWO.after(commands.OfferDraw(), ANNA).after(commands.Answer(1, accept=True), BEN)
    assert draw.room.match is not None
    assert draw.room.match.result is not None
    assert draw.room.match.result.reason == "agreed"
    TWO.when(commands.Resign(), by=BEN).then(Dropped(SECOND, "resigned"), match_end("resigned", 1, 2))


def test_after_a_match_the_room_is_free() -> None:
    """To be configured and closed, and for another match, but not for the same layout again."""
    room = TWO.after(commands.Resign(), BEN)
    room.when(commands.RequestRestart(), by=ANNA).rejected("rated_match")
    room.when(commands.RequestNew(), by=ANNA).then(events.OfferMade(1, "new", ANNA))
    room.when(commands.Kick(BEN), by=ANNA).then(events.SeatLeft(SECOND, BEN), events.PlayerKicked(BEN))
    room.when(commands.Close(), by=ANNA).then(events.RoomClosed("by_creator"))
    assert not room.after(commands.Configure(settings={"rated": False}), ANNA).table.settings.rated


def test_a_spectator_can_be_kicked() -> None:
    """They do not play."""
    room = TWO.after(commands.Join("spectator"), CLARA)
    room.when(commands.Kick(CLARA), by=ANNA).then(events.PlayerKicked(CLARA))


@pytest.mark.parametrize("room", [BEN_GONE, BEN_LEFT], ids=["gone", "seat"])
def test_who_stays_away_forfeits(room: Given) -> None:
    """After the grace time, by a system command that is due then, whether they are gone or have left the seat."""
    due = room.due
    assert due is not None
    assert (due.at, due.why) == (OVER, "absence")
    room.when(commands.Proceed(), by=None, at=Millis(OVER - 1)).rejected("nothing_due")
    room.when(commands.Proceed(), by=None, at=OVER).then(Dropped(SECOND, "forfeited"), ANNA_WINS)


def test_who_comes_back_in_time_plays_on() -> None:
    """On their own seat, whether they lost their connection or left the seat."""
    BEN_GONE.after(commands.Return(BEN), None).when(commands.Proceed(), by=None, at=OVER).rejected("nothing_due")
    BEN_LEFT.when(commands.TakeSeat(SECOND), by=BEN).then(events.SeatTaken(SECOND, BEN))
    room = three().after(commands.LeaveSeat(), BEN).after(commands.LeaveSeat(), CLARA)
    back = room.after(commands.TakeSeat(SECOND), BEN)
    assert back.table.seats == (ANNA, BEN, None)
    back.when(commands.TakeSeat(SECOND), by=CLARA).rejected("seat_taken")
    room.when(commands.TakeSeat(SECOND), by=CLARA).rejected("rated_match")


@pytest.mark.parametrize("room", [TWO, BEN_GONE], ids=["here", "gone"])
def test_who_leaves_the_room_forfeits_at_once(room: Given) -> None:
    """With two seats, that ends the match."""
    room.when(commands.Leave(), by=BEN).then(
        *([events.SeatReturned(SECOND)] if room is BEN_GONE else []),
        Dropped(SECOND, "forfeited"),
        events.SeatLeft(SECOND, BEN),
        events.PlayerLeft(BEN),
        ANNA_WINS,
    )


def test_who_leaves_the_room_after_the_seat_forfeits_at_once() -> None:
    """The grace time is for those who may come back."""
    BEN_LEFT.when(commands.Leave(), by=BEN).then(Dropped(SECOND, "forfeited"), events.PlayerLeft(BEN), ANNA_WINS)


def test_of_three_who_leaves_the_room_drops_out_at_once() -> None:
    """The others play on, also if the player comes back; the second one to leave ends the match."""
    left = three().after(commands.Leave(), BEN)
    assert left.room.playing is not None
    assert left.room.playing.dropped == {SECOND: "forfeited"}
    back = left.after(commands.Join(), BEN)
    assert back.table.seats == (ANNA, BEN, CLARA)
    back.when(commands.Resign(), by=BEN).rejected("already_dropped")
    for room in (left, back):
        over = room.after(commands.Leave(), CLARA).room.match
        assert over is not None
        assert over.result is not None
        assert over.result.places == (1, 3, 2)


def test_who_has_resigned_leaves_as_they_are() -> None:
    """They have dropped out already."""
    resigned = three().after(commands.Resign(), BEN)
    resigned.when(commands.Leave(), by=BEN).then(events.SeatLeft(SECOND, BEN), events.PlayerLeft(BEN))


def test_who_watches_a_rated_match_leaves_it_as_it_is() -> None:
    """They do not play."""
    TWO.after(commands.Join("spectator"), CLARA).when(commands.Leave(), by=CLARA).then(events.PlayerLeft(CLARA))


def test_who_stays_can_claim_a_win_but_no_bot() -> None:
    """The claim is only as early as the forfeit."""
    claim = commands.ClaimAbandoned(SECOND, "win")
    BEN_GONE.when(claim, by=ANNA, at=Millis(OVER - 1)).rejected("not_abandoned")
    BEN_GONE.when(claim, by=ANNA, at=OVER).then(Dropped(SECOND, "forfeited"), ANNA_WINS)
    BEN_GONE.when(commands.ClaimAbandoned(SECOND, "bot"), by=ANNA, at=OVER).rejected("rated_match")


def test_while_everybody_is_absent_nobody_forfeits() -> None:
    """Then the clock decides; as soon as one is back, the other forfeits."""
    room = BEN_GONE.after(commands.Desert(ANNA), None)
    due = room.due
    assert due is not None
    assert due.why == "flag"
    room.when(commands.Proceed(), by=None, at=OVER).rejected("nothing_due")
    room.when(commands.Return(ANNA), by=None, at=OVER).then(
        events.SeatReturned(FIRST), Dropped(SECOND, "forfeited"), ANNA_WINS
    )


def test_of_three_one_forfeits_and_the_others_play_on() -> None:
    """Then the next one, until one is left."""
    room = three().after(commands.Desert(CLARA), None).after(commands.Desert(BEN), None, Millis(NOON + 1000))
    room = room.after(commands.Proceed(), None, OVER)
    assert room.room.playing is not None
    assert list(room.room.playing.dropped) == [THIRD]
    room = room.after(commands.Proceed(), None, Millis(OVER + 1000))
    assert room.room.match is not None
    assert room.room.match.result is not None
    assert room.room.match.result.winners == (FIRST,)


def test_the_last_to_leave_has_won() -> None:
    """Who left before has forfeited; a match that is not rated ends without a result."""
    TWO.after(commands.Leave(), BEN).when(commands.Leave(), by=ANNA).then(
        events.SeatLeft(FIRST, ANNA), events.PlayerLeft(ANNA), events.RoomClosed("deserted")
    )
    plain = given(new_room(), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN)).after(commands.Leave(), BEN)
    plain.when(commands.Leave(), by=ANNA).then(
        events.SeatLeft(FIRST, ANNA),
        events.PlayerLeft(ANNA),
        match_end_with(events.Result.void("closed")),
        events.RoomClosed("deserted"),
    )


def test_down_time_of_the_service_is_no_absence() -> None:
    """Nobody could come back while it was down, so the grace time begins again."""
    outage = Outage(Millis(NOON + 1000), Millis(OVER + 5000))
    work = run(
        BEN_GONE.room,
        commands.Proceed(),
        msgspec.structs.replace(context(None, Millis(OVER + 5000)), outages=(outage,)),
    )
    assert [type(each.event) for each in work.recorded] == [events.ClocksExtended]
    assert work.room.table.absent == {BEN: OVER + 5000}


@pytest.mark.parametrize("player", [ANNA, BEN])
def test_an_operator_can_close_the_room(player: PlayerId) -> None:
    """Without a result."""
    TWO.when(commands.Close(), by=player).rejected("rated_match" if player == ANNA else "not_the_creator")
    TWO.when(commands.Shut(), by=None).then(
        match_end_with(events.Result.void("closed")), events.RoomClosed("by_operator")
    )

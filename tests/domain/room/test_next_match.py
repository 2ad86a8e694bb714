"""For whom the next match waits, and who has to be ready again for it."""

from msgspec.structs import replace

from service.domain.game import Dropped
from service.domain.ids import Millis, Version
from service.domain.room.due import Due
from service.domain.room.evolve import evolve
from service.domain.room.model import commands, events
from service.domain.room.model.clock import LAG, Days, PerMove
from service.domain.room.model.events import Recorded
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings
from service.domain.room.process import open_room, run
from service.domain.room.subjects.matches import restart_at, waiting_for
from service.domain.room.subjects.seats import bot_id
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
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
    place,
)

QUICK = PerMove(Millis(5000))
THEN = Millis(NOON + 5000)


def playing_room(**settings: object) -> Given:
    """Return a match of Anna and Ben."""
    return given(new_room(**settings), join(ANNA, 0), join(BEN, 1), match_start(ANNA, BEN))  # type: ignore[arg-type]  # the game is not among them


def finished_room(**settings: object) -> Given:
    """Return a room in which Ben has just resigned against Anna."""
    return playing_room(**settings).after(commands.Resign(), BEN)


def awaited(room: Given) -> tuple[bool, list[int]]:
    """Return whether the next match has a time, and for which seats it waits."""
    return restart_at(room.room) is not None, list(waiting_for(room.table))


def test_the_next_match_waits_for_absent_players() -> None:
    """It has no time then, and begins when they are back."""
    room = finished_room()
    assert awaited(room) == (True, [])
    gone = room.after(commands.Desert(BEN), None)
    assert awaited(gone) == (False, [1])
    assert gone.due is None
    gone.when(commands.Proceed(), by=None, at=THEN).rejected("nothing_due")
    back = gone.after(commands.Return(BEN), None, Millis(THEN - 1))
    assert back.due == Due(THEN, "restart")
    assert back.after(commands.Proceed(), None, THEN).table.matches == 2


def test_no_command_begins_the_next_match_while_it_is_unknown_who_is_present() -> None:
    """A worker looks that up when it is due; the time of the match has come."""
    unknown = replace(context(CLARA, THEN), all_present=False)
    work = run(finished_room().room, commands.Join("spectator"), unknown)
    assert [each.event for each in work.recorded] == [events.PlayerJoined(CLARA, "clara", "spectator")]
    finished_room().when(commands.Proceed(all_present=False), by=None, at=THEN).rejected("nothing_due")
    over = finished_room(restart=None).after(commands.Ready(), ANNA)
    work = run(over.room, commands.Ready(), replace(context(BEN), all_present=False))
    assert [each.event for each in work.recorded] == [events.PlayerReadied(BEN)]
    assert Given(work.room, []).due == Due(NOON, "restart")


def test_readiness_alone_decides_with_days_and_in_a_hot_seat() -> None:
    """Nobody has to be present."""
    for settings in ({"clock": Days(2)}, {"hot_seat": True}):
        room = finished_room(**settings).after(commands.Desert(BEN), None)
        assert awaited(room) == (True, [])
        room.when(commands.Proceed(all_present=False), by=None, at=THEN).then(match_start(ANNA, BEN, number=2))


def test_the_first_match_waits_for_nobody_who_is_absent() -> None:
    """It waits for free seats, and for those who are not ready unless the room starts otherwise."""
    ready = given(new_room(), join(ANNA, 0), events.SeatDeserted(FIRST)).after(commands.Ready(), ANNA)
    assert awaited(ready) == (False, [1])
    both = given(new_room(), join(ANNA, 0), join(BEN, 1), events.SeatDeserted(FIRST))
    assert awaited(both) == (False, [0, 1])
    assert awaited(given(new_room(start="creator"), join(ANNA, 0), join(BEN, 1))) == (False, [])
    assert awaited(given(new_room(start="full"), join(ANNA, 0))) == (False, [1])
    assert awaited(playing_room()) == (False, [])


def test_a_match_after_a_change_of_players_waits_for_all_of_them() -> None:
    """Anna is still ready, but has gone; Clara took Ben's seat."""
    opened = finished_room().after(commands.LeaveSeat(), BEN).after(commands.Desert(ANNA), None)
    assert awaited(opened) == (False, [0, 1])
    ready = opened.after(commands.Join(), CLARA).after(commands.Ready(), CLARA)
    assert awaited(ready) == (False, [0])
    back = ready.after(commands.Return(ANNA), None)
    assert back.table.matches == 2


def test_who_lost_on_time_without_a_move_has_to_be_ready_again() -> None:
    """Who had moved does not, and neither does the winner."""
    room = playing_room(clock=QUICK)
    late = room.after(commands.Proceed(), None, Millis(NOON + 5000 + LAG))
    assert awaited(late) == (False, [0])
    late.when(commands.Ready(), by=ANNA).then(events.PlayerReadied(ANNA))
    first, second = Millis(NOON + 1000), Millis(NOON + 2000)
    moved = room.after(place("a1"), ANNA, first).after(place("g7"), BEN, second)
    assert awaited(moved.after(commands.Proceed(), None, Millis(second + 5000 + LAG))) == (True, [])


def test_who_forfeited_has_to_be_ready_again() -> None:
    """Ben was absent for too long, and Anna claimed the win."""
    gone = playing_room(grace_ms=0).after(commands.Desert(BEN), None)
    won = gone.after(commands.ClaimAbandoned(SECOND, "win"), ANNA)
    assert not won.table.members[BEN].ready
    back = won.after(commands.Return(BEN), None)
    assert awaited(back) == (False, [1])
    assert back.after(commands.Ready(), BEN, THEN).table.matches == 2


def test_who_resigned_stays_ready() -> None:
    """They were there."""
    assert finished_room().table.members[BEN].ready


def test_each_match_of_a_rated_room_needs_everybody_and_the_seats_rotate() -> None:
    """Whatever was requested; the settings say so."""
    wanted = RequestedSettings(rated=True, clock=QUICK, restart=3000, seats_next="keep")
    stored = open_room(OpenRoom("morris", settings=wanted), KEY.name, KEY.epoch, context(ANNA)).room.table.settings
    assert (stored.restart, stored.seats_next) == (None, "rotate")
    room = given(new_room(rated=True, clock=QUICK, restart=None, seats_next="rotate"), join(ANNA, 0), join(BEN, 1))
    over = room.after(commands.Ready(), ANNA).after(commands.Ready(), BEN).after(commands.Resign(), BEN)
    assert awaited(over) == (False, [0, 1])
    again = over.after(commands.Ready(), ANNA).after(commands.Ready(), BEN)
    assert (again.table.matches, again.table.seats) == (2, (BEN, ANNA))


def test_a_rated_room_of_an_earlier_release_follows_the_same_rule() -> None:
    """Its settings say otherwise, and its last match ended before the update: what is due then asks its players."""
    old = {"rated": True, "clock": QUICK}
    over = given(
        new_room(**old),  # type: ignore[arg-type]  # the game is not among them
        join(ANNA, 0),
        join(BEN, 1),
        match_start(ANNA, BEN),
        Dropped(SECOND, "resigned"),
        events.MatchEnded(events.Result("resigned", (1, 2), None, (FIRST,)), "00"),
    )
    over.when(commands.Proceed(), by=None, at=THEN).then(events.PlayerUnreadied(ANNA), events.PlayerUnreadied(BEN))
    asked = over.after(commands.Proceed(), None, THEN)
    again = asked.after(commands.Ready(), ANNA, THEN).after(commands.Ready(), BEN, THEN)
    assert (again.table.matches, again.table.seats) == (2, (BEN, ANNA))


def test_bots_go_on_only_while_somebody_watches() -> None:
    """Whatever the clock; a bot is never asked to be ready again."""
    request = OpenRoom("morris", settings=RequestedSettings(clock=Days(1)), seats=(BotSeat("easy"), BotSeat("easy")))
    room = open_room(request, KEY.name, KEY.epoch, context(ANNA)).room
    ended = events.MatchEnded(events.Result("forfeited", (2, 1), None, (SECOND,)), "00")
    for event in (Dropped(FIRST, "forfeited"), ended):
        room = evolve(room, Recorded(Version(room.version + 1), NOON, Version(room.version + 1), 1, None, event))
    over = Given(room, [])
    assert over.table.members[bot_id(1)].is_ready
    assert awaited(over) == (True, [])
    over.when(commands.Proceed(all_present=False), by=None, at=THEN).rejected("nothing_due")
    assert over.after(commands.Proceed(), None, THEN).table.matches == 2

"""After a match: vetoes, series, changes of options and settings, and idle rooms."""

from typing import Any

import pytest

from service.domain.ids import Millis
from service.domain.room.due import Due, due
from service.domain.room.model import commands, events
from service.domain.room.model.settings import Settings
from service.domain.validation import Invalid
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    NOON,
    SECOND,
    Given,
    given,
    join,
    match_end_with,
    match_start,
    new_room,
)

HOUR = 3_600_000
VOID = match_end_with(events.Result.void("closed"))


def seated_room(**settings: Any) -> Given:
    """Return a room in which Anna and Ben are seated."""
    return given(new_room(**settings), join(ANNA, 0), join(BEN, 1))


def playing_room(**settings: Any) -> Given:
    """Return a room in which Anna and Ben play."""
    return seated_room(start="creator", **settings).after(commands.Start(), ANNA)


def points(room: Given) -> dict[str, float]:
    """Return the score of the series."""
    assert room.table.series is not None
    return {player.removeprefix("p-"): score for player, score in room.table.series.points.items()}


def play_match(room: Given, loser: Any) -> Given:
    """Let a player resign, and the next match start if it does so automatically."""
    over = room.after(commands.Resign(), loser)
    return over.after(commands.Proceed(), None, over.due.at) if over.due else over


def test_a_veto_delays_the_next_match_until_its_maker_is_ready_again() -> None:
    """This veto is made after a match."""
    over = playing_room().after(commands.Resign(), BEN)
    over.when(commands.VetoNext(), by=BEN).then(events.NextVetoed(BEN))
    vetoed = over.after(commands.VetoNext(), BEN)
    assert vetoed.due is None
    late = Millis(NOON + 60_000)
    vetoed.when(commands.Ready(), by=BEN, at=late).then(events.PlayerReadied(BEN), match_start(ANNA, BEN, number=2))


def test_a_veto_is_possible_during_a_match() -> None:
    """It applies to the next match."""
    over = playing_room().after(commands.VetoNext(), ANNA).after(commands.Resign(), BEN)
    assert over.table.status == "finished"
    assert over.due is None


@pytest.mark.parametrize("by", [ANNA, BEN])
def test_a_second_veto_is_rejected(by: object) -> None:
    """So is one before the first match."""
    player = ANNA if by == ANNA else BEN
    playing_room().after(commands.VetoNext(), player).when(commands.VetoNext(), by=player).rejected("nothing_to_veto")
    seated_room().when(commands.VetoNext(), by=player).rejected("nothing_to_veto")
    seated_room().after(commands.Join("spectator"), CLARA).when(commands.VetoNext(), by=CLARA).rejected("not_seated")


def test_the_score_of_a_series_follows_the_players() -> None:
    """They may change seats from match to match."""
    once = play_match(playing_room(best_of=5, seats_next="rotate"), BEN)
    assert once.table.seats == (BEN, ANNA)
    twice = play_match(once, BEN)
    assert points(twice) == {"anna": 2}


def test_a_draw_gives_half_a_point_to_each() -> None:
    """Chess counts draws in the same way."""
    drawn = playing_room(best_of=3).after(commands.OfferDraw(), ANNA).after(commands.OfferDraw(), BEN)
    assert points(drawn) == {"anna": 0.5, "ben": 0.5}


def test_a_match_without_a_result_does_not_count_in_a_series() -> None:
    """Because it was replaced, restarted or closed."""
    again = playing_room(best_of=3).after(commands.RequestNew(), ANNA).after(commands.RequestNew(), BEN)
    assert points(again) == {}
    assert again.table.series is not None
    assert again.table.series.played == 0


def test_a_decided_series_waits_for_everybody_to_be_ready() -> None:
    """In a best of three two wins are enough; then a new series starts without points."""
    over = play_match(play_match(playing_room(best_of=3), BEN), BEN)
    assert over.table.series is not None
    assert over.table.series.is_decided
    assert over.due is None
    new_series = over.after(commands.Ready(), ANNA).after(commands.Ready(), BEN).after(commands.Start(), ANNA)
    assert points(new_series) == {}
    assert new_series.table.series is not None
    assert (new_series.table.series.number, new_series.table.series.played) == (2, 0)


def test_a_series_ends_after_its_last_match() -> None:
    """A best of two can end in a tie."""
    over = play_match(play_match(playing_room(best_of=2), BEN), ANNA)
    assert points(over) == {"anna": 1, "ben": 1}
    assert over.due is None


def test_without_best_of_there_is_no_series() -> None:
    """This is the default."""
    assert play_match(playing_room(), BEN).table.series is None


def test_before_a_match_other_options_apply_at_once() -> None:
    """A game for three becomes one for two: seated players keep a seat as long as there are any."""
    three = given(new_room("rainbow", {"players": 3}), join(ANNA, 0), join(CLARA, 2))
    fewer = three.after(commands.Configure({"players": 2}), ANNA)
    assert fewer.table.seats == (ANNA, CLARA)
    full = three.after(commands.Join(), BEN).after(commands.Configure({"players": 2}), ANNA)
    assert full.table.seats == (ANNA, BEN)
    assert not full.table.members[CLARA].ready
    more = full.after(commands.Configure({"players": 3}), ANNA)
    assert more.table.seats == (ANNA, BEN, None)


def test_during_a_match_they_wait_for_its_end() -> None:
    """The match keeps the options with which it started."""
    changed = playing_room().after(commands.Configure(settings={"restart": None}), ANNA)
    assert changed.table.settings.restart == 5000
    assert changed.table.plan is not None
    over = changed.after(commands.Resign(), BEN)
    assert over.table.settings.restart is None
    assert over.table.plan is None
    assert isinstance(over.history[-1].event, events.RoomConfigured)


def test_without_automatic_restart_the_next_match_waits_for_readiness() -> None:
    """Whether this was configured during the match or after it."""
    for room in (
        playing_room().after(commands.Configure(settings={"restart": None}), ANNA).after(commands.Resign(), BEN),
        playing_room().after(commands.Resign(), BEN).after(commands.Configure(settings={"restart": None}), ANNA),
    ):
        assert room.table.status == "finished"
        assert not room.table.members[ANNA].ready
        assert room.due is None


def test_omitted_fields_are_unchanged() -> None:
    """This includes earlier changes during the same match."""
    changed = playing_room(best_of=3).after(commands.Configure(settings={"restart": 0}), ANNA)
    twice = changed.after(commands.Configure(settings={"best_of": 5}), ANNA)
    assert twice.table.plan is not None
    assert twice.table.plan.settings == Settings(start="creator", restart=0, best_of=5)


def test_a_restart_keeps_the_options_of_its_match() -> None:
    """Changed options apply to the match after it."""
    playing = playing_room().after(commands.Configure({"flying": "off"}), ANNA)
    again = playing.after(commands.RequestRestart(), ANNA).after(commands.RequestRestart(), BEN)
    assert again.table.matches == 2
    assert again.table.options.get("flying") != "off"
    over = again.after(commands.Resign(), BEN)
    assert over.table.options["flying"] == "off"


def test_a_finished_match_is_restarted_under_its_own_options() -> None:
    """Even if the room was configured since then."""
    over = playing_room().after(commands.Resign(), BEN).after(commands.Configure({"flying": "off"}), ANNA)
    again = over.after(commands.RequestRestart(), ANNA).after(commands.RequestRestart(), BEN)
    assert again.table.options.get("flying") != "off"
    assert again.after(commands.Resign(), BEN).table.options["flying"] == "off"


def test_a_player_with_two_seats_keeps_one_when_the_hot_seat_ends() -> None:
    """They keep the lower one."""
    hers = given(new_room(hot_seat=True), join(ANNA, 0), events.SeatTaken(SECOND, ANNA))
    assert hers.after(commands.Configure(settings={"hot_seat": False}), ANNA).table.seats == (ANNA, None)


@pytest.mark.parametrize(
    ("options", "settings", "pointer"),
    [
        ({"players": 4}, None, "/options/players"),
        ({"colour": 1}, None, "/options/colour"),
        (None, {"best_of": -1}, "/settings/best_of"),
        (None, {"start": "soon"}, "/settings/start"),
        (None, {"speed": 1}, "/settings/speed"),
    ],
)
def test_invalid_options_and_settings_are_located(options: Any, settings: Any, pointer: str) -> None:
    """They are checked as a whole, as when a room is opened."""
    room = given(new_room("rainbow"), join(ANNA, 0))
    with pytest.raises(Invalid) as invalid:
        room.after(commands.Configure(options, settings), ANNA)
    assert invalid.value.pointer == pointer


def test_only_the_creator_configures() -> None:
    """A change that changes nothing is rejected, too."""
    seated_room().when(commands.Configure(settings={"best_of": 3}), by=BEN).rejected("not_the_creator")
    seated_room().when(commands.Configure(settings={"best_of": 0}), by=ANNA).rejected("already_so")


def test_an_idle_room_closes() -> None:
    """A day after its latest event, rounded up to an hour."""
    moment = due(seated_room().room)
    assert moment is not None
    assert moment.why == "idle"
    assert NOON + 24 * HOUR < moment.at <= NOON + 25 * HOUR
    seated_room().when(commands.Proceed(), by=None, at=Millis(moment.at - 1)).rejected("nothing_due")
    seated_room().when(commands.Proceed(), by=None, at=moment.at).then(events.RoomClosed("idle"))


def test_a_match_may_be_idle_for_longer() -> None:
    """Five weeks, more than any clock allows; then it ends without a result."""
    moment = due(playing_room().room)
    assert moment is not None
    assert moment == Due(moment.at, "idle")
    assert moment.at > NOON + 35 * 24 * HOUR
    playing_room().when(commands.Proceed(), by=None, at=moment.at).then(VOID, events.RoomClosed("idle"))

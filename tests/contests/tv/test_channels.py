"""Which match a channel shows."""

from typing import Any

from service.contests.tv import ENDED_FOR, Shown, TvMatch, TvSeat, best_of, next_shown
from service.domain.ids import Epoch, Millis, PlayerId

NOON = Millis(0)


def match(room: str, *ratings: int | None, rated: bool = True, started: str = "2026-01-01T12:00:00Z") -> TvMatch:
    """Return the first match of a room, between players with these ratings."""
    seats = tuple(
        TvSeat(seat, PlayerId(f"p-{seat}"), "Ada", bot=False, rating=rating) for seat, rating in enumerate(ratings)
    )
    return TvMatch(f"{room}.e.1", room, Epoch("e"), 1, "ternio", rated, started, seats)


def shown_now(shown: Shown, *running: TvMatch, listed: tuple[str, ...] = ("a", "b", "c"), now: int = 0) -> Shown:
    """Return what a channel shows while these matches are played."""
    rooms = {(room, Epoch("e")) for room in listed}
    return next_shown(shown, {each.match_id: each for each in running}, rooms, Millis(now))


def test_the_highest_mean_rating_decides() -> None:
    """Of two seats and of three; a player without a rating counts as a newcomer."""
    assert best_of([match("a", 1600, 1600), match("b", 1500, 1800), match("c", 1700, 1600, 1500)]) == match(
        "b", 1500, 1800
    )
    assert best_of([match("a", None, 1700), match("b", 1550, 1590)]) == match("a", None, 1700)
    assert best_of([]) is None


def test_of_equal_matches_the_first_to_begin_is_shown() -> None:
    """And of those that began together always the same one."""
    late, early = match("a", 1600, 1600, started="2026-01-01T12:00:01Z"), match("b", 1600, 1600)
    assert best_of([late, early]) == early
    assert best_of([match("c", 1600), match("b", 1600)]) == match("b", 1600)


def test_a_rated_match_comes_before_a_better_one() -> None:
    """An unrated match is shown only while there is no rated one."""
    weak, strong = match("a", 1200, 1200), match("b", 2000, 2000, rated=False)
    assert best_of([strong, weak]) == weak
    assert best_of([strong]) == strong


def test_a_channel_stays_with_its_match() -> None:
    """Until it ends, whatever else begins."""
    shown = shown_now(Shown(), match("a", 1500, 1500))
    assert shown_now(shown, match("a", 1500, 1500), match("b", 2000, 2000)).match == match("a", 1500, 1500)


def test_a_channel_leaves_an_unrated_match_for_a_rated_one() -> None:
    """Also for a weaker one, and not after the end of the unrated match, which is seen first."""
    unrated, rated = match("a", 2000, 2000, rated=False), match("b", 1200, 1200)
    assert shown_now(Shown(unrated), unrated, match("c", 2100, 2100, rated=False)).match == unrated
    assert shown_now(Shown(unrated), unrated, rated) == Shown(rated)
    assert shown_now(Shown(unrated), rated) == Shown(unrated, ENDED_FOR)


def test_the_end_of_a_match_is_seen_before_the_channel_moves_on() -> None:
    """For eight seconds; then the best match follows, or nothing."""
    one, other = match("a", 1500, 1500), match("b", 2000, 2000)
    ended = shown_now(Shown(one), other)
    assert ended == Shown(one, ENDED_FOR)
    assert shown_now(ended, other, now=ENDED_FOR - 1) == ended
    assert shown_now(ended, other, now=ENDED_FOR) == Shown(other)
    assert shown_now(ended, now=ENDED_FOR) == Shown()


def test_the_next_match_of_the_room_is_one_of_all() -> None:
    """When the time is over, the channel compares it with the others."""
    one: Any = match("a", 1500, 1500)
    ended = shown_now(Shown(one))
    again = TvMatch("a.e.2", "a", Epoch("e"), 2, "ternio", rated=True, started=one.started, seats=one.seats)
    assert shown_now(ended, again, match("b", 2000, 2000), now=100) == ended
    assert shown_now(ended, again, now=ENDED_FOR).match == again
    assert shown_now(ended, again, match("b", 2000, 2000), now=ENDED_FOR).match == match("b", 2000, 2000)


def test_a_room_that_nobody_may_watch_is_left_at_once() -> None:
    """As when it is closed, or admits no spectators any longer."""
    assert shown_now(Shown(match("a", 1500, 1500)), match("b", 1000, 1000), listed=("b",)) == Shown(
        match("b", 1000, 1000)
    )

"""Rating lists: which matches count, what a fold of them gives, and who has a place."""

from functools import reduce

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.game import Event
from service.domain.ids import DAY, Millis, PlayerId, Version
from service.domain.ratings import decide
from service.domain.ratings.decide import MOST_MEETINGS, NEWCOMER, BadFigures, Figures
from service.domain.ratings.kind import RATINGS, deliveries, restored, stored
from service.domain.ratings.model import (
    CLASSES,
    ListId,
    MatchRated,
    RatedMatchEnded,
    Rating,
    RatingChanged,
    RatingVoided,
    SeatResult,
    list_id,
    parse_list,
)
from service.domain.ratings.state import (
    DAYS_KEPT,
    OPPONENTS_NEEDED,
    RANKED_DEVIATION,
    Counts,
    RatingList,
    ShardedMap,
    Standing,
    evolve,
    has_place,
)
from service.domain.room.model.clock import Clock, Days, Fischer, NoClock, PerMove, time_class
from service.domain.streams import Record

BLITZ, BOTS = ListId("morris.blitz"), ListId("morris.bots")
NOON = Millis(20_000 * DAY + DAY // 2)
ANNA, BEN, CLARA = (PlayerId(f"p-{name}") for name in ("anna", "ben", "clara"))


class Stream:
    """A list's stream in a test: matches are decided and folded at once."""

    def __init__(self, name: ListId = BLITZ) -> None:
        """Start without matches."""
        self.state = RatingList(name)
        self.records: list[Record] = []

    def fold(self, event: Event) -> None:
        """Fold an event."""
        record = Record(Version(len(self.records) + 1), NOON, event)
        self.records.append(record)
        self.state = evolve(self.state, record)

    def rate(self, ended: RatedMatchEnded, *points: float) -> MatchRated:
        """Rate a match; the model computed these points, and a deviation of 100 for each."""
        rated = decide.rate(self.state, ended, [Figures(value, 100.0) for value in points])
        self.fold(rated)
        return rated

    def establish(self, *players: PlayerId) -> None:
        """Let each of these players have played so much that their deviation is small."""
        for player in players:
            known = self.state.players.get(player) or Standing(NEWCOMER)
            standing = replace(known, rating=Rating(known.rating.value, RANKED_DEVIATION))
            self.state = replace(self.state, players=self.state.players.with_item(player, standing))

    def play(self, number: int, *players: PlayerId, day: int = 0) -> None:
        """Rate a match that the first player wins."""
        ended = match(number, *players, day=day)
        assert decide.reason_not_rated(self.state, ended) is None
        self.rate(ended, *(1500.0 + number - seat for seat in range(len(players))))


def match(number: int, *players: PlayerId, day: int = 0, places: tuple[int, ...] = (1, 2, 3)) -> RatedMatchEnded:
    """Return the end of a match."""
    seats = tuple(SeatResult(player, place) for player, place in zip(players, places, strict=False))
    return RatedMatchEnded(f"friday.e1.{number}", Millis(NOON + day * DAY), seats)


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        (NoClock(), None),
        (PerMove(Millis(5_000)), "bullet"),
        (Fischer(Millis(60_000), Millis(3_999)), "bullet"),
        (Fischer(Millis(60_000), Millis(4_000)), "blitz"),
        (PerMove(Millis(10_000)), "blitz"),
        (PerMove(Millis(30_000)), "rapid"),
        (Fischer(Millis(600_000)), "rapid"),
        (PerMove(Millis(3_600_000)), "correspondence"),
        (Days(1), "correspondence"),
    ],
)
def test_the_clock_decides_about_the_class(clock: Clock, expected: str | None) -> None:
    """By the time that it gives for thirty turns: less than 3 minutes, 10 minutes, a day."""
    assert time_class(clock) == expected


def test_a_list_has_one_name() -> None:
    """For every game and class."""
    for game in GAMES:
        for rating_class in CLASSES:
            assert parse_list(list_id(game, rating_class)) == (game, rating_class)
    for name in ("morris", "morris.", "chess.blitz", "morris.blitz.more"):
        with pytest.raises(ValueError, match="is not a game and a rating class"):
            parse_list(ListId(name))


def test_a_match_is_rated_once() -> None:
    """By its id, however often it is delivered, and also when others were rated in between."""
    stream = Stream()
    stream.play(1, ANNA, BEN)
    stream.play(2, BEN, CLARA, day=1)
    assert decide.reason_not_rated(stream.state, match(1, ANNA, BEN)) == "known"
    assert decide.reason_not_rated(stream.state, match(3, ANNA, BEN)) is None


def test_a_match_is_rated_once_for_ever() -> None:
    """Its id is forgotten after seven later days with matches, and then it is too late for it."""
    stream = Stream()
    for day in range(DAYS_KEPT):
        stream.play(day, ANNA, BEN, day=day * 30)
    assert decide.reason_not_rated(stream.state, match(0, ANNA, BEN)) == "known"
    stream.play(DAYS_KEPT, ANNA, BEN, day=DAYS_KEPT * 30)
    assert decide.reason_not_rated(stream.state, match(0, ANNA, BEN)) == "too_late"
    assert decide.reason_not_rated(stream.state, match(99, ANNA, BEN, day=30)) is None
    assert len(stream.state.days) == DAYS_KEPT


def test_the_same_players_are_rated_five_times_a_day() -> None:
    """In whichever seats, and at tables of three each pair of them; the next day again."""
    stream = Stream()
    for number in range(MOST_MEETINGS - 1):
        stream.play(number, *((ANNA, BEN) if number % 2 else (BEN, ANNA)))
    stream.play(50, ANNA, CLARA, BEN)
    assert decide.reason_not_rated(stream.state, match(51, BEN, ANNA)) == "pair_limit"
    assert decide.reason_not_rated(stream.state, match(51, CLARA, ANNA, BEN)) == "pair_limit"
    assert decide.reason_not_rated(stream.state, match(51, ANNA, CLARA)) is None
    assert decide.reason_not_rated(stream.state, match(51, ANNA, BEN, day=1)) is None


def test_ratings_are_whole_hundredths() -> None:
    """Of what the model computed; a newcomer begins with 1500 and a large deviation."""
    stream = Stream()
    rated = stream.rate(match(1, ANNA, BEN), 1612.3456, 1387.6544)
    assert [(seat.before, seat.after) for seat in rated.seats] == [
        (NEWCOMER, Rating(161_235, 10_000)),
        (NEWCOMER, Rating(138_765, 10_000)),
    ]
    standing = Standing(
        Rating(161_235, 10_000),
        matches=1,
        wins=1,
        latest="friday.e1.1",
    )
    assert stream.state.players[ANNA] == standing


def test_matches_for_members_are_counted_apart() -> None:
    """In all counts and among those that others do not see; voiding takes them from both."""
    stream = Stream()
    stream.play(1, ANNA, BEN)
    secret = stream.rate(msgspec.structs.replace(match(2, ANNA, BEN), members_only=True), 1600.0, 1400.0)
    anna = stream.state.players[ANNA]
    assert (anna.matches, anna.wins, anna.members_only) == (2, 2, Counts(1, 1, 0))
    for event in decide.void(stream.state, secret, "the same person"):
        stream.fold(event)
    anna = stream.state.players[ANNA]
    assert (anna.matches, anna.wins, anna.members_only) == (1, 1, Counts())


@pytest.mark.parametrize(
    "figures",
    [(float("nan"), 100), (float("inf"), 100), (1500, float("nan")), (1500, 0), (1500, -1), (1500, 351), (9000, 9)],
)
def test_figures_that_no_rating_can_have_are_refused(figures: tuple[float, float]) -> None:
    """Not finite, out of bounds, no deviation, or one larger than a newcomer's."""
    with pytest.raises(BadFigures):
        decide.rate(RatingList(BLITZ), match(1, ANNA, BEN), [Figures(1500, 100), Figures(*figures)])
    with pytest.raises(BadFigures):
        decide.rate(RatingList(BLITZ), match(1, ANNA, BEN), [Figures(1500, 100)])


def test_shared_first_places_are_draws() -> None:
    """Of two or of three; a second place is a loss."""
    stream = Stream()
    stream.rate(match(1, ANNA, BEN, CLARA, places=(1, 1, 3)), 1510, 1510, 1480)
    stream.rate(match(2, ANNA, CLARA, places=(2, 1)), 1500, 1490)
    counts = {player: (each.matches, each.wins, each.draws) for player, each in stream.state.players.items()}
    assert counts == {ANNA: (2, 0, 1), BEN: (1, 0, 1), CLARA: (2, 1, 0)}


def test_the_ratings_of_bots_are_fixed() -> None:
    """Only the person's changes, and only against bots whose strength was measured."""
    stream = Stream(BOTS)
    seats = (SeatResult(ANNA, 1), SeatResult(PlayerId("b-1"), 2, "hard"))
    rated = stream.rate(RatedMatchEnded("friday.e1.1", NOON, seats), 1600, 1400)
    bot = rated.seats[1]
    assert (bot.before, bot.after) == (bot.before, bot.before)
    assert bot.before.value == GAMES["morris"].bot_ratings["hard"] * 100
    assert list(stream.state.players) == [ANNA]


def test_a_place_needs_different_established_opponents_and_a_small_deviation() -> None:
    """Ten of them, and a deviation of 210."""
    stream = Stream()
    for number in range(OPPONENTS_NEEDED):
        assert number == 0 or not has_place(stream.state.players[ANNA])
        other = PlayerId(f"p-{number}")
        stream.establish(other)
        for day in range(2):
            stream.play(2 * number + day, ANNA, other, day=day)
    anna = stream.state.players[ANNA]
    assert has_place(anna)
    assert not has_place(replace(anna, rating=Rating(150_000, RANKED_DEVIATION + 1)))
    assert anna.opponents == ()


def test_an_opponent_counts_whose_deviation_was_small_when_the_match_ended() -> None:
    """Not one who reaches it by the match, or later; nor the player's own deviation."""
    stream = Stream()
    stream.establish(ANNA)
    stream.play(1, ANNA, BEN)
    assert (stream.state.players[ANNA].established, stream.state.players[BEN].established) == (0, 1)
    stream.play(2, ANNA, BEN)
    assert (stream.state.players[ANNA].opponents, stream.state.players[ANNA].established) == ((BEN,), 1)
    stream.play(3, CLARA, ANNA, BEN)
    assert stream.state.players[CLARA].opponents == (ANNA, BEN)
    assert stream.state.players[ANNA].opponents == (BEN,)


def test_each_match_against_a_bot_of_the_service_counts_as_an_opponent() -> None:
    """There are six levels; ten matches are enough, however often a level is met."""
    stream = Stream(BOTS)
    for number in range(OPPONENTS_NEEDED):
        assert number == 0 or not has_place(stream.state.players[ANNA])
        seats = (SeatResult(ANNA, 1), SeatResult(PlayerId("b-1"), 2, "hard"))
        stream.rate(RatedMatchEnded(f"friday.e1.{number}", NOON, seats), 1600, 1400)
    assert has_place(stream.state.players[ANNA])


def test_a_voided_match_counts_no_longer() -> None:
    """Its change is undone, what came later stays, and it is voided once."""
    stream = Stream()
    first = stream.rate(match(1, ANNA, BEN), 1600, 1400)
    stream.rate(match(2, ANNA, CLARA), 1650, 1450)
    [voided] = decide.void(stream.state, first, "the same person")
    stream.fold(voided)
    anna = stream.state.players[ANNA]
    assert (anna.rating.value, anna.matches, anna.wins) == (155_000, 1, 1)
    assert stream.state.players[BEN].rating.value == NEWCOMER.value
    assert decide.void(stream.state, first, "again") == []
    assert decide.reason_not_rated(stream.state, match(1, ANNA, BEN)) == "known"


def test_players_are_notified_of_changes() -> None:
    """Of their own, when a match was rated and when it was voided."""
    stream = Stream()
    rated = stream.rate(match(1, ANNA, BEN), 1600.25, 1400)
    sent = {each.to: each.event for each in deliveries(RatingList(BLITZ), stream.records)}
    assert sent[ANNA] == RatingChanged("friday.e1.1", "morris", "blitz", 1600.25, 100.0, 100.25, voided=False)
    voiding = Record(Version(2), NOON, RatingVoided(rated.match, rated.seats, "why"))
    assert {each.to: each.event for each in deliveries(stream.state, [voiding])}[BEN] == RatingChanged(
        "friday.e1.1", "morris", "blitz", 1500.0, 100.0, 100.0, voided=True
    )


@given(
    st.lists(
        st.tuples(st.permutations((ANNA, BEN, CLARA)), st.integers(2, 3), st.integers(0, 9), st.integers(100, 2900)),
        max_size=20,
    ),
    st.integers(0, 20),
)
def test_a_fold_from_a_snapshot_is_the_fold_from_the_beginning(
    played: list[tuple[tuple[PlayerId, ...], int, int, int]], at: int
) -> None:
    """Wherever the snapshot was made; and no match changes an earlier state."""
    stream, states = Stream(), [RatingList(BLITZ)]
    for number, (players, seats, day, points) in enumerate(played):
        ended = match(number, *players[:seats], day=day)
        if decide.reason_not_rated(stream.state, ended) is None:
            stream.rate(ended, *(float(points + seat) for seat in range(seats)))
            states.append(stream.state)
    at = min(at, len(stream.records))
    snapshot = restored(stored(states[at]))
    assert stored(reduce(evolve, stream.records[at:], snapshot)) == stored(stream.state)
    assert stored(reduce(evolve, stream.records, RATINGS.start(BLITZ))) == stored(stream.state)


@given(st.lists(st.tuples(st.text(max_size=3), st.integers())))
def test_a_sharded_map_is_a_map(items: list[tuple[str, int]]) -> None:
    """Each change returns another map and leaves the one before it as it was."""
    known: ShardedMap[int] = ShardedMap()
    for key, value in items:
        before, copied = dict(known), known
        known = known.with_item(key, value)
        assert dict(copied) == before
    assert dict(known) == dict(items)
    assert len(known) == len(dict(items))
    assert dict(ShardedMap(items)) == dict(items)

"""`python -m bench.ratings.one_person`: print which rating one person with twenty guests reaches in an empty list.

The guests are the person's own, and lose whenever the person wants it. Each strategy is repeated day after day; matches
that the rules do not admit are left out, and the others are rated as by a worker.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from service.contests.rating_service import rated_match
from service.domain.game import Event
from service.domain.ids import DAY, Millis, PlayerId, Version
from service.domain.ratings.decide import MOST_MEETINGS, PLACES_NEEDED
from service.domain.ratings.model import ListId, RatedMatchEnded, SeatResult
from service.domain.ratings.state import RatingList, evolve, has_place
from service.domain.streams import Record

GUESTS = tuple(PlayerId(f"p-guest{number:02}") for number in range(20))
PERSON = PlayerId("p-person")

DAYS = (1, 2, 3, 7, 30)
"""After which days a strategy is measured."""

Match = tuple[PlayerId, PlayerId]
"""The winner and the loser."""


class Measured(NamedTuple):
    """What a strategy has reached."""

    day: int
    matches: int
    """How many matches were rated until then."""
    rating: float
    """The rating of the person, in points."""
    deviation: float
    place: bool
    """Whether the person has a place."""
    provisional: bool
    """Whether the leaderboard is provisional, because too few have one."""


def everybody_loses() -> Iterator[Match]:
    """Yield the matches of a day: the guests lose to the person, as often as that counts."""
    yield from ((PERSON, guest) for _ in range(MOST_MEETINGS) for guest in GUESTS)


def guests_meet_first() -> Iterator[Match]:
    """Yield the matches of a day: the guests play each other in turn, so that they are established, then they lose."""
    for again in range(MOST_MEETINGS):
        for number, (one, other) in enumerate(combinations(GUESTS, 2)):
            yield (one, other) if (number + again) % 2 else (other, one)
    yield from everybody_loses()


def half_feeds_half() -> Iterator[Match]:
    """Yield the matches of a day: ten guests win against the other ten, then they lose to the person."""
    strong, weak = GUESTS[:10], GUESTS[10:]
    for _ in range(MOST_MEETINGS):
        yield from ((winner, loser) for winner in strong for loser in weak)
    yield from ((PERSON, guest) for _ in range(MOST_MEETINGS) for guest in strong)


def each_feeds_the_next() -> Iterator[Match]:
    """Yield the matches of a day: each guest wins against all before it, and the person against all of them."""
    for number, winner in enumerate((*GUESTS, PERSON)):
        yield from ((winner, loser) for _ in range(MOST_MEETINGS) for loser in GUESTS[:number])


STRATEGIES: tuple[Callable[[], Iterator[Match]], ...] = (
    everybody_loses,
    guests_meet_first,
    half_feeds_half,
    each_feeds_the_next,
)


class Day:
    """A list to which a person's matches are delivered, day after day."""

    def __init__(self) -> None:
        """Start with an empty list."""
        self.state = RatingList(ListId("morris.blitz"))
        self.matches = 0

    def play(self, day: int, matches: Iterator[Match]) -> None:
        """Rate the matches of a day, as far as they count."""
        for winner, loser in matches:
            seats = (SeatResult(winner, 1), SeatResult(loser, 2))
            self.matches += 1
            match_id = f"room.e1.{self.matches}"
            self.fold(rated_match(self.state, RatedMatchEnded(match_id, Millis(day * DAY), seats)))

    def fold(self, event: Event | None) -> None:
        """Fold the event of a rated match; None for one that does not count."""
        if event is None:
            self.matches -= 1
            return
        self.state = evolve(self.state, Record(Version(self.matches), Millis(0), event))


def measured(strategy: Callable[[], Iterator[Match]], days: int) -> Iterator[Measured]:
    """Yield what a strategy reaches day after day."""
    played = Day()
    for day in range(1, days + 1):
        played.play(day, strategy())
        person = played.state.players[PERSON]
        value, deviation = person.rating.value / 100, person.rating.deviation / 100
        placed = sum(map(has_place, played.state.players.values()))
        yield Measured(day, played.matches, value, deviation, has_place(person), placed < PLACES_NEEDED)


def table(days: int = max(DAYS)) -> Iterator[str]:
    """Yield the lines of a table: what each strategy has reached after some days."""
    yield "| strategy | day | matches | rating | deviation | place | list |"
    yield "| --- | ---: | ---: | ---: | ---: | --- | --- |"
    for strategy in STRATEGIES:
        for found in measured(strategy, days):
            if found.day in DAYS:
                name = strategy.__name__.replace("_", " ")
                figures = f"{found.matches:,} | {found.rating:.0f} | {found.deviation:.0f}"
                place, shown = "yes" if found.place else "no", "provisional" if found.provisional else "settled"
                yield f"| {name} | {found.day} | {figures} | {place} | {shown} |"


if __name__ == "__main__":
    print("\n".join(table()))

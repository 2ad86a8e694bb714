"""For each kind of stream a numbered sequence of events, of which each can follow any others."""

from collections.abc import Callable, Mapping

from service.domain.accounts.model import PlayerBlocked
from service.domain.bot_list import BotListed, ListedBot
from service.domain.challenges.model import Challenge, ChallengeMade, Seated, SeatedPlayer
from service.domain.game import Event
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomName, Version
from service.domain.ratings.model import MatchRated, Parameters, RatedSeat, Rating
from service.domain.room.model.clock import NoClock
from service.domain.room.model.notices import TurnBegan
from service.domain.room.model.review import ReviewRequested
from service.domain.seeks.model import Seek, SeekMade
from service.domain.streams import Change, Source
from service.domain.tournaments.listing import TournamentMade
from service.domain.tournaments.model import PlayerRegistered, TournamentCreated, TournamentId
from service.domain.webhooks.model import Secret, WebhookAdded
from service.store.stream_keys import KindKey
from tests.domain.tournaments.hall import terms
from tests.rooms.processes import ANNA, NOON

REF = NameRef("p-anna/1")

IDS = {"ratings": "morris.blitz"}


def key_of(kind: str) -> KindKey:
    """Return the key of a stream of a kind."""
    return KindKey(kind, IDS.get(kind, ANNA.id))


def numbered(number: int) -> PlayerId:
    """Return the id of a player."""
    return PlayerId(f"p-{number:03}")


CREATED = TournamentCreated(terms(), ANNA.id, REF, "seed")
"""The first event of a tournament that is shown to anybody."""


def challenge(number: int, *seats: Seated) -> Event:
    """Return a challenge."""
    return ChallengeMade(
        Challenge(f"c{number}", ANNA.id, "morris", {}, NoClock(), rated=False, seats=seats, deadline=Millis(NOON * 2))
    )


def delivered(number: int) -> Change:
    """Return what is delivered to a player: a turn, or a challenge with a nickname that has to be looked up."""
    source = Source(f"room-{number}:e1", Version(1))
    if number % 2:
        return Change(TurnBegan(RoomName(f"room-{number}"), Epoch("e1"), "morris", 1, ()), source)
    return Change(
        challenge(number, SeatedPlayer(numbered(number), "", name_ref=NameRef(f"{numbered(number)}/1"))), source
    )


def rated(number: int) -> Event:
    """Return a rated match of two players."""
    seats = (
        RatedSeat(ANNA.id, 1, Rating(150_000, 35_000), Rating(150_100 + number, 34_000)),
        RatedSeat(numbered(number), 2, Rating(150_000, 35_000), Rating(149_900, 34_000)),
    )
    return MatchRated(f"room-{number}.e1.1", NOON, seats, Parameters(25.0, 0.25))


EXAMPLES: Mapping[str, Callable[[int], Event]] = {
    "account": lambda number: PlayerBlocked(numbered(number)),
    "bots": lambda number: BotListed(ListedBot(numbered(number), "", ("morris",), "", Millis(NOON * 2), REF)),
    "challenges": challenge,
    "ratings": rated,
    "reviews": lambda number: ReviewRequested(numbered(number)),
    "seeks": lambda number: SeekMade(
        Seek(f"s{number}", numbered(number), "", "morris", NOON, Millis(NOON * 2), name_ref=REF)
    ),
    "tournaments": lambda number: PlayerRegistered(numbered(number), NameRef(f"{numbered(number)}/1"), 1500),
    "tournament_list": lambda number: TournamentMade(TournamentId(f"t{number}"), CREATED),
    "webhooks": lambda number: WebhookAdded(f"w{number}", "https://example.org", (), Secret(1, "key")),
}


def change(kind: str, number: int) -> Change:
    """Return an event of a kind."""
    return delivered(number) if kind == "player" else Change(EXAMPLES[kind](number))

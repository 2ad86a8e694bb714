"""A tournament in a test: commands are decided and folded at once, and results are made up."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from service.domain.game import Event, Seat
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomKey, RoomName, Version
from service.domain.room.model.clock import Clock, Fischer
from service.domain.streams import Change, Outgoing, Record
from service.domain.tournaments import decide, rounds
from service.domain.tournaments.kind import deliveries
from service.domain.tournaments.model import TableEnded, Terms, TournamentCreated
from service.domain.tournaments.pairings import Format, Pairing, PairingRequest
from service.domain.tournaments.state import Table, Tournament, evolve
from tests.contests.tournaments.simple_pairing import pairing_of

NOON = Millis(1_700_000_000_000)
START = Millis(NOON + 3_600_000)
ORGANISER = PlayerId("p-organiser")
BLITZ: Clock = Fischer(Millis(180_000), Millis(2_000))

Places = Callable[[Table], tuple[int, ...]]
"""Returns how a match ends."""


def first_seat_wins(table: Table) -> tuple[int, ...]:
    """Return the places of a match that the first seat wins, and of which the last seat is last."""
    return tuple(range(1, len(table.players) + 1))


def terms(form: Format = "swiss", seats: int = 2, **more: Any) -> Terms:
    """Return what a tournament is played under."""
    fields: dict[str, Any] = {
        "title": "Friday",
        "game": "morris" if seats == 2 else "ternio",
        "options": {},
        "seats": seats,
        "format": form,
        "clock": BLITZ,
        "starts": START,
        "rounds": None,
        "duration": Millis(3_600_000) if form == "arena" else None,
        "max_players": 512,
        "check_in": Millis(0),
        "late_entry": form != "round_robin",
        "bots": False,
    }
    return Terms(**{**fields, **more})


def player(number: int) -> PlayerId:
    """Return a player's id."""
    return PlayerId(f"p-{number:03}")


class Hall:
    """The stream of a tournament."""

    def __init__(self, played: Terms, pair: Callable[[PairingRequest], Pairing] = pairing_of) -> None:
        """Create a tournament an hour before its start."""
        self.state = Tournament("friday")
        self.records: list[Record] = []
        self.sent: list[Outgoing] = []
        self.now = NOON
        self._pair = pair
        self.fold(decide.create(self.state, TournamentCreated(played, ORGANISER, NameRef("p-organiser/1"), "seed")))

    def fold(self, events: Sequence[Event]) -> Sequence[Event]:
        """Fold events, and return them."""
        first = len(self.records) + 1
        new = [Record(Version(version), self.now, event) for version, event in enumerate(events, first)]
        self.sent += deliveries(self.state, new)
        self.records += new
        self.state = reduce(evolve, new, self.state)
        return events

    def register(self, *players: PlayerId, bot: bool = False) -> None:
        """Register players; the first one has the highest rating."""
        for each in players:
            rating = 2000 - len(self.state.entries)
            name = NameRef(f"{each}/1")
            self.fold(decide.register(self.state, each, name, rating, self.now, bot=bot))

    def enter(self, number: int) -> None:
        """Register so many players."""
        self.register(*(player(each) for each in range(number)))

    def wait(self, ms: int) -> None:
        """Let time pass, and then work."""
        self.now = Millis(self.now + ms)
        self.work()

    def begin(self) -> None:
        """Wait for the start, and work."""
        self.now = max(self.now, START)
        self.work()

    def work(self) -> None:
        """Do what a worker does once."""
        self.fold(rounds.advance(self.state, self.now))
        request = rounds.pairing_request(self.state, self.now)
        if request is not None:
            self.fold(rounds.pair(self.state, request, self._pair(request), self.now))
        for table in rounds.to_open(self.state, self.now):
            key = RoomKey(RoomName(f"room-{table.number}"), Epoch("e"))
            self.fold(rounds.opened(self.state, table.number, key))

    @property
    def running(self) -> list[Table]:
        """The tables whose matches are running."""
        return [self.state.tables[number] for number in self.state.running]

    def end(self, table: Table, places: tuple[int, ...], *absent: int) -> None:
        """End a match."""
        ended = TableEnded(table.number, f"match-{table.number}", places, tuple(Seat(seat) for seat in absent))
        self.fold([change.event for change in rounds.receive(self.state, [Change(ended)])])

    def play_round(self, places: Places = first_seat_wins) -> None:
        """End all matches, and wait for the next round."""
        for table in self.running:
            self.end(table, places(table))
        self.wait(rounds.BREAK)

    def play(self, places: Places = first_seat_wins) -> None:
        """Play until the tournament is over."""
        self.begin()
        while self.state.status == "playing":
            self.play_round(places)

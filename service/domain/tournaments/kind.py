"""The streams of tournaments: their snapshots, and what they deliver to players and to the list."""

from collections.abc import Iterator, Sequence

from service.domain.game import Seat
from service.domain.ids import Version
from service.domain.streams import Outgoing, Record, StreamKind, StreamSnapshots
from service.domain.structs import copied
from service.domain.tournaments import model
from service.domain.tournaments.listing import ListedTournament, TournamentChanged
from service.domain.tournaments.model import Terms
from service.domain.tournaments.rounds import due
from service.domain.tournaments.state import Tournament, evolve

CHANGES_LIST = (
    *(model.PlayerRegistered, model.PlayerWithdrawn, model.PlayBegan, model.RoundPaired, model.DeadlinesExtended),
    *(model.TournamentFinished, model.TournamentCancelled),
)
"""The events that change what the list shows."""


def deliveries(state: Tournament, records: Sequence[Record]) -> Iterator[Outgoing]:
    """Yield the notices of events to players, and what the list shows after them."""
    for record in records:
        state = evolve(state, record)
        if state.terms is not None:
            yield from to_players(state, state.terms, record)
    if state.terms is not None and any(isinstance(record.event, CHANGES_LIST) for record in records):
        listed = listed_tournament(state, state.terms, records[-1].version)
        yield Outgoing("", TournamentChanged(listed), "tournament_list")


def to_players(state: Tournament, terms: Terms, record: Record) -> Iterator[Outgoing]:
    """Yield the notices of an event to players; `state` is the state after it."""
    match record.event:
        case model.TableOpened(table=number, room=room, epoch=epoch):
            table = state.tables[number]
            for seat, player in enumerate(table.players):
                news = model.TournamentMatch(state.id, terms.title, table.round, terms.game, room, epoch, Seat(seat))
                yield Outgoing(player, news)
        case model.PlayerWithdrawn(player=player, reason=reason) if reason != "withdrew":
            yield Outgoing(player, model.TournamentLeft(state.id, terms.title, reason))
        case model.TournamentFinished():
            yield from over(state, model.TournamentOver(state.id, terms.title, None))
        case model.TournamentCancelled(reason=reason):
            yield from over(state, model.TournamentOver(state.id, terms.title, reason))


def over(state: Tournament, news: model.TournamentOver) -> Iterator[Outgoing]:
    """Yield the notices to all players who take part that a tournament is over."""
    yield from (Outgoing(player, news) for player in state.active)


def listed_tournament(state: Tournament, terms: Terms, version: Version) -> ListedTournament:
    """Return what the list shows of a tournament at a version."""
    return copied(ListedTournament, state, terms=terms, players=len(state.active), version=version)


TOURNAMENTS: StreamKind[Tournament] = StreamKind(
    event=model.AnyTournamentEvent,
    start=Tournament,
    evolve=evolve,
    due=due,
    deliveries=deliveries,
    snapshots=StreamSnapshots(
        Tournament,
        lambda state: state,
        lambda stored: stored,
        size=lambda state: len(state.entries) + len(state.tables),
    ),
)
"""The streams of tournaments, of which every event is kept."""

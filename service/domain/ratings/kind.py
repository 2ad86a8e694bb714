"""The streams of rating lists: their fold, their snapshots, and what they deliver to players."""

from collections.abc import Iterator, Sequence

import msgspec

from service.domain.ratings import model
from service.domain.ratings.model import ListId, RatedSeat, parse_list
from service.domain.ratings.state import Day, RatingList, ShardedMap, Standing, evolve
from service.domain.streams import Outgoing, Record, StreamKind, StreamSnapshots


class StoredDay(msgspec.Struct, frozen=True, array_like=True):
    """A day in a snapshot."""

    number: int
    matches: tuple[str, ...]
    meetings: dict[str, int]


class StoredList(msgspec.Struct, frozen=True):
    """The state of a rating list in a snapshot."""

    id: ListId
    players: dict[str, Standing]
    days: tuple[StoredDay, ...]
    voided: tuple[str, ...]


def stored(state: RatingList) -> StoredList:
    """Return the stored form of a state."""
    days = tuple(StoredDay(day.number, tuple(day.matches), dict(day.meetings)) for day in state.days)
    return StoredList(state.id, dict(state.players), days, tuple(state.voided))


def restored(kept: StoredList) -> RatingList:
    """Return a state from its stored form."""
    days = tuple(Day(day.number, ShardedMap(dict.fromkeys(day.matches)), ShardedMap(day.meetings)) for day in kept.days)
    return RatingList(kept.id, ShardedMap(kept.players), days, ShardedMap(dict.fromkeys(kept.voided)))


def deliveries(state: RatingList, records: Sequence[Record]) -> Iterator[Outgoing]:
    """Yield the changes of ratings that are delivered to players for events that follow a state."""
    for record in records:
        state = evolve(state, record)
        if isinstance(record.event, model.MatchRated | model.RatingVoided):
            for seat in record.event.seats:
                if seat.bot is None:
                    yield Outgoing(seat.player, change_of(state, seat, record.event))


def change_of(state: RatingList, seat: RatedSeat, event: model.MatchRated | model.RatingVoided) -> model.RatingChanged:
    """Return the notice to a player; `state` is the state after the event."""
    game, rating_class = parse_list(state.id)
    rating, is_voided = state.players[seat.player].rating, isinstance(event, model.RatingVoided)
    change = seat.after.value - seat.before.value
    return model.RatingChanged(
        match_id=event.match,
        game=game,
        rating_class=rating_class,
        rating=points(rating.value),
        deviation=points(rating.deviation),
        change=points(-change if is_voided else change),
        voided=is_voided,
    )


def points(hundredths: int) -> float:
    """Return hundredths of a point as points."""
    return hundredths / 100


RATINGS: StreamKind[RatingList] = StreamKind(
    event=model.RatingEvent,
    start=lambda name: RatingList(ListId(name)),
    evolve=evolve,
    deliveries=deliveries,
    snapshots=StreamSnapshots(StoredList, stored, restored, lambda state: len(state.players)),
)
"""The streams of rating lists, which keep every event."""

"""The stream of a match's review: somebody asks for it, and a worker stores how the bots evaluate each position."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from service.domain.game import Event, Seat
from service.domain.ids import Millis, PlayerId
from service.domain.streams import Record, StreamKind, StreamSnapshots

ReviewStatus = Literal["none", "waiting", "done"]
"""Whether a match's review was requested, and whether it is complete."""


class EvaluatedPosition(msgspec.Struct, frozen=True, array_like=True):
    """How the bots evaluate a position of a match, and what was played there."""

    ply: int
    """The first ply with this position."""
    chances: tuple[int, ...]
    """By seat, the chance to win in percent."""
    best: tuple[tuple[Seat, str], ...]
    """The best move of each seat that was to move, in the game's notation."""
    lost: tuple[tuple[Seat, int], ...]
    """By how many percent each seat's move lowered its chance, compared with the best one."""


class ReviewRequested(Event, frozen=True):
    """A player asked for the review."""

    by: PlayerId


class MatchReviewed(Event, frozen=True):
    """The bots have evaluated the match; no position if its events can no longer be read."""

    positions: tuple[EvaluatedPosition, ...]


class Review(msgspec.Struct, frozen=True):
    """The state of a match's review."""

    requested: Millis | None = None
    """Since when it is waited for; None if it is not."""
    by: PlayerId = PlayerId("")
    """The player who asked for it last."""
    positions: tuple[EvaluatedPosition, ...] = ()

    @property
    def status(self) -> ReviewStatus:
        """Whether it was requested, and whether it is complete."""
        return "waiting" if self.requested is not None else "done" if self.positions else "none"


def request(state: Review, by: PlayerId) -> list[Event]:
    """Ask for the review; nothing if that was done before, and it has not failed since."""
    return [ReviewRequested(by)] if state.status == "none" else []


def finish(state: Review, positions: tuple[EvaluatedPosition, ...]) -> list[Event]:
    """Store the review; nothing if another worker has done so."""
    return [MatchReviewed(positions)] if state.status == "waiting" else []


def evolve(state: Review, record: Record) -> Review:
    """Return the state after an event."""
    match record.event:
        case ReviewRequested(by):
            return replace(state, requested=record.time, by=by)
        case MatchReviewed(positions):
            return replace(state, requested=None, positions=positions)
    raise NotImplementedError(type(record.event))


REVIEWS: StreamKind[Review] = StreamKind(
    event=ReviewRequested | MatchReviewed,
    start=lambda _: Review(),
    evolve=evolve,
    due=lambda state: state.requested,
    snapshots=StreamSnapshots(Review, lambda state: state, lambda stored: stored, size=lambda _: 0),
)
"""The streams of matches' reviews, by the ids of the matches."""

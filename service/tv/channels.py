"""Which match a channel shows: the best one that begins, until it ends."""

from collections.abc import Collection, Iterable, Mapping

import msgspec

from service.domain.ratings.decide import NEWCOMER
from service.domain.room.model.ids import Epoch, Millis, PlayerId

BEST = "best"
"""The channel of all games."""

ENDED_FOR = Millis(8000)
"""For how long a channel keeps a match that has ended, so that its end is seen."""


class TvSeat(msgspec.Struct, frozen=True):
    """A seat of the match on TV, as it was when the channels learned of the match."""

    seat: int
    player: PlayerId | None
    nickname: str | None
    """The player's nickname; null if nobody has the seat."""
    rating: int | None
    """The player's rating with the clock of the match, in points; null without rated matches."""


class TvMatch(msgspec.Struct, frozen=True):
    """A match on TV. Its frames are those of its room: subscribe to it."""

    match_id: str
    """The id of the match."""
    room: str
    epoch: Epoch
    number: int
    """The number of the match in its room."""
    game: str
    rated: bool
    """Whether the match is rated."""
    started: str
    """When it began."""
    seats: tuple[TvSeat, ...]

    @property
    def strength(self) -> float:
        """The mean rating of the players; those without one count as newcomers."""
        known = [NEWCOMER.value / 100 if each.rating is None else each.rating for each in self.seats]
        return sum(known) / len(known)


class Shown(msgspec.Struct, frozen=True):
    """What a channel shows."""

    match: TvMatch | None = None
    until: Millis | None = None
    """When the channel leaves a match that has ended; None while it is played."""


def best_of(running: Iterable[TvMatch]) -> TvMatch | None:
    """Return the match to show: a rated one if there is any, that of the highest mean rating, the first to begin."""
    best_first = sorted(running, key=lambda match: (not match.rated, -match.strength, match.started, match.match_id))
    return next(iter(best_first), None)


def next_shown(
    shown: Shown, running: Mapping[str, TvMatch], listed: Collection[tuple[str, Epoch]], now: Millis
) -> Shown:
    """Return what a channel shows now: the same match while it is played and a little longer, then the best one.

    `running` has the matches that everybody may watch, by id, and `listed` the rooms in which they could be: a channel
    leaves a room at once that was closed or admits no spectators any longer.
    """
    match = shown.match
    if match is not None:
        if match.match_id in running:
            return Shown(match)
        until = Millis(now + ENDED_FOR) if shown.until is None else shown.until
        if (match.room, match.epoch) in listed and now < until:
            return Shown(match, until)
    return Shown(best_of(running.values()))

"""Decides which match a channel shows: the best one, until it has ended."""

from collections.abc import Collection, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from service.domain.ids import Epoch, Millis, PlayerId
from service.domain.ratings.decide import NEWCOMER
from service.rooms.feeds.frames import ServerFrame
from service.store.player_names import ERASED

BEST = "best"
"""The channel for all games."""

ENDED_FOR = Millis(8000)
"""How long a channel keeps a match that has ended, so that its end is seen."""


class TvSeat(msgspec.Struct, frozen=True):
    """A seat of the match on TV, as it was when the channels first saw the match; an erased player is not named."""

    seat: int
    player: PlayerId | None
    """The id of the player; null for an empty seat."""
    nickname: str | None
    """The player's nickname; null for an empty seat."""
    bot: bool
    """Whether it is a bot of the service, or was declared a bot."""
    rating: int | None
    """The player's rating for the clock of the match, in points; null without rated matches."""


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
    """The seats, in turn order."""

    @property
    def strength(self) -> float:
        """The mean rating of the players; a player without one counts as a newcomer."""
        known = [NEWCOMER.value / 100 if each.rating is None else each.rating for each in self.seats]
        return sum(known) / len(known)


def without_names_of(players: Collection[PlayerId], match: TvMatch) -> TvMatch:
    """Return a match that does not name these players, who were erased."""
    if not any(each.player in players and each.nickname != ERASED for each in match.seats):
        return match
    seats = (replace(each, nickname=ERASED) if each.player in players else each for each in match.seats)
    return replace(match, seats=tuple(seats))


class Shown(msgspec.Struct, frozen=True):
    """What a channel shows."""

    match: TvMatch | None = None
    until: Millis | None = None
    """When the channel leaves a match that has ended; None while it is played."""


def best_of(running: Iterable[TvMatch]) -> TvMatch | None:
    """Return the match to show: rated ones first, then by the highest mean rating, then by the earliest start."""
    best_first = sorted(running, key=lambda match: (not match.rated, -match.strength, match.started, match.match_id))
    return next(iter(best_first), None)


def next_shown(
    shown: Shown, running: Mapping[str, TvMatch], listed: Collection[tuple[str, Epoch]], now: Millis
) -> Shown:
    """Return what a channel shows now: the same match while it is played and a little longer, then the best one.

    `running` has the matches that everybody may watch, by id, and `listed` the rooms in which they could be: a channel
    leaves a room at once if it was closed or no longer admits spectators, and leaves an unrated match when a rated one
    is played.
    """
    match, best = shown.match, best_of(running.values())
    if match is not None:
        if match.match_id in running:
            return Shown(best if best is not None and best.rated and not match.rated else match)
        until = Millis(now + ENDED_FOR) if shown.until is None else shown.until
        if (match.room, match.epoch) in listed and now < until:
            return Shown(match, until)
    return Shown(best)


class TvFrame(ServerFrame, frozen=True, tag="tv"):
    """What a channel shows: sent after subscribing, and whenever it changes. Subscribe to the room to see the match."""

    tv: str
    """The channel: a game's slug, or `best`."""
    match: TvMatch | None
    """The match; null while none can be shown."""

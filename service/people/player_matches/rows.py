"""The rows of the index of a player's matches: how they are made from matches, and the order in which they are read."""

import re
from collections.abc import Iterator
from typing import NamedTuple, Self, get_args

import msgspec

from service.domain.ids import Millis, PlayerId
from service.domain.validation import Invalid
from service.rooms.match_index import Outcome, PlayedMatch
from service.store.projections.player_matches import MatchRow

MATCH = msgspec.json.Decoder(PlayedMatch)

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""In the order in which the store counts them."""

MINUTE = 60_000
"""In milliseconds."""

CURSOR = re.compile(r"(?P<ended>[0-9]{1,15})\.(?P<match>[a-z0-9.-]{1,80})", re.ASCII)


class Position(NamedTuple):
    """The position of a match among those of a player, which are sorted by the times of their ends, then by id."""

    ended: Millis
    match: str

    @property
    def cursor(self) -> str:
        """The position as clients send it."""
        return f"{self.ended}.{self.match}"

    @classmethod
    def before_minute_of(cls, time: Millis) -> Self:
        """Return the position before all matches that ended in the minute of a time: every id is greater than `-`."""
        return cls(Millis(time - time % MINUTE), "-")

    @classmethod
    def parse(cls, cursor: str, parameter: str) -> Self:
        """Return the position of a cursor. Raises `Invalid`."""
        found = CURSOR.fullmatch(cursor)
        if found is None:
            raise Invalid("Expected the `cursor` of a match", parameter=parameter)
        return cls(Millis(int(found["ended"])), found["match"])


def position_of(played: PlayedMatch) -> Position:
    """Return the position of a match."""
    return Position(played.ended, played.id)


def row_of(played: PlayedMatch) -> MatchRow:
    """Return the row of a match."""
    is_public = not played.kind.members_only
    return MatchRow(played.id, played.ended, msgspec.json.encode(played), is_public, tuple(results_of(played)))


def results_of(played: PlayedMatch) -> Iterator[tuple[str, int]]:
    """Yield the results that a match counts for: those in its game, and those against each opponent."""
    if not played.kind.counts:
        return
    if played.outcome is not None:
        yield played.game, OUTCOMES.index(played.outcome)
    for opponent, outcome in played.opponents.items():
        if outcome is not None:
            yield against(played.game, opponent), OUTCOMES.index(outcome)


def against(game: str, opponent: PlayerId) -> str:
    """Return the name under which the results against an opponent are counted."""
    return f"{game} {opponent}"

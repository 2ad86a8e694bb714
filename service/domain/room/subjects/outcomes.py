"""Results that the rules of no game give."""

from collections.abc import Collection
from typing import Any

import msgspec

from service.domain.catalog import AnyGame
from service.domain.game import Seat, ranked, split
from service.domain.room.model.events import MatchEnded, Result
from service.domain.room.model.state import Match

NOBODYS = frozenset({"agreed", "timed_out"})
"""Why a match ends in which none of those who stayed is better than another: agreed, or all out of time together."""


def ended(match: Match, result: Result) -> MatchEnded:
    """Return the end of a match with this result: its seed in the open, and the hash of the next match's."""
    return MatchEnded(result, match.seed.hex(), match.next_seed_hash or msgspec.UNSET)


def drawn(game: AnyGame, options: Any, state: Any, dropped: Collection[Seat], reason: str = "agreed") -> Result:
    """Return the result of a draw: all who stayed share the first place, before those who dropped out."""
    seats = game.seats(options)
    places = ranked([0] * len(seats), tuple(dropped))
    winners = tuple(Seat(seat) for seat, place in enumerate(places) if place == 1)
    if game.stake:
        return Result(reason, places, split(winners, len(seats)), winners)
    scores = msgspec.to_builtins(getattr(game.view(state, None), "scores", None))
    return Result(reason, places, scores and tuple(scores[seat] for seat in seats), winners)

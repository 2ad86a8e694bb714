"""How matches end other than by the rules of their game: by agreement, on time, without a result."""

from collections.abc import Collection
from typing import Any

import msgspec

from service.domain.catalog import AnyGame
from service.domain.game import Event, Seat, rank, split
from service.domain.room.model.events import MatchEnded, Result, VoidReason
from service.domain.room.model.state import Match, Room

SHARED_REASONS = frozenset({"agreed", "timed_out"})
"""Reasons for a draw among all seats still in the match: by agreement, or because all ran out of time together."""


def end_match(match: Match, result: Result) -> MatchEnded:
    """Return the event that ends a match; it reveals the match's seed and the hash of the next one's."""
    return MatchEnded(result, match.seed.hex(), match.next_seed_hash or msgspec.UNSET)


def void_match(playing: Match | None, reason: VoidReason = "closed") -> list[Event]:
    """End a running match without a result, if there is one."""
    return [] if playing is None else [end_match(playing, Result.void(reason))]


def end_outdated(room: Room) -> list[Event]:
    """End a match that began under other rules, so that rules never change during a match."""
    return void_match(room.playing, "rules_changed") if room.is_outdated else []


def draw_result(game: AnyGame, options: Any, state: Any, dropped: Collection[Seat], reason: str = "agreed") -> Result:
    """Return the result of a draw: all seats still in the match share the first place, before those that dropped."""
    seats = game.seats(options)
    places = rank([0] * len(seats), tuple(dropped))
    winners = tuple(Seat(seat) for seat, place in enumerate(places) if place == 1)
    if game.stake:
        return Result(reason, places, split(winners, len(seats)), winners)
    return Result(reason, places, game.scores(state) if game.scores else None, winners)

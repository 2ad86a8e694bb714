"""What is agreed on around the board, in the shape of the wire: offers, the series, and what holds next."""

from typing import Any

import msgspec

from service.domain.room.model.events import OfferKind
from service.domain.room.model.ids import PlayerId, Version
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Offer, Plan, Room, Table
from service.domain.room.subjects.offers import players_to_answer


class OfferView(msgspec.Struct, frozen=True):
    """An open offer: something that a player asks the other humans at the table for, and for a draw the bots too."""

    id: int
    """What `answer` and `withdraw` name."""
    type: OfferKind
    by: PlayerId
    awaits: tuple[PlayerId, ...]
    """Who has yet to answer; the holder of several seats answers once."""
    accepted: tuple[PlayerId, ...]
    to_version: Version | None
    """Of a takeback, the version to whose position the match would return."""
    player: PlayerId | None
    """Of a kick, who would be sent away."""


class ScoreView(msgspec.Struct, frozen=True):
    """What a player has in the series."""

    player: PlayerId
    nickname: str | None
    """Null for somebody who has left."""
    points: float
    """1 for a match won alone, 0.5 for a shared first place."""


class SeriesView(msgspec.Struct, frozen=True):
    """Matches that are counted together; the score follows the players from seat to seat."""

    number: int
    """Which series of the room it is."""
    best_of: int
    played: int
    """How many of its matches counted."""
    scores: tuple[ScoreView, ...]
    """The best first; players without a point are left out."""
    decided: bool
    """Whether it is over: the next match begins a new one, when everybody is ready anew."""


class PlanView(msgspec.Struct, frozen=True):
    """What will hold when the running match is over."""

    options: dict[str, Any]
    settings: Settings


def offer_view(room: Room, offer: Offer) -> OfferView:
    """Return an open offer on the wire."""
    return OfferView(
        id=offer.id,
        type=offer.kind,
        by=offer.by,
        awaits=players_to_answer(room, offer),
        accepted=offer.accepted,
        to_version=offer.to_version,
        player=offer.target,
    )


def series_view(table: Table) -> SeriesView | None:
    """Return the series on the wire, None where none is played."""
    series = table.series
    if series is None:
        return None
    names = {player: member.nickname for player, member in table.members.items()}
    best = sorted(series.points.items(), key=lambda score: -score[1])
    scores = tuple(ScoreView(player, names.get(player), points) for player, points in best)
    return SeriesView(series.number, series.best_of, series.played, scores, series.is_decided)


def plan_view(plan: Plan | None) -> PlanView | None:
    """Return on the wire what will hold next, None where nothing changes."""
    return None if plan is None else PlanView(plan.options, plan.settings)

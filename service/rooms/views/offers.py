"""The wire forms of offers, of the series, and of the options and settings planned for the next match."""

from typing import Any

import msgspec

from service.domain.ids import PlayerId, Version
from service.domain.room.model.events import BotKind, OfferKind
from service.domain.room.model.settings import Settings
from service.domain.room.model.state import Member, Offer, Plan, Room, Table
from service.domain.room.subjects.offers import players_to_answer


class OfferView(msgspec.Struct, frozen=True):
    """An open offer, which the other humans in the match have to accept, and for a draw the bots too."""

    id: int
    """The number for `answer` and `withdraw`."""
    type: OfferKind
    """What is offered."""
    by: PlayerId
    """The id of the player who made it."""
    awaits: tuple[PlayerId, ...]
    """Who has not answered yet; the holder of several seats answers once."""
    accepted: tuple[PlayerId, ...]
    """Who has accepted it."""
    to_version: Version | None
    """For a takeback: the version to whose position the match would return."""
    player: PlayerId | None
    """For a kick: who would be removed."""


class ScoreView(msgspec.Struct, frozen=True):
    """A player's score in the series."""

    player: PlayerId
    nickname: str | None
    """Null for a player who has left."""
    bot: BotKind | None
    """The kind of the bot; null for people, and for a player who has left."""
    points: float
    """1 for each match won alone, 0.5 for each shared first place."""


class SeriesView(msgspec.Struct, frozen=True):
    """Matches whose results are added up; points belong to players, whichever seats they hold."""

    number: int
    """The number of the series in its room."""
    best_of: int
    """How many matches the series has at most."""
    played: int
    """How many of its matches have counted."""
    scores: tuple[ScoreView, ...]
    """The best player first; players without points are left out."""
    decided: bool
    """Whether the series is over; the next match starts a new one, once everyone is ready again."""


class PlanView(msgspec.Struct, frozen=True):
    """The options and settings that will apply after the running match."""

    options: dict[str, Any]
    settings: Settings


def offer_view(room: Room, offer: Offer) -> OfferView:
    """Return an open offer in its wire form."""
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
    """Return the series in its wire form, None without a series."""
    series = table.series
    if series is None:
        return None
    best = sorted(series.points.items(), key=lambda score: -score[1])
    scores = tuple(score_view(player, table.members.get(player), points) for player, points in best)
    return SeriesView(series.number, series.best_of, series.played, scores, series.is_decided)


def score_view(player: PlayerId, member: Member | None, points: float) -> ScoreView:
    """Return a player's score; `member` is None for a player who has left."""
    if member is None:
        return ScoreView(player, None, None, points)
    return ScoreView(player, member.nickname, member.kind, points)


def plan_view(plan: Plan | None) -> PlanView | None:
    """Return a plan in its wire form, None if nothing changes."""
    return None if plan is None else PlanView(plan.options, plan.settings)

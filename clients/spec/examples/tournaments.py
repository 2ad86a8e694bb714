"""Examples of tournaments: requests, events for players, and frames of their feeds."""

from datetime import UTC, datetime
from typing import Any

import msgspec

from clients.spec.examples.matches import Examples, as_json, without_defaults
from service.contests.tournament_feed import FollowedTournament, TournamentSnapshot, TournamentUpdate
from service.contests.tournament_views import standing_view, tournament_view
from service.domain.game import Seat
from service.domain.ids import Millis, NameRef, PlayerId, Version
from service.domain.room.model.clock import Fischer
from service.domain.room.model.notices import PlayerEvent
from service.domain.streams import Record
from service.domain.tournaments.kind import listed_tournament
from service.domain.tournaments.model import (
    BeginTournament,
    CancelTournament,
    CheckInToTournament,
    EnterTournament,
    LeaveTournament,
    NewTournament,
    PlayerRegistered,
    RemoveFromTournament,
    Terms,
    TournamentCreated,
    TournamentLeft,
    TournamentMatch,
    TournamentOver,
)
from service.domain.tournaments.state import Tournament, evolve
from service.rooms.feeds.frames import Subscribe, Unsubscribe

TOURNAMENT_ID = "x7k2m4qa3h5n6p7r"
TITLE = "Friday Swiss"
BLITZ = Fischer(Millis(180_000), Millis(2_000))
ADA = PlayerId("p-aaaaaaaaaaaaaaaa")
NAME = NameRef(f"{ADA}/1")


def tournament_bodies(played: Examples) -> dict[type, Any]:
    """Return examples of requests."""
    starts = datetime(2027, 3, 5, 18, tzinfo=UTC)
    asked = NewTournament(TITLE, played.room.table.game, "swiss", BLITZ, starts, rounds=5, check_in_ms=600_000)
    return {
        NewTournament: without_defaults(asked),
        EnterTournament: EnterTournament(),
        LeaveTournament: LeaveTournament(),
        CheckInToTournament: CheckInToTournament(),
        BeginTournament: BeginTournament(),
        RemoveFromTournament: RemoveFromTournament(ADA),
        CancelTournament: CancelTournament(),
    }


def tournament_events(played: Examples) -> list[PlayerEvent]:
    """Return the events of a tournament that a player receives."""
    key, game = played.room.table.key, played.room.table.game
    return [
        TournamentMatch(TOURNAMENT_ID, TITLE, 1, game, key.name, key.epoch, Seat(0)),
        TournamentLeft(TOURNAMENT_ID, TITLE, "absent"),
        TournamentOver(TOURNAMENT_ID, TITLE, None),
    ]


def tournament_frames(played: Examples) -> list[Any]:
    """Return the frames of the feed of a tournament for which one player has registered."""
    view = msgspec.Raw(msgspec.json.encode(example_tournament(played)))
    patch = msgspec.Raw(b'[{"op":"replace","path":"/tournament/status","value":"playing"}]')
    return [
        without_defaults(Subscribe(tournament=TOURNAMENT_ID)),
        without_defaults(Unsubscribe(tournament=TOURNAMENT_ID)),
        as_json(TournamentSnapshot(TOURNAMENT_ID, Version(2), view)),
        as_json(TournamentUpdate(TOURNAMENT_ID, Version(3), Version(2), patch)),
    ]


def example_tournament(played: Examples) -> FollowedTournament:
    """Return the view of a tournament for which one player has registered."""
    table = played.room.table
    starts = Millis(played.room.time + 3_600_000)
    terms = Terms(
        title=TITLE,
        game=table.game,
        options=table.options,
        seats=2,
        format="swiss",
        clock=BLITZ,
        starts=starts,
        rounds=5,
        duration=None,
        max_players=512,
        check_in=Millis(600_000),
        late_entry=True,
        bots=False,
    )
    state = Tournament(TOURNAMENT_ID)
    created = TournamentCreated(terms, ADA, NAME, "00")
    for version, event in enumerate((created, PlayerRegistered(ADA, NAME, 1500)), 1):
        state = evolve(state, Record(Version(version), played.room.time, event))
    names = {NAME: "Ada"}
    rows = {row.player: standing_view("swiss", state.entries[row.player], row, names) for row in state.standings}
    shown = tournament_view(state, listed_tournament(state, terms, Version(2)), names)
    return FollowedTournament(shown, {str(player): row for player, row in rows.items()}, {}, ())

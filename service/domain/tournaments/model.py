"""The terms of a tournament, and the events of its stream. They are stored: a change needs an upcaster."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from service.domain.game import Event, Seat
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomName
from service.domain.room.model.clock import Clock
from service.domain.room.model.notices import PlayerEvent
from service.domain.tournaments.pairings import Format

TournamentId = str

Status = Literal["registration", "playing", "finished", "cancelled"]

LeaveReason = Literal["withdrew", "removed", "absent", "not_checked_in"]
"""Why a player left: by withdrawing, removed by the organiser or by a ban, absent twice in a row, or not checked in."""

CancelReason = Literal["by_organiser", "by_operator", "too_few_players"]

MOST_PLAYERS = 512
MOST_IN_ROUND_ROBIN = 32
MOST_ROUNDS = 31
DURATIONS = (10 * 60_000, 12 * 3_600_000)
"""The shortest and the longest time of an arena, in milliseconds."""


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament as requested by its organiser."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    """The title of the tournament."""
    game: str
    """The game's slug."""
    format: Format
    """Who meet: everybody (with three seats as evenly as possible), players with similar scores, or who is free."""
    clock: Clock
    """The clock of every match: `per_move` or `fischer`, with less than a day for a match."""
    starts: Annotated[datetime, msgspec.Meta(tz=True)]
    """When the first round begins; a time up to a minute ago begins it at once."""
    options: dict[str, Any] = {}
    """The game's options; those left out have their defaults."""
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] | None = None
    """How many rounds a Swiss system has; null for as many as the number of players needs. Null in other formats.

    There are fewer if everybody has met everybody before.
    """
    duration_ms: Annotated[int, msgspec.Meta(ge=DURATIONS[0], le=DURATIONS[1])] | None = None
    """For how many milliseconds matches begin in an arena, by default an hour. Null in other formats."""
    max_players: Annotated[int, msgspec.Meta(ge=2, le=MOST_PLAYERS)] | None = None
    """The maximum number of players; null for the maximum of the format."""
    check_in_ms: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] = 0
    """For how many milliseconds before the start players have to check in; 0 if no check-in is needed."""
    late_entry: bool = True
    """Whether players are admitted after the start, in a Swiss system until its last round. Never in a round robin."""
    bots: bool = False
    """Whether programs may take part."""


class Terms(msgspec.Struct, frozen=True):
    """The terms of a tournament: its game, format, clock, times and limits."""

    title: str
    game: str
    options: dict[str, Any]
    """All options of the game."""
    seats: Literal[2, 3]
    """How many players a match has."""
    format: Format
    clock: Clock
    starts: Millis
    rounds: int | None
    """How many rounds there are; None for as many as the number of players needs, and in an arena."""
    duration: Millis | None
    """For how long matches begin in an arena; None in other formats."""
    max_players: int
    check_in: Millis
    """For how long before the start players have to check in; 0 if no check-in is needed."""
    late_entry: bool
    bots: bool


class TournamentEvent(Event, frozen=True):
    """The base of the events of a tournament."""


class TournamentCreated(TournamentEvent, frozen=True):
    """A tournament was created, and players can register."""

    terms: Terms
    organiser: PlayerId
    organiser_ref: NameRef
    """Where the organiser's nickname is stored."""
    seed: str
    """Determines the random decisions in pairings."""
    fingerprint: str = ""
    """The fingerprint of the request, if it had an idempotency key."""
    organiser_bot: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the organiser was declared a bot; unset for people, and in events of earlier releases."""


class PlayerRegistered(TournamentEvent, frozen=True):
    """A player registered, or came back after leaving."""

    player: PlayerId
    name_ref: NameRef
    """Where the player's nickname is stored."""
    rating: int
    """The player's rating in points, 1500 for a player without one."""
    bot: bool = False
    """Whether the player declared that a program plays for them."""


class PlayerCheckedIn(TournamentEvent, frozen=True):
    """A player checked in."""

    player: PlayerId


class PlayerWithdrawn(TournamentEvent, frozen=True):
    """A player gets no further match."""

    player: PlayerId
    reason: LeaveReason


class PlayBegan(TournamentEvent, frozen=True):
    """The tournament began."""

    rounds: int | None
    """How many rounds there will be at most; None in an arena."""
    until: Millis | None
    """Until when matches begin in an arena; None in other formats."""


class NewTable(msgspec.Struct, frozen=True):
    """A match that was paired."""

    number: int
    """The number of the table in the tournament, from 1."""
    players: tuple[PlayerId, ...]
    """By seat."""


class RoundPaired(TournamentEvent, frozen=True):
    """Players were paired: for a round, or, in an arena, those who were waiting."""

    round: int
    """The number of the round, from 1."""
    tables: tuple[NewTable, ...]
    byes: tuple[PlayerId, ...]
    """The players without a match in this round; in an arena, those who keep waiting."""
    deadline: Millis
    """When the matches of these tables are closed if they have not ended."""
    repeats: bool = False
    """Whether some players meet again because nothing else was possible."""


class TableOpened(TournamentEvent, frozen=True):
    """The room of a table was opened, and its match began."""

    table: int
    room: RoomName
    epoch: Epoch


class TableEnded(TournamentEvent, frozen=True):
    """The match of a table ended. The room delivers this event."""

    table: int
    match_id: str
    places: tuple[int, ...]
    """By seat; all 1 for a match that was closed."""
    absent: tuple[Seat, ...] = ()
    """The seats that forfeited, or ran out of time, without making a move."""
    unmoved: tuple[Seat, ...] = ()
    """After an absence, the seats that had no reason to move: whether their players were present is unknown."""


class DeadlinesExtended(TournamentEvent, frozen=True):
    """The service was down: the check-in, or running matches and an arena, got back the time that they lost."""

    by: Millis


class TournamentFinished(TournamentEvent, frozen=True):
    """All matches were played."""


class TournamentCancelled(TournamentEvent, frozen=True):
    """The tournament was cancelled; matches that have begun are played to the end, others are dropped."""

    reason: CancelReason


AnyTournamentEvent = (
    TournamentCreated
    | PlayerRegistered
    | PlayerCheckedIn
    | PlayerWithdrawn
    | PlayBegan
    | RoundPaired
    | TableOpened
    | TableEnded
    | DeadlinesExtended
    | TournamentFinished
    | TournamentCancelled
)
"""Every event of a tournament's stream."""


class TournamentMatch(PlayerEvent, frozen=True):
    """A match of a tournament in which the player takes part began."""

    tournament: TournamentId
    """The id of the tournament."""
    title: str
    """The tournament's title."""
    round: int
    """The number of the round."""
    game: str
    """The game's slug."""
    room: RoomName
    """The name of the room of the match."""
    epoch: Epoch
    seat: Seat
    """The player's seat."""


class TournamentLeft(PlayerEvent, frozen=True):
    """The player gets no further match in a tournament, and did not withdraw."""

    tournament: TournamentId
    """The id of the tournament."""
    title: str
    """The tournament's title."""
    reason: LeaveReason
    """The reason."""


class TournamentOver(PlayerEvent, frozen=True):
    """A tournament in which the player took part has finished or was cancelled."""

    tournament: TournamentId
    """The id of the tournament."""
    title: str
    """The tournament's title."""
    cancelled: CancelReason | None
    """Why it was cancelled; null if it has finished."""


class TournamentCommand(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A command to a tournament."""


class EnterTournament(TournamentCommand, frozen=True, tag="register"):
    """Take part, or come back after leaving. During the check-in this also checks you in."""


class LeaveTournament(TournamentCommand, frozen=True, tag="withdraw"):
    """Leave the tournament: you get no further match; a running match continues."""


class CheckInToTournament(TournamentCommand, frozen=True, tag="check_in"):
    """Confirm that you are present, within the time before the start that the tournament sets."""


class BeginTournament(TournamentCommand, frozen=True, tag="begin"):
    """Begin before the scheduled time, with all registered players, checked in or not. Organiser only."""


class RemoveFromTournament(TournamentCommand, frozen=True, tag="remove"):
    """Remove a player permanently; a running match continues. Organiser only."""

    player: PlayerId


class CancelTournament(TournamentCommand, frozen=True, tag="cancel"):
    """Cancel the tournament; running matches continue, and count as matches. Organiser only."""


OrganiserCommand = BeginTournament | RemoveFromTournament | CancelTournament

CommandToPlay = LeaveTournament | CheckInToTournament | OrganiserCommand
AnyTournamentCommand = EnterTournament | CommandToPlay

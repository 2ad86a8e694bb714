"""The index of a room's matches, and the form of its entries in the indexes of their players."""

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ratings.classes import TimeClass, time_class
from service.domain.room.model import events as happened
from service.domain.room.model.events import Recorded, Result
from service.domain.room.model.ids import Millis, NameRef, PlayerId, Version
from service.domain.room.model.state import Match, Room

Outcome = Literal["won", "drawn", "lost"]
"""How a match ended for a player."""


class MatchKind(msgspec.Struct, frozen=True, array_like=True):
    """What kind of match it was, from the settings that applied to it."""

    rated: bool
    time_class: TimeClass | None
    """The class of its clock; None without a clock."""
    members_only: bool
    """Whether the room was private or admitted no spectators."""
    is_standard: bool = False
    """Whether it had the default options and its own layout, and nothing was taken back."""


class MatchEntry(msgspec.Struct, frozen=True):
    """A match in its room's index; `last` and the fields after it are null while the match is played."""

    id: str
    number: int
    game: str
    first: Version
    started: Millis
    players: tuple[PlayerId | None, ...]
    nicknames: tuple[str | None, ...]
    """The nicknames of the players; stored empty for those with a reference."""
    last: Version | None = None
    ended: Millis | None = None
    result: Result | None = None
    name_refs: tuple[NameRef | None, ...] | UnsetType = UNSET
    """Where the nicknames are stored; unset if nowhere else, as for bots and in earlier releases."""
    kind: MatchKind | UnsetType = UNSET
    """Unset in entries of earlier releases."""

    @property
    def members_only(self) -> bool:
        """Whether the match is known to be for members only; in entries of earlier releases, the room decides."""
        return self.kind is not UNSET and self.kind.members_only


class PlayedMatch(msgspec.Struct, frozen=True, array_like=True):
    """A match that has ended in the index of one of its players. It is stored with its fields in this order."""

    id: str
    ended: Millis
    game: str
    kind: MatchKind
    seats: tuple[Seat, ...]
    """The player's seats."""
    place: int
    """The player's place; 0 without a result, and for a player who had several seats."""
    outcome: Outcome | None
    opponents: dict[PlayerId, Outcome | None]
    """The other people, and how it ended for the player against each of them."""


UNKNOWN_KIND = MatchKind(rated=False, time_class=None, members_only=True)
"""What is assumed about a match of an earlier release whose events are no longer stored: others do not see it."""

BOUNDS = frozenset({happened.MatchStarted, happened.MatchEnded})
"""The types of the events that change the match index."""

PERSON = "p-"
"""The beginning of the ids of people; those of the service's bots begin with `bot-`."""


def match_entry(room: Room, match: Match, latest: Recorded) -> MatchEntry:
    """Return the index entry of a match."""
    members, settings = room.table.members, match.settings
    players = [members.get(player) if player else None for player in match.players]
    refs = tuple([(member.name_ref or None) if member else None for member in players])
    names = [None if member is None else "" if member.name_ref else member.nickname for member in players]
    is_private = settings.visibility == "private" or not settings.spectators
    return MatchEntry(
        id=match.id,
        number=match.number,
        game=room.table.game,
        first=match.first,
        started=match.started,
        players=match.players,
        nicknames=tuple(names),
        name_refs=refs if any(refs) else UNSET,
        last=latest.version if match.result is not None else None,
        ended=match.ended,
        result=match.result,
        kind=MatchKind(settings.rated, time_class(settings.clock), is_private, is_standard(match)),
    )


def is_standard(match: Match) -> bool:
    """Return whether a match has the default options and its own layout, and nothing was taken back so far."""
    return match.options == match.game.options() and match.layout is None and not match.takebacks


def played_matches(entry: MatchEntry) -> Iterator[tuple[PlayerId, PlayedMatch]]:
    """Yield a match for each person in it; nothing while it is played."""
    if entry.ended is None or entry.result is None:
        return
    kind = UNKNOWN_KIND if entry.kind is UNSET else entry.kind
    seats, places = seats_by_player(entry), places_by_player(entry, entry.result)
    for player, held in seats.items():
        if player.startswith(PERSON):
            others = [each for each in seats if each != player and each.startswith(PERSON)]
            against = {each: outcome_against(places, player, each) for each in others}
            place = places.get(player, 0)
            outcome = outcome_of(place, entry.result)
            yield player, PlayedMatch(entry.id, entry.ended, entry.game, kind, held, place, outcome, against)


def can_be_notable(entry: MatchEntry) -> bool:
    """Return whether a match is public, between people, with the default options, and was decided by its rules."""
    if not entry.kind or entry.result is None or entry.kind.members_only or not entry.kind.is_standard:
        return False
    persons = {player for player in entry.players if player is not None and player.startswith(PERSON)}
    return len(persons) == len(entry.players) and entry.result.reason in GAMES[entry.game].endings


def seats_by_player(entry: MatchEntry) -> dict[PlayerId, tuple[Seat, ...]]:
    """Return the seats of each player of a match."""
    seats: dict[PlayerId, tuple[Seat, ...]] = {}
    for seat, player in enumerate(entry.players):
        if player is not None:
            seats[player] = (*seats.get(player, ()), Seat(seat))
    return seats


def places_by_player(entry: MatchEntry, result: Result) -> dict[PlayerId, int]:
    """Return the places of the players who had one seat in a match with a result."""
    if not result.places:
        return {}
    return {player: result.places[held[0]] for player, held in seats_by_player(entry).items() if len(held) == 1}


def outcome_of(place: int, result: Result) -> Outcome | None:
    """Return how a match ended for a player with a place: a shared first one is a draw."""
    if not place:
        return None
    if place > 1:
        return "lost"
    return "won" if result.places.count(1) == 1 else "drawn"


def outcome_against(places: dict[PlayerId, int], player: PlayerId, other: PlayerId) -> Outcome | None:
    """Return how a match ended for a player against another one: by their places alone."""
    one, two = places.get(player), places.get(other)
    if one is None or two is None:
        return None
    return "drawn" if one == two else "won" if one < two else "lost"

"""The index of a room's matches, and the form of its entries in the indexes of their players."""

from collections.abc import Iterator
from typing import Literal

import msgspec
import structlog
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomKey, RoomName, Version, is_person
from service.domain.room.model import events as happened
from service.domain.room.model.clock import TimeClass, time_class
from service.domain.room.model.events import Recorded, Result
from service.domain.room.model.state import MOVED, Match, Room
from service.domain.structs import copied
from service.store.contract import Store
from service.store.integrity import BrokenHistory

log = structlog.get_logger()

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
    aborted: bool | None = None
    """Whether it ended, or is at present, before enough seats had moved; None in entries of earlier releases."""
    in_tournament: bool = False
    """Whether it is played at a tournament's table; also false in entries of earlier releases."""

    @property
    def counts(self) -> bool:
        """Whether the match counts for its players: an aborted one only at a tournament's table."""
        return self.in_tournament or not self.aborted

    def with_ending(self, ended: "MatchKind") -> "MatchKind":
        """Return this kind of an earlier release with what was found out later."""
        return replace(self, aborted=ended.aborted, in_tournament=ended.in_tournament)


class MatchEntry(msgspec.Struct, frozen=True):
    """A match in its room's index; `last` and the fields after it are null while the match is played."""

    id: str
    number: int
    game: str
    first: Version
    started: Millis
    players: tuple[PlayerId | None, ...]
    nicknames: tuple[str | None, ...]
    """The nicknames that the players had when it started; stored empty for those with a reference.

    In entries of earlier releases, null for players who had left the room before the match ended.
    """
    last: Version | None = None
    ended: Millis | None = None
    result: Result | None = None
    name_refs: tuple[NameRef | None, ...] | UnsetType = UNSET
    """Where the nicknames are stored; unset if nowhere else, as for bots and in earlier releases."""
    kind: MatchKind | UnsetType = UNSET
    """Unset in entries of earlier releases."""
    programs: tuple[Seat, ...] | UnsetType = UNSET
    """The seats of players who were declared bots; unset in entries of earlier releases."""

    def has_bot(self, seat: int) -> bool:
        """Return whether a bot of the service, or a player who was declared a bot, had a seat when it started."""
        player = self.players[seat]
        return player is not None and (not is_person(player) or seat in (self.programs or ()))

    @property
    def members_only(self) -> bool:
        """Whether the match is known to be for members only; in entries of earlier releases, the room decides."""
        return self.kind is not UNSET and self.kind.members_only

    @property
    def counts(self) -> bool | None:
        """Whether the match counts for its players; None while it is played."""
        return None if self.last is None else self.kind is UNSET or self.kind.counts

    @property
    def lacks_ending(self) -> bool:
        """Whether it is not known whether the match was aborted, as in entries of earlier releases."""
        return self.last is not None and (self.kind is UNSET or self.kind.aborted is None)

    @property
    def is_incomplete(self) -> bool:
        """Whether an earlier release wrote it: without bots, and without nicknames of those who left the match."""
        return self.programs is UNSET or None in [
            name for player, name in zip(self.players, self.nicknames, strict=True) if player
        ]


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
    """How it ended for the player, whether it counts or not."""
    opponents: dict[PlayerId, Outcome | None]
    """The other people, and how it ended for the player against each of them, whether it counts or not."""


ENTRY = msgspec.json.Decoder(MatchEntry)

UNKNOWN_KIND = MatchKind(rated=False, time_class=None, members_only=True)
"""What is assumed about a match of an earlier release whose events are no longer stored: others do not see it."""

BOUNDS = frozenset({happened.MatchStarted, happened.MatchEnded})
"""The types of the events that change the match index."""


async def stored_match(store: Store, match_id: str) -> MatchEntry | None:
    """Return the index entry of a match; None if its room has none, or it is damaged, which is logged."""
    key, number = room_of_match(match_id)
    try:
        [data] = await store.matches(key, [number])
        return None if data is None else ENTRY.decode(data)
    except (BrokenHistory, msgspec.DecodeError, UnicodeDecodeError) as broken:
        log.error("match_damaged", room=key.name, epoch=key.epoch, match=number, why=str(broken))  # noqa: TRY400 - one line is enough
        return None


def match_entry(room: Room, match: Match, latest: Recorded) -> MatchEntry:
    """Return the index entry of a match."""
    names, refs = nicknames_of(match)
    return copied(
        MatchEntry,
        match,
        game=room.table.game,
        nicknames=names,
        name_refs=refs,
        last=latest.version if match.result is not None else None,
        kind=kind_of(room, match),
    )


def kind_of(room: Room, match: Match) -> MatchKind:
    """Return what kind of match it is."""
    settings = match.settings
    return MatchKind(
        rated=settings.rated,
        time_class=time_class(settings.clock),
        members_only=settings.visibility == "private" or not settings.spectators,
        is_standard=is_standard(match),
        aborted=len(match.moved_seats) < MOVED,
        in_tournament=room.table.tournament is not None,
    )


def nicknames_of(match: Match) -> tuple[tuple[str | None, ...], tuple[NameRef | None, ...] | UnsetType]:
    """Return the nicknames that the players had when a match started as they are stored, and the references to them."""
    seated = [match.sat.get(player) if player else None for player in match.players]
    refs = tuple([None if each is None else each.name_ref for each in seated])
    return tuple([None if each is None else each.nickname for each in seated]), refs if any(refs) else UNSET


def is_standard(match: Match) -> bool:
    """Return whether a match has the default options and its own layout, and nothing was taken back so far."""
    return match.options == match.game.options() and match.layout is None and not match.takebacks


def played_matches(entry: MatchEntry) -> Iterator[tuple[PlayerId, PlayedMatch]]:
    """Yield a match for each person in it; nothing while it is played."""
    if entry.ended is None or entry.result is None:
        return
    kind = UNKNOWN_KIND if entry.kind is UNSET else entry.kind
    if kind.aborted is None:  # the events from which it follows are no longer stored
        kind = replace(kind, aborted=False)
    seats, places = seats_by_player(entry), places_by_player(entry, entry.result)
    for player, held in seats.items():
        if is_person(player):
            others = [each for each in seats if each != player and is_person(each)]
            against = {each: outcome_against(places, player, each) for each in others}
            place = places.get(player, 0)
            outcome = outcome_of(place, entry.result)
            yield player, PlayedMatch(entry.id, entry.ended, entry.game, kind, held, place, outcome, against)


def is_aborted_by(entry: MatchEntry, player: PlayerId) -> bool:
    """Return whether a match was aborted by a player: it ended, with a loss for them, before two seats had moved."""
    played = dict(played_matches(entry)).get(player)
    return played is not None and bool(played.kind.aborted) and played.outcome == "lost"


def can_be_notable(entry: MatchEntry) -> bool:
    """Return whether a match is public, between people, with the default options, and was decided by its rules."""
    if not entry.kind or entry.result is None or entry.kind.members_only or not entry.kind.is_standard:
        return False
    persons = {player for player in entry.players if player is not None and is_person(player)}
    return len(persons) == len(entry.players) and entry.result.reason in GAMES[entry.game].texts.endings


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


def is_match_id(text: str) -> bool:
    """Return whether a text has the form of a match's id."""
    parts = text.split(".")
    return len(parts) == len(("room", "epoch", "number")) and all(parts) and parts[-1].isdecimal()


def room_of_match(match_id: str) -> tuple[RoomKey, int]:
    """Return the room of a match, and its number there."""
    room, epoch, number = match_id.split(".")
    return RoomKey(RoomName(room), Epoch(epoch)), int(number)

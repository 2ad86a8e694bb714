"""The settings of a room, and the request for a new room, in the form in which clients send it.

The settings say when matches start, who can find the room, and who may do what; its series, and its tournament.
"""

from functools import reduce
from typing import Annotated, Any, Literal

import msgspec

from service.domain.game import Event, Game, Level
from service.domain.ids import NameRef, PlayerId, Version
from service.domain.room.model.clock import Clock, NoClock
from service.domain.validation import MAX_INTEGER

Visibility = Literal["public", "unlisted", "private"]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a room."""

    visibility: Visibility = "public"
    """Whether the lobby lists the room; an unlisted one is found by its name, a private one only with its password."""
    start: Literal["ready", "full", "creator"] = "ready"
    """What starts the first match: all players being ready, all seats being taken, or the creator's `start`."""
    restart: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] | None = 5000
    """Milliseconds from the end of a match to the start of the next one; null: it starts when all players are ready.

    They are counted from the end plus the game's `telling_ms`, in which clients show the last events. The next match
    also waits until all players are present, see `waiting_for` of the view. If only bots play, somebody has to follow
    the room's own feed, and no match starts later than a day after the latest command of a player.
    """
    clock: Clock = NoClock()
    """How much time the players have."""
    on_timeout: Literal["lose", "random_move", "bot_move"] = "lose"
    """What happens to a seat whose time runs out: it drops out, or the service moves for it until the turn ends."""
    bot_pause: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 1000
    """Milliseconds that a bot takes for a move; none once all people in the match have dropped out.

    An easy move takes up to 600 fewer, a hard one up to 1000 more; with a pause below 1000 proportionally less.
    """
    bots_resign: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether bots above `easy` resign to their last opponent once they have lost beyond doubt for three turns.

    Left out means that they do.
    """
    seats_next: Literal["keep", "rotate"] = "keep"
    """Whether the players rotate by one seat from match to match."""
    best_of: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    """How many matches make a series, which ends early once a player cannot be overtaken; 0: no series."""
    hints: Literal["bots_only", "off", "on"] = "bots_only"
    """Who may ask for hints: a player whose opponents are all bots of the service, nobody, or every player."""
    hot_seat: bool = False
    """Whether a player may hold several seats, to play with others on one device."""
    chat: Literal["together", "apart"] = "together"
    """Whether players and spectators share the chat (`together`) or each have their own (`apart`)."""
    spectators: bool = True
    """Whether spectators are admitted; if not, only members can read the room."""
    rated: bool = False
    """Whether matches count for a rating: see `rated_match` for what they exclude. They need a clock.

    A rated room is not private and not a hot seat, its `on_timeout` is `lose`, and no bot of the service has a seat.
    All players have to be ready for each match, and the seats rotate: `restart` is null, `seats_next` is `rotate`.
    """
    grace_ms: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] = 60_000
    """Milliseconds of absence after which the other players can claim against a seat; a rated match is forfeited."""


Password = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
NewPassword = Annotated[str, msgspec.Meta(min_length=6, max_length=128)]
"""Rooms that were opened with a shorter one keep it."""


class RequestedSettings(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings as clients send them."""

    password: NewPassword | None = None
    """The password of a private room, 6 to 128 characters, required to `join`; only a salted scrypt hash is stored."""

    def stored(self) -> Settings:
        """Return the settings that apply, without the password: players agree on each match of a rated room."""
        fields = {field: getattr(self, field) for field in Settings.__struct_fields__}
        agreed = {"restart": None, "seats_next": "rotate"} if self.rated else {}
        resign = msgspec.UNSET if self.bots_resign is not False else False  # release 0.1 reads no room that has it
        return Settings(**{**fields, **agreed, "bots_resign": resign})


class TournamentTable(msgspec.Struct, frozen=True):
    """The table of a tournament whose only match a room is for."""

    id: str
    """The id of the tournament."""
    title: str
    """The title of the tournament."""
    round: int
    """The number of the round, from 1."""
    table: int
    """The number of the table in the tournament, from 1."""


class Series(msgspec.Struct, frozen=True):
    """Matches whose results are added up."""

    best_of: int
    number: int = 1
    """Which series of the room it is."""
    played: int = 0
    """How many of its matches had a result."""
    points: dict[PlayerId, float] = {}
    """By player: 1 for each win, 0.5 for each shared one; players without points are left out."""

    @property
    def is_decided(self) -> bool:
        """Whether a player has more than half of the possible points, or all matches have been played."""
        return self.played >= self.best_of or any(2 * points > self.best_of for points in self.points.values())


Nickname = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""Checked after normalisation by `names.new_nickname`; the length here only limits the work."""

Salt = Annotated[str, msgspec.Meta(max_length=128)]
"""A player's contribution to the chance of the next match: any text."""


class BotSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat for a bot of the service."""

    bot: Level
    """The bot's level; `bots` at GET /v1/games/{game} lists the levels."""


SeatChoice = Literal["me"] | BotSeat | None


class CopiedPosition(msgspec.Struct, frozen=True):
    """A position of a match, copied, so that matches of another room can begin there."""

    match: str
    """The id of the match."""
    version: Version
    """The version of the match's room at which the position was on the board, or was about to be."""
    options: dict[str, Any]
    """All options of the match."""
    events: tuple[dict[str, Any], ...]
    """The events of the game that led there, as everybody may know them, without those that were taken back."""

    def events_of(self, game: Game[Any, Any, Any, Any]) -> list[Event]:
        """Return the events. Raises `msgspec.ValidationError` for those of another game."""
        found: list[Event] = msgspec.convert(self.events, list[game.event])  # type: ignore[name-defined]  # the type is a value here
        return found


def first_state(
    game: Game[Any, Any, Any, Any], options: msgspec.Struct, position: CopiedPosition | msgspec.UnsetType | None
) -> Any:
    """Return the state in which a match begins, before its setup: a copied position, or the game's start."""
    state = game.start(options)
    return reduce(game.evolve, position.events_of(game), state) if position else state


class MatchPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position of a match that the caller may read, also while it is played, unless it is rated then."""

    match: str
    """The id of the match."""
    version: Annotated[Version, msgspec.Meta(ge=1, le=MAX_INTEGER)]
    """The version of its room at which the position is on the board, as in its analysis."""


class OpenRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A request for a new room."""

    game: str = ""
    """The game's slug."""
    name: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """The room's name; case and spaces do not matter. The title shows it as sent. Generated if left out.

    Eight random letters and digits are appended to a private room's name: use `room` from the response.
    """
    options: dict[str, Any] = {}
    """The game's options; those left out have their defaults."""
    settings: RequestedSettings = RequestedSettings()
    nickname: Nickname | None = None
    """The creator's nickname in this room."""
    seats: Annotated[tuple[SeatChoice, ...], msgspec.Meta(max_length=16)] | None = None
    """Who takes which seat immediately; by default the creator takes the first one. Several "me" need `hot_seat`.

    If no seat is null, the match starts immediately. If no seat is "me", the creator is a spectator.
    """
    salt: Salt | msgspec.UnsetType | None = msgspec.UNSET
    """The creator's contribution to the chance of the first match, as in `ready`; not for a creator without a seat."""
    from_: MatchPosition | None = None
    """The position at which the room's matches begin, with its game and options. Chance is drawn again.

    `options` are left out then, `game` can be, and the room is not rated.
    """


class SeatedEntrant(msgspec.Struct, frozen=True):
    """A player of a tournament who gets a seat."""

    player: PlayerId
    nickname: str
    name_ref: NameRef
    """Where the nickname is stored."""
    bot: bool = False
    """Whether a program plays for the player."""


class OpenAtPosition(OpenRoom, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request for a room from a position, which has been copied, with its game and options."""

    position: CopiedPosition


class OpenTable(OpenRoom, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request for the room of a tournament's table, with all players seated; its match starts at once."""

    table: TournamentTable
    entrants: tuple[SeatedEntrant, ...]
    """By seat."""

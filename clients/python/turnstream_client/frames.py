"""The frames of a socket, and how JSON becomes a typed value.

A frame keeps its events as JSON, because their types depend on the room's game, and its view as plain data, which
patches change.
"""

from datetime import datetime
from typing import Any, get_args

import msgspec

from turnstream_client.errors import UnreadableError
from turnstream_client.patch import PatchOperation
from turnstream_client.schema import (
    EVENTS,
    AnyEvent,
    ChatLine,
    JoinedRoom,
    LobbyEntry,
    LobbyEntryKey,
    PlayerEvent,
    PlayerPresence,
    Problem,
    RoomView,
    Schema,
    TvMatch,
)


class OtherEvent(Schema, frozen=True):
    """An event of a type that this release of the library does not know."""

    type: str
    version: int
    time: datetime
    match: int | None = None
    by: str | None = None


class Subscribed(Schema, frozen=True, tag_field="type", tag="subscribed"):
    """The room is followed; what was missed arrives next, as events or as a snapshot."""

    room: str
    epoch: str


class Snapshot(Schema, frozen=True, tag_field="type", tag="snapshot"):
    """The complete view."""

    version: int
    mark: str
    reason: str
    view: dict[str, Any]


class Update(Schema, frozen=True, tag_field="type", tag="update"):
    """The events of one command, and if they are the latest, the view after them or its changes."""

    version: int
    mark: str
    events: list[msgspec.Raw]
    view: dict[str, Any] | None = None
    from_: int | None = msgspec.field(name="from", default=None)
    """With a patch: the version of the view that it changes."""
    patch: list[PatchOperation] | None = None


class Presence(Schema, frozen=True, tag_field="type", tag="presence"):
    """Who is connected to the room."""

    players: dict[str, PlayerPresence]
    watchers: int


class Chat(Schema, frozen=True, tag_field="type", tag="chat"):
    """A line of the chat of a room or, without `room`, of the lobby."""

    line: ChatLine
    room: str | None = None


class ChatSnapshot(Schema, frozen=True, tag_field="type", tag="chat_snapshot"):
    """The latest lines of a view of the chat."""

    lines: tuple[ChatLine, ...]
    next: str | None


class LobbyUpdate(Schema, frozen=True, tag_field="type", tag="lobby"):
    """Rooms that are new or have changed, and those that are no longer listed; a snapshot has all rooms."""

    upsert: tuple[LobbyEntry, ...] = ()
    remove: tuple[LobbyEntryKey, ...] = ()
    snapshot: bool = False


class TvUpdate(Schema, frozen=True, tag_field="type", tag="tv"):
    """The match that a channel of TV shows."""

    match: TvMatch | None = None


class TournamentSnapshot(Schema, frozen=True, tag_field="type", tag="tournament_snapshot"):
    """The current state of a tournament."""

    version: int
    view: msgspec.Raw


class TournamentUpdate(Schema, frozen=True, tag_field="type", tag="tournament_update"):
    """What has changed in a tournament."""

    version: int
    from_: int = msgspec.field(name="from")
    """The version of the view that it changes."""
    patch: list[PatchOperation]


class PlayerSubscribed(Schema, frozen=True, tag_field="type", tag="player_subscribed"):
    """The player's own feed is followed; what was missed arrives next, as events or as a snapshot."""


class PlayerSnapshot(Schema, frozen=True, tag_field="type", tag="player_snapshot"):
    """The rooms of the player."""

    version: int
    mark: str
    reason: str
    rooms: tuple[JoinedRoom, ...]


class PlayerUpdate(Schema, frozen=True, tag_field="type", tag="player_update"):
    """New events of the player's own feed."""

    version: int
    mark: str
    events: list[msgspec.Raw]


class Heartbeat(Schema, frozen=True, tag_field="type", tag="heartbeat"):
    """A heartbeat of an idle room."""

    server_time: datetime


class Result(Schema, frozen=True):
    """The result of a command that is not already in the feed."""

    version: int


class Reply(Schema, frozen=True, tag_field="type", tag="reply"):
    """The answer to a command: a result or a problem."""

    id: int
    result: Result | None = None
    problem: Problem | None = None


class Error(Schema, frozen=True, tag_field="type", tag="error"):
    """A frame or a subscription that was refused."""

    problem: Problem
    room: str | None = None


Frame = (
    Subscribed
    | Snapshot
    | Update
    | Presence
    | Chat
    | ChatSnapshot
    | LobbyUpdate
    | TvUpdate
    | TournamentSnapshot
    | TournamentUpdate
    | PlayerSubscribed
    | PlayerSnapshot
    | PlayerUpdate
    | Heartbeat
    | Reply
    | Error
)


class _Typed(msgspec.Struct):
    type: str


KINDS = {kind.__struct_config__.tag: kind for kind in get_args(Frame)}
PLAYER_EVENT_TYPES = {kind.__struct_config__.tag for kind in get_args(PlayerEvent)}
EVENT_TYPES = {game: {kind.__struct_config__.tag for kind in get_args(EVENTS[game])} for game in EVENTS}


def unreadable(error: Exception) -> UnreadableError:
    """Return an error of msgspec as an error of this library."""
    return UnreadableError(f"the server sent what this release of turnstream-client cannot read: {error}")


def decode(data: bytes | str | msgspec.Raw, kind: Any) -> Any:
    """Return JSON as a value of a type. Raises `UnreadableError`."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise unreadable(error) from error


def decode_frame(data: bytes | str) -> Frame | None:
    """Return a frame, None for one of a type that this release does not use. Raises `UnreadableError`."""
    kind = KINDS.get(decode(data, _Typed).type)
    frame: Frame | None = decode(data, kind) if kind else None
    return frame


def convert_view(data: dict[str, Any]) -> RoomView:
    """Return a room's view. Raises `UnreadableError`."""
    try:
        view: RoomView = msgspec.convert(data, RoomView)
    except msgspec.ValidationError as error:
        raise unreadable(error) from error
    return view


def decode_event(data: msgspec.Raw, game: str) -> AnyEvent | OtherEvent:
    """Return an event of a room of this game. Raises `UnreadableError`."""
    is_known = decode(data, _Typed).type in EVENT_TYPES[game]
    event: AnyEvent | OtherEvent = decode(data, EVENTS[game] if is_known else OtherEvent)
    return event


def decode_player_event(data: msgspec.Raw) -> PlayerEvent | OtherEvent:
    """Return an event of a player's own feed. Raises `UnreadableError`."""
    is_known = decode(data, _Typed).type in PLAYER_EVENT_TYPES
    event: PlayerEvent | OtherEvent = decode(data, PlayerEvent if is_known else OtherEvent)
    return event

"""The frames of a feed in both directions, in their wire form."""

from collections.abc import Callable
from typing import Annotated, Literal, Protocol

import msgspec

from service.domain.game import snake_case
from service.domain.ids import Epoch, Player, PlayerId, Version
from service.domain.room.model.commands import SeatNumber
from service.domain.validation import MAX_INTEGER
from service.rooms.presence_counts import PlayerPresence
from service.rooms.views.lobby_entry import LobbyEntry
from service.rooms.views.match_view import ClockView
from service.rooms.views.room_view import SentView
from service.streams.errors import Problem

Audience = Literal["all", "players", "spectators"]


class ChatLine(msgspec.Struct, frozen=True):
    """A line of a chat."""

    id: str
    """The line's id; later lines have greater ids."""
    time: str
    player: Player
    """Who wrote it, with the nickname that they had there."""
    audience: Audience
    """Who can read it: everyone, or, in a room with `chat` set to `apart`, only players or only spectators."""
    text: str
    """Plain text; empty if the player was erased."""
    room: str | msgspec.UnsetType = msgspec.UNSET
    """The room where it was written; absent in the lobby."""
    title: str | msgspec.UnsetType = msgspec.UNSET
    """The title of that room."""


StateMode = bool | Literal["patch"]
"""What updates contain of the view: all of it, nothing, or its changes."""

SnapshotReason = Literal["subscribed", "history_changed", "too_slow"]
CommandId = Annotated[str, msgspec.Meta(max_length=128)] | Annotated[int, msgspec.Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
VersionNumber = Annotated[Version, msgspec.Meta(ge=0, le=MAX_INTEGER)]


class ClientFrame(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True):
    """A frame from a client."""


class Targeted(ClientFrame, frozen=True):
    """A frame about a room, the lobby, the own feed, TV, a tournament or the chat; `ValueError` unless it names one."""

    room: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """For a room: its name."""
    lobby: bool = False
    """True for the lobby, without `room`."""
    me: bool = False
    """True for the caller's own feed, without `room`."""
    tv: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    """For TV: the channel, which is a game's slug, or `best` for all games."""
    tournament: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    """For a tournament: its id."""
    chat: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """For the chat: the view, which is `all` (the lobby and the caller's rooms), `lobby`, or a room's name."""

    def __post_init__(self) -> None:
        """Check that exactly one of them is named."""
        named = (self.room, self.tv, self.tournament, self.chat)
        if sum((self.lobby, self.me, *(each is not None for each in named))) != 1:
            raise ValueError("Object needs one of `room`, `lobby: true`, `me: true`, `tv`, `tournament` and `chat`")


class Subscribe(Targeted, frozen=True):
    """Follow a room, the lobby, your own feed, TV, a tournament or the chat. The first can have the socket's token."""

    game: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    """For the lobby: only rooms of this game."""
    joinable: bool = False
    """For the lobby: only rooms in which others can take a seat; a room is removed when that ends."""
    since: VersionNumber | None = None
    """The last version that the client has; it receives the events after it."""
    mark: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    """The mark of that version, which shows whether the room's history was replaced."""
    token: Annotated[str, msgspec.Meta(max_length=8192)] | None = None
    """The token of the subscriber, which authenticates the whole socket."""
    seat: SeatNumber | None = None
    """The seat whose view to send, if the player holds several."""
    id: CommandId | None = None
    """With an id, a `reply` with the same id says that the subscription began, or why not."""
    state: StateMode = True
    """Whether updates have the view; with `patch` they have its changes as a JSON Patch."""
    omit: Annotated[tuple[Literal["legal_moves", "last"], ...], msgspec.Meta(max_length=2)] = ()
    """Lists that are empty in views, for smaller updates: `legal_moves` of the match, and `last`, the latest events,
    which an update contains anyway."""


class Unsubscribe(Targeted, frozen=True):
    """Stop following a room, the lobby, your own feed, TV, a tournament, or the chat."""

    id: CommandId | None = None
    """With an id, a `reply` with the same id says that nothing more follows."""


class WithId(msgspec.Struct, frozen=True):
    """What is read of an invalid frame, so that the refusal has its id."""

    id: CommandId | None = None


class Command(ClientFrame, frozen=True):
    """A command to a room; `reply` answers it with the same id."""

    id: CommandId
    """The client's number or name of the command; the reply has the same."""
    room: Annotated[str, msgspec.Meta(max_length=200)]
    command: msgspec.Raw
    """The command, as in `POST /v1/rooms/{room}/commands`."""
    key: Key | None = None
    """The idempotency key, like the header Idempotency-Key over HTTP."""
    if_version: VersionNumber | None = None
    """The version that the room must be at, like If-Match over HTTP."""
    view: bool = False
    """Whether the reply has the view even if this socket follows the room."""


class SeekFrame(ClientFrame, frozen=True, tag="seek"):
    """Look for other players as long as this socket is open, and five seconds longer; `reply` has the seek."""

    id: CommandId
    """The client's number or name of the request; the reply has the same."""
    seek: msgspec.Raw
    """The wish, as in `POST /v1/seeks`."""


class WithdrawSeek(ClientFrame, frozen=True):
    """Stop looking for other players."""

    id: CommandId
    """The client's number or name of the request; the reply has the same."""
    seek: Annotated[str, msgspec.Meta(max_length=40)]
    """The id of the seek."""


class Ping(ClientFrame, frozen=True):
    """Ask for a `pong`."""

    id: CommandId | None = None
    """The `pong` has the same id."""


FromClient = Subscribe | Unsubscribe | Command | SeekFrame | WithdrawSeek | Ping


class ServerFrame(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", omit_defaults=True):
    """A frame from the server."""


class Subscribed(ServerFrame, frozen=True):
    """The subscription was accepted; if `recovered`, the events since the client's version follow."""

    room: str
    version: Version
    epoch: Epoch
    mark: str
    recovered: bool
    """Whether the events after the client's version follow; otherwise a snapshot does."""


class Snapshot(ServerFrame, frozen=True):
    """The full view: after a subscription without `since`, after history was lost or replaced, or for a slow socket."""

    room: str
    version: Version
    """The version of the view."""
    epoch: Epoch
    mark: str
    reason: SnapshotReason
    """Why it is sent instead of events."""
    view: msgspec.Raw
    """The room as the subscriber may see it."""


class Update(ServerFrame, frozen=True):
    """The events of one command, and the view after them if it was requested and they are the latest."""

    room: str
    version: Version
    """The version of the last of the events."""
    mark: str
    events: msgspec.Raw
    view: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """The room after the events, as the subscriber may see it."""
    clock: ClockView | msgspec.UnsetType = msgspec.UNSET
    """The current clocks, if time is limited and there is no view."""
    from_: Version | msgspec.UnsetType = msgspec.field(default=msgspec.UNSET, name="from")
    """With a patch: the version of the view that it changes, the last one that was sent to this subscription."""
    patch: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """With `state: "patch"`: the JSON Patch (RFC 6902) that turns that view into the view after these events."""


class CaughtUp(ServerFrame, frozen=True):
    """The client has everything up to this version; the frames after this one are live."""

    room: str
    version: Version
    """The version up to which the client has everything."""


class Reply(ServerFrame, frozen=True):
    """The answer to a command: its result or its problem, as over HTTP; to another request with an id: no result."""

    id: str | int
    """The id of the command, or of the other request."""
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """The result, if the command was executed."""
    problem: Problem | msgspec.UnsetType = msgspec.UNSET
    """The problem, if it was refused."""
    seek: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """The seek, after a frame `seek`."""
    replayed: bool = False
    """Whether the command was already accepted before; this repeats its first answer."""


class Presence(ServerFrame, frozen=True):
    """Who is connected to the room; sent soon after subscribing, and whenever it changes."""

    room: str
    players: dict[PlayerId, PlayerPresence]
    """All members of the room by their id."""
    watchers: int
    """The number of connected spectators: connections without a token, and people who are not players of the room."""


class Chat(ServerFrame, frozen=True):
    """A new line of chat in a room or, without `room`, in the lobby."""

    line: ChatLine
    """The line of chat."""
    room: str | None = None


class ChatSnapshot(ServerFrame, frozen=True):
    """The latest lines of a view of the chat, oldest first; new ones follow as `chat`. It replaces what came before."""

    view: str
    """The view that the subscription named: `all`, `lobby`, or the name of a room."""
    lines: tuple[ChatLine, ...]
    """The lines, oldest first."""
    next: str | None
    """The `cursor` with which `GET /v1/chat` returns earlier lines."""


class LobbyRoom(msgspec.Struct, frozen=True):
    """A room of the lobby by its name and its epoch, as a later room can have the same name."""

    room: str
    epoch: Epoch


class LobbyFrame(ServerFrame, frozen=True, tag="lobby"):
    """The lobby: first the newest rooms, then rooms with new or changed entries, and rooms no longer listed."""

    upsert: tuple[LobbyEntry, ...] | msgspec.UnsetType = msgspec.UNSET
    """Entries that are new, or replace those of the same room; in a snapshot the newest room is first."""
    remove: tuple[LobbyRoom, ...] | msgspec.UnsetType = msgspec.UNSET
    """Rooms that are no longer listed, of any game; with `joinable` also those that cannot be joined."""
    snapshot: bool = False
    """Whether this replaces everything sent before: after subscribing, and after changes were missed."""
    next: str | None = None
    """For a snapshot without all rooms: the `cursor` with which `GET /v1/rooms` continues."""


class Heartbeat(ServerFrame, frozen=True):
    """The version of an idle room."""

    room: str
    version: Version
    server_time: str
    clock: ClockView | msgspec.UnsetType = msgspec.UNSET
    """The current clocks, if time is limited."""


class Error(ServerFrame, frozen=True):
    """The problem with a frame or a subscription that was refused or has ended."""

    problem: Problem
    """Why it was refused."""
    room: str | None = None
    """The name of the room; absent if it is not about one."""


class Pong(ServerFrame, frozen=True):
    """The answer to `ping`."""

    id: str | int | None = None
    """The id of the `ping`, if it had one."""


FromRoom = Subscribed | Snapshot | Update | CaughtUp | Reply | Chat | Presence | Heartbeat | Error | Pong
"""The frames from the server at a room's own URL."""

FromServer = FromRoom | LobbyFrame | ChatSnapshot


LOBBY, CHAT = "", "@chat"
"""Name the lobby, or the chat, instead of a room in `OutgoingFrame`; no room can have these names."""

ALL, THE_LOBBY = "all", "lobby"
"""The views of the chat with the lobby and the caller's rooms, and with the lobby only. Others are names of rooms."""


class Position(msgspec.Struct, frozen=True, gc=False):
    """The position in a room's history up to which a frame brings its receiver."""

    version: Version
    mark: str | None
    is_complete: bool
    """Whether a receiver of the frame has everything up to the version."""


def position_of(frame: ServerFrame) -> Position | None:
    """Return the position of a frame, None for a frame without one."""
    match frame:
        case Snapshot():
            return Position(frame.version, frame.mark, is_complete=True)
        case Subscribed():
            return Position(frame.version, frame.mark, is_complete=False)
        case CaughtUp():
            return Position(frame.version, None, is_complete=True)
    return None


class OutgoingFrame(msgspec.Struct, frozen=True, gc=False):
    """An encoded frame."""

    json: bytes
    room: str | None = None
    """The feed of which a slow subscriber can get a snapshot instead; None for a frame that cannot be replaced."""
    position: Position | None = None
    """None for a frame without one."""
    view: SentView | None = None
    """The view in a snapshot."""


Offer = Callable[[OutgoingFrame], None]


class FrameReceiver(Protocol):
    """A connection that follows a feed."""

    @property
    def offer(self) -> Offer:
        """Takes a frame for the subscriber; does not block."""


def encode_frame(frame: ServerFrame, room: str | None = None) -> OutgoingFrame:
    """Return the encoded frame; see `OutgoingFrame` for `room`."""
    return OutgoingFrame(msgspec.json.encode(frame), room, position_of(frame))

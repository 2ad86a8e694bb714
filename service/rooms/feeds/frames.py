"""The frames of a feed, in both directions, as they stand on the wire."""

from typing import Annotated, Literal, NamedTuple

import msgspec

from service.domain.game import snake_case
from service.domain.room.model.commands import SeatNumber
from service.domain.room.model.ids import Epoch, PlayerId, Version
from service.rooms.errors import Problem
from service.rooms.presence_counts import PlayerPresence
from service.rooms.views.chat_line import ChatLine
from service.rooms.views.lobby_entry import LobbyCard
from service.rooms.views.patches import SentView
from service.rooms.views.room_view import ClockView

StateMode = bool | Literal["patch"]
"""What updates say of the view: all of it, nothing, or what has changed."""

SnapshotReason = Literal["subscribed", "history_changed", "too_slow"]
CommandId = Annotated[str, msgspec.Meta(max_length=128)] | Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
VersionNumber = Annotated[Version, msgspec.Meta(ge=0, le=2**53)]


class ClientFrame(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True):
    """What a client sends."""


class Aimed(ClientFrame, frozen=True):
    """A frame about one room, or about the lobby. Raises `ValueError` for what names both or neither."""

    room: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    lobby: bool = False
    """Instead of a room."""

    def __post_init__(self) -> None:
        """Look whether one of them is named."""
        if (self.room is None) != self.lobby:
            raise ValueError("Object needs either a `room` or `lobby: true`")


class Subscribe(Aimed, frozen=True):
    """Follow a room, or the lobby. The first frame may carry the token, which then speaks for the whole socket."""

    game: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    """In the lobby, only rooms of this game."""
    since: VersionNumber | None = None
    """The last version that the client has; it gets what came after."""
    mark: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    """The mark of that version, which tells whether the client's history is still ours."""
    token: Annotated[str, msgspec.Meta(max_length=1024)] | None = None
    seat: SeatNumber | None = None
    """Whose knowledge to see, for a holder of several seats."""
    state: StateMode = True
    """Whether updates carry the view; `patch` for what changes in it, as a JSON Patch."""


class Unsubscribe(Aimed, frozen=True):
    """Stop following a room, or the lobby."""


class Command(ClientFrame, frozen=True):
    """A command for a room; `reply` answers it under the same id."""

    id: CommandId
    room: Annotated[str, msgspec.Meta(max_length=200)]
    command: msgspec.Raw
    key: Key | None = None
    """As Idempotency-Key over HTTP."""
    if_version: VersionNumber | None = None
    """As If-Match over HTTP."""
    view: bool = False
    """Whether the reply has the view although this socket follows the room."""


class Ping(ClientFrame, frozen=True):
    """Ask for a `pong`."""


FromClient = Subscribe | Unsubscribe | Command | Ping


class ServerFrame(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", omit_defaults=True):
    """What the server sends."""


class Subscribed(ServerFrame, frozen=True):
    """The subscription stands; `recovered` tells that the events since the client's version follow."""

    room: str
    version: Version
    epoch: Epoch
    mark: str
    recovered: bool


class Snapshot(ServerFrame, frozen=True):
    """The whole view: after subscribing anew, when history was lost or replaced, or for a socket that was too slow."""

    room: str
    version: Version
    epoch: Epoch
    mark: str
    reason: SnapshotReason
    view: msgspec.Raw


class Update(ServerFrame, frozen=True):
    """The events of one command, and the view after them where it is wanted and they are the latest."""

    room: str
    version: Version
    mark: str
    events: msgspec.Raw
    view: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    clock: ClockView | msgspec.UnsetType = msgspec.UNSET
    """The clocks now, where time is limited and no view tells them."""
    from_: Version | msgspec.UnsetType = msgspec.field(default=msgspec.UNSET, name="from")
    """With a patch: the version of the view that it changes, which is the last one that this subscription had."""
    patch: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """With `state: "patch"`: the JSON Patch (RFC 6902) that turns that view into the view after these events."""


class CaughtUp(ServerFrame, frozen=True):
    """Nothing is missing up to this version; what follows is live."""

    room: str
    version: Version


class Reply(ServerFrame, frozen=True):
    """What a command gave: as over HTTP, either the result or the problem."""

    id: str | int
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    problem: Problem | msgspec.UnsetType = msgspec.UNSET
    replayed: bool = False
    """The command had been accepted before; this is its first answer."""


class Presence(ServerFrame, frozen=True):
    """Who is connected to the room: soon after subscribing, and whenever it changes."""

    room: str
    players: dict[PlayerId, PlayerPresence]
    """Everybody in the room by their id."""
    watchers: int
    """How many look on: each connection without a token, and everyone else who is not here to play, once."""


class Chat(ServerFrame, frozen=True):
    """Something was said, in a room that is followed or, without `room`, in the lobby."""

    line: ChatLine
    room: str | None = None


class LobbyRoom(msgspec.Struct, frozen=True):
    """A room of the lobby by its name and its epoch, for the next room of a name is another one."""

    room: str
    epoch: Epoch


class LobbyTold(ServerFrame, frozen=True, tag="lobby"):
    """The lobby: at first the newest rooms, then those with a new or changed card, and those that it shows no more."""

    upsert: tuple[LobbyCard, ...] | msgspec.UnsetType = msgspec.UNSET
    """Cards that are new, or replace those of the same room; newest room first where it is a snapshot."""
    remove: tuple[LobbyRoom, ...] | msgspec.UnsetType = msgspec.UNSET
    """Rooms that the lobby shows no more, whether they were of the game asked for or not."""
    snapshot: bool = False
    """This is the lobby now, whatever was told before: after subscribing, and when changes were missed."""
    next: str | None = None
    """Of a snapshot that leaves older rooms out: the `cursor` with which `GET /v1/rooms` goes on."""


class Heartbeat(ServerFrame, frozen=True):
    """Where an idle room stands."""

    room: str
    version: Version
    server_time: str
    clock: ClockView | msgspec.UnsetType = msgspec.UNSET
    """The clocks now, where time is limited."""


class Error(ServerFrame, frozen=True):
    """A frame or a subscription that can't be served."""

    problem: Problem
    room: str | None = None


class Pong(ServerFrame, frozen=True):
    """The answer to `ping`."""


FromRoom = Subscribed | Snapshot | Update | CaughtUp | Reply | Chat | Presence | Heartbeat | Error | Pong
"""What is sent over a room's own socket."""

FromServer = FromRoom | LobbyTold


LOBBY = ""
"""Stands for the lobby where a frame that is told names its room."""


class Position(NamedTuple):
    """The place in a room's history that a frame states."""

    version: Version
    mark: str | None
    is_complete: bool
    """Whether who has got the frame has got everything up to the version."""


def position_of(frame: ServerFrame) -> Position | None:
    """Return the place that a frame states, None for one that states none."""
    match frame:
        case Snapshot() | Update():
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
    """The feed of which a slow subscriber can get a snapshot instead; None for a frame that can't be replaced."""
    position: Position | None = None
    """None for a frame that states none."""
    view: SentView | None = None
    """The view in a snapshot."""


def encode_frame(frame: ServerFrame, room: str | None = None) -> OutgoingFrame:
    """Return a frame as it is sent; see `OutgoingFrame` for `room`."""
    return OutgoingFrame(msgspec.json.encode(frame), room, position_of(frame))

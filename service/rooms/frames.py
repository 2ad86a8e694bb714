"""The frames of a feed, in both directions, as they stand on the wire."""

from typing import Annotated, Any, Literal

import msgspec

from service.domain.game import snake_case
from service.domain.room.commands import SeatNumber
from service.domain.room.values import Epoch, Version
from service.rooms.problems import Problem

SnapshotReason = Literal["subscribed", "history_changed", "too_slow"]
CommandId = Annotated[str, msgspec.Meta(max_length=128)] | Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
VersionNumber = Annotated[Version, msgspec.Meta(ge=0, le=2**53)]


class ClientFrame(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True):
    """What a client sends."""


class Subscribe(ClientFrame, frozen=True):
    """Follow a room. The first frame may carry the token, which then speaks for the whole socket."""

    room: Annotated[str, msgspec.Meta(max_length=200)]
    since: VersionNumber | None = None
    """The last version that the client has; it gets what came after."""
    mark: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    """The mark of that version, which tells whether the client's history is still ours."""
    token: Annotated[str, msgspec.Meta(max_length=1024)] | None = None
    seat: SeatNumber | None = None
    """Whose knowledge to see, for a holder of several seats."""
    state: bool = True
    """Whether updates carry the view."""


class Unsubscribe(ClientFrame, frozen=True):
    """Stop following a room."""

    room: Annotated[str, msgspec.Meta(max_length=200)]


class Command(ClientFrame, frozen=True):
    """A command for a room; `reply` answers it under the same id."""

    id: CommandId
    room: Annotated[str, msgspec.Meta(max_length=200)]
    command: dict[str, Any]
    key: Key | None = None
    """As Idempotency-Key over HTTP."""
    if_version: VersionNumber | None = None
    """As If-Match over HTTP."""


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


class Heartbeat(ServerFrame, frozen=True):
    """Where an idle room stands."""

    room: str
    version: Version
    server_time: str


class Error(ServerFrame, frozen=True):
    """A frame or a subscription that can't be served."""

    problem: Problem
    room: str | None = None


class Pong(ServerFrame, frozen=True):
    """The answer to `ping`."""


FromServer = Subscribed | Snapshot | Update | CaughtUp | Reply | Heartbeat | Error | Pong


def text(frame: ServerFrame) -> str:
    """Return a frame as it is sent."""
    return msgspec.json.encode(frame).decode()

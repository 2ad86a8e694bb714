"""The contract of a store of event streams, which are rooms and players, and its types.

It includes the order of the lobby with its cursors, and the workers' own data: heartbeats, the clock, claims, and the
trimming of closed rooms.
"""

import base64
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Literal, NamedTuple, NewType, Protocol, TypeVar

import msgspec

from service.domain.ids import Epoch, Millis, PlayerId, Pulse, RoomKey, RoomName, Version
from service.store.outbox import Outbox
from service.store.player_names import PlayerNames
from service.store.projections.leaderboards import Leaderboards
from service.store.projections.notable_matches import NotableMatches
from service.store.projections.player_matches import PlayerMatches
from service.store.side_channels import Line, SideChannels, Where
from service.store.signing import Signer
from service.store.stream_keys import DueKey, KindKey, StreamKey, member, room_of
from service.store.witness import Identity

Place = NewType("Place", bytes)
"""A room's place in the lobby: `<opened in 16 digits>:<name>:<epoch>`. Later rooms have greater places."""

PLACE = re.compile(rb"\d{16}:[^:]+:.+", re.DOTALL)


def place_in_lobby(opened: Millis, key: RoomKey) -> Place:
    """Return the place of a room that was opened at this time."""
    return Place(b"%016d:%b" % (opened, member(key)))


def room_at(place: Place) -> RoomKey:
    """Return the room at a place."""
    return room_of(place[17:])


def cursor_after(place: Place) -> str:
    """Return the cursor that continues after a place. Clients treat it as opaque."""
    return base64.urlsafe_b64encode(place).rstrip(b"=").decode()


def place_before(cursor: str) -> Place:
    """Return the place that a cursor continues after. Raises `ValueError` for an invalid cursor."""
    padding = "=" * (-len(cursor) % 4)
    place = base64.b64decode(cursor + padding, altchars=b"-_", validate=True)
    if not PLACE.fullmatch(place):
        raise ValueError("invalid cursor")
    return Place(place)


OUTAGES_KEPT = 32
"""How many of the latest outages are stored."""


class ClockReading(msgspec.Struct, frozen=True):
    """The store's clock, and how the service's time follows from it; see `service.store.watch.service_clock`."""

    time: Millis
    """The time of the store's clock."""
    correction: Millis
    """What is added to it to get the service's time."""
    latest: Millis | None
    """The latest service time that a process reported; None before the first report."""
    wall: Millis | None
    """The wall clock of that process's machine at that time."""


class Report(NamedTuple):
    """The time, as one process sees it."""

    time: Millis
    """The service time."""
    wall: Millis
    """The wall clock of its machine."""


class WorkerStore(Protocol):
    """What workers read and write that is not in a room. Every method may raise `StoreUnavailable`."""

    async def read_clock(self) -> ClockReading:
        """Return the store's clock and its correction."""

    async def correct_clock(self, before: Millis, after: Millis) -> bool:
        """Change the correction of the store's clock from `before` to `after`. Return whether it was `before`."""

    async def beat(self, report: Report, silence: Millis) -> Pulse:
        """Record a worker's heartbeat, and an outage if the latest heartbeat is older than `silence`."""

    async def pulse(self, report: Report) -> Pulse:
        """Record the time of a process that is not a worker. Return the latest heartbeat and the latest outages."""

    async def extend_claim(self, key: DueKey, held: Millis, until: Millis) -> bool:
        """Extend a claim that ends at `held` to `until`. Return whether it was still held."""

    async def closed(self, before: Millis, limit: int) -> list[RoomKey]:
        """Return rooms that closed before a time and are not trimmed yet, in this order within each partition."""

    async def trim(self, key: RoomKey) -> None:
        """Delete the events and snapshots of a closed room. Its head and its match index are kept."""

    async def claim_scrub(self, now: Millis, lease: Millis) -> str | None:
        """Claim the check of all rooms until `now + lease`. Return the cursor where it continues, "" at the beginning.

        None while another worker holds the claim, or before the next check is due.
        """

    async def save_scrub_cursor(self, cursor: str, until: Millis) -> None:
        """Store where the check continues, and until when it is claimed."""

    async def set_damaged(self, key: RoomKey, *, damaged: bool) -> None:
        """Record that a room is damaged, or that it is not."""

    async def damaged(self) -> list[RoomKey]:
        """Return the rooms that were damaged at their last check."""


class Head(msgspec.Struct, frozen=True):
    """The end of a stream: its last version and the chained digest there; see `NOT_BEGUN`."""

    version: Version
    digest: bytes


NOT_BEGUN = Head(Version(0), b"")
Key = TypeVar("Key", bound=StreamKey)
T = TypeVar("T")


class Entry(msgspec.Struct, frozen=True):
    """One stored event: its version, its encoded bytes, and the digest of everything up to and including it."""

    version: Version
    data: bytes
    digest: bytes
    mac: bytes = b""
    """On a command's last event, when read: a keyed hash of the digest; b"" if the writer computed none."""


class Snapshot(msgspec.Struct, frozen=True):
    """The encoded state of a stream at `version`. It can be deleted at any time, because it can be rebuilt.

    `idempotency` has the idempotency records of recent commands; only a room's latest snapshot has them.
    """

    version: Version
    data: bytes
    idempotency: bytes = b""


class LobbyRow(msgspec.Struct, frozen=True):
    """A room's lobby entry (encoded), and when the room was opened, by which the lobby is sorted."""

    opened: Millis
    data: bytes


class Batch(msgspec.Struct, frozen=True):
    """The events of one command and the projections that change with them; written together or not at all.

    `UNSET` leaves a projection unchanged. `due` None removes the room from the due set, `lobby` None from the lobby.
    `matches` are index entries by match number. Only rooms have these and a lobby entry. `outbox` is what workers
    deliver to other streams, encoded by `outbox.ENCODER`; b"" for nothing.
    """

    entries: tuple[Entry, ...]
    due: Millis | msgspec.UnsetType | None = msgspec.UNSET
    lobby: LobbyRow | msgspec.UnsetType | None = msgspec.UNSET
    matches: tuple[tuple[int, bytes], ...] = ()
    name: Literal["", "claim", "free"] = ""
    """Whether the pointer under the stream's name is claimed for it, or released."""
    outbox: bytes = b""
    read_at: Millis = Millis(0)
    """The outbox is written only if the room's turns are read at this time; 0 if in any case."""
    read_until: Millis = Millis(0)
    """Until when the room's turns are read from now on, at least; 0 to leave that as it is."""
    wakes: Millis = Millis(0)
    """In the stream of a player: the webhooks become due, unless they already are until this time. 0 if not."""


class LobbyPage(msgspec.Struct, frozen=True):
    """A page of the lobby, newest room first, and the cursor of the next page (None at the end)."""

    entries: tuple[tuple[RoomKey, bytes], ...]
    next: str | None


class Conflict(Exception):  # noqa: N818 - another writer was faster, which is not an error
    """The stream does not end where the writer expected; nothing was written."""

    def __init__(self, head: Head) -> None:
        super().__init__(f"the stream ends at version {head.version}")
        self.head = head


class NameTaken(Exception):  # noqa: N818 - an answer, not an error
    """An open room already has this name; nothing was written."""


class Trimmed(Exception):  # noqa: N818 - an answer, not an error
    """The requested versions were trimmed from the stream."""


class StoreFailed(Exception):  # noqa: N818 - a state of the store
    """The store has not done what was asked, or nobody knows whether it has."""


class StoreUnavailable(StoreFailed):
    """The store did not answer; nothing was written."""


class StoreLost(StoreUnavailable):
    """The store has lost data; nothing is written until an operator decides."""


class StoreUnfit(StoreUnavailable):
    """The store's settings are not suitable; nothing is written until an operator corrects them."""


class StoreFull(StoreUnavailable):
    """The store rejects writes or is down because its disk or memory is full; nothing was written."""


class StoreDamaged(StoreUnavailable):
    """A key holds a value of another type than the service writes there; what else is stored is not affected."""


class CountedByOthers(StoreDamaged):
    """An earlier release has counted results by its own rules; they have to be counted again."""


class CounterDamaged(StoreUnavailable):
    """The counter of appended entries of a partition is damaged; nothing was written there."""


class OutcomeUnknown(StoreFailed):
    """The connection was lost after the append was sent and before it was answered: it may have been written or not."""


class StoreNode(msgspec.Struct, frozen=True):
    """The state of one server of a store."""

    memory: int
    """Bytes in use."""
    memory_limit: int
    """Bytes; 0 if there is no limit."""
    file: int
    """Bytes of its append-only file."""
    writes: bool
    """Whether its latest write to that file succeeded."""
    replicas: int


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A page of something, in no order, and the cursor of the next page (None at the end)."""

    items: tuple[T, ...]
    next: str | None


async def every(read: Callable[[str | None], Awaitable[Page[T]]]) -> list[T]:
    """Return all that is read page by page, each once. Raises `StoreUnavailable`."""
    page = await read(None)
    found = dict.fromkeys(page.items)
    while page.next is not None:
        page = await read(page.next)
        found |= dict.fromkeys(page.items)
    return list(found)


class AdminStore(Protocol):
    """Access to the store for operators. Every method may raise `StoreUnavailable`."""

    async def rooms(self, cursor: str | None = None, *, live: bool = False) -> Page[RoomKey]:
        """Return a page of rooms, in no order. `live` omits closed rooms. Raises `ValueError` for an invalid cursor.

        Over all pages, each room that exists from the first call to the last is returned at least once.
        """

    async def streams(self, kind: str, cursor: str | None = None) -> Page[KindKey]:
        """Return a page of the streams of a kind, as `rooms` does for rooms."""

    async def chats(self, cursor: str | None = None) -> Page[Where]:
        """Return a page of the places with lines of chat, as `rooms` does for rooms."""

    async def named_players(self, cursor: str | None = None) -> Page[PlayerId]:
        """Return a page of the players with nicknames, or with MACs of some, as `rooms` does for rooms."""

    async def matched_players(self, cursor: str | None = None) -> Page[PlayerId]:
        """Return a page of the players with matches in the index, as `rooms` does for rooms."""

    async def log(self, data: bytes) -> Line:
        """Append a line to the audit log, which is never trimmed."""

    async def logged(self, after: str | None = None, limit: int = 1000) -> list[Line]:
        """Return up to `limit` lines of the audit log in order, from the beginning or after a line."""

    async def record_replaced(self, player: PlayerId) -> None:
        """Record that a player's guest token was replaced. A player is recorded once, behind all recorded before."""

    async def replaced(self, after: int = 0, limit: int = 1000) -> list[PlayerId]:
        """Return up to `limit` of these players in order, without the first `after`."""

    async def finish_signing(self) -> bool:
        """Accept no protected value without a MAC from now on; return whether that is possible.

        It is not without a key, and while the settings accept values without one. See `Protection`.
        """

    async def nodes(self) -> list[StoreNode]:
        """Return the state of each server of the store."""


class Store(Protocol):
    """A store of rooms. Every method may raise `StoreUnavailable`; `open` and `append` also `OutcomeUnknown`."""

    @property
    def signer(self) -> Signer:
        """Makes the MAC on the last event of each command that is appended."""

    @property
    def side_channels(self) -> SideChannels:
        """The lobby's changes, chat and presence, which are not in the rooms' streams."""

    @property
    def worker_store(self) -> WorkerStore:
        """What workers read and write that is not in a room."""

    @property
    def admin_store(self) -> AdminStore:
        """Access to the whole store, for operators."""

    @property
    def outbox(self) -> Outbox:
        """What streams have to deliver to others."""

    @property
    def leaderboards(self) -> Leaderboards:
        """The projections of the streams of rating lists."""

    @property
    def player_matches(self) -> PlayerMatches:
        """The index of players' matches."""

    @property
    def notable_matches(self) -> NotableMatches:
        """The boards of notable matches."""

    @property
    def player_names(self) -> PlayerNames:
        """The nicknames to which events and other data refer."""

    @property
    def identity(self) -> Identity:
        """The store's id and its counters of appended entries."""

    async def append(self, key: StreamKey, after: Head, batch: Batch) -> None:
        """Append a command's events if the stream ends at `after` (version and digest). Raises `Conflict`.

        Raises `NameTaken` if the batch claims a name that is taken.

        The last event gets a MAC over the stream, its version and its digest. The new version is published as well.
        """

    async def wait_until_durable(self, key: StreamKey) -> None:
        """Wait until everything in a stream is as durable as an answered command. Raises `OutcomeUnknown`."""

    async def open_epoch(self, name: RoomName) -> Epoch | None:
        """Return the epoch of the open room of this name, None if there is none."""

    async def heads(self, keys: Sequence[StreamKey]) -> list[Head | None]:
        """Return the head of each stream, None for one that never began. Trimming does not change it."""

    async def read(self, key: StreamKey, after: Version, limit: int | None = None) -> list[Entry]:
        """Return the entries with versions from `after + 1` on, at most `limit`.

        Raises `Trimmed` if the first of them were trimmed. Entries that are missing in the middle are omitted.
        """

    async def trim_before(self, key: StreamKey, version: Version) -> None:
        """Delete a stream's entries before a version. Its head does not change."""

    async def first_version(self, key: StreamKey) -> Version | None:
        """Return the version of a stream's oldest entry, None for one without entries."""

    async def save_snapshot(self, key: StreamKey, snapshot: Snapshot) -> None:
        """Store a snapshot; only the latest one keeps its idempotency records, and an older one never replaces it.

        Of a stream's snapshots the newest four are kept, and of each thousand versions the first.
        """

    async def snapshot(self, key: StreamKey, at: Version | None = None) -> Snapshot | None:
        """Return the newest snapshot, or the newest one with a version of at most `at`."""

    async def drop_snapshot(self, key: StreamKey, version: Version) -> None:
        """Delete the snapshot of a version. If it was the latest, the one before it is, without records."""

    async def matches(self, key: RoomKey, numbers: Sequence[int]) -> list[bytes | None]:
        """Return match index entries by number. Raises `BrokenHistory` for an invalid MAC."""

    async def lobby(self, cursor: str | None, limit: int) -> LobbyPage:
        """Return a page of the lobby, newest room first. Raises `ValueError` for an invalid cursor."""

    async def claim_due(self, now: Millis, lease: Millis, limit: int, *, webhooks: bool = False) -> list[DueKey]:
        """Return what is due at `now`, the longest due first, and hide it from others until `now + lease`.

        With `webhooks` only those, otherwise everything else. A claim is not released: the append that serves a stream
        sets its next due time, and `settle_webhooks` that of webhooks.
        """

    async def settle_webhooks(self, key: KindKey, seen: Version, seen_of_owner: Version, due: Millis | None) -> None:
        """Set when webhooks are due again, None for never; at once if one of the two streams has newer events.

        `seen` is the version of the stream of the webhooks, and `seen_of_owner` that of their owner's own stream.
        """

    async def remember_room(self, player: PlayerId, key: RoomKey) -> None:
        """Record that a player may be in a room. Written before the room's event, so that no room is missing."""

    async def forget_room(self, player: PlayerId, key: RoomKey) -> None:
        """Delete that record."""

    async def rooms_of(self, player: PlayerId) -> list[RoomKey]:
        """Return the recorded rooms of a player, oldest first."""

    async def turns_read_until(self, key: StreamKey) -> Millis:
        """Return until when the turns of a player, or those that begin in a room, are read; 0 if they were not."""

    async def read_turns(self, key: StreamKey, until: Millis) -> None:
        """Record that the turns of a player, or those that begin in a room, are read until this time at least.

        Times of the same partition that are three days earlier are deleted.
        """

    async def subscribe(self, key: Key, on_append: Callable[[Key, Version], None]) -> None:
        """Call `on_append` with the new version after every append to this stream by any process, until `unsubscribe`.

        Notifications may be lost. When a lost connection is back, `on_append` gets version 0 for every stream.
        """

    async def unsubscribe(self, key: StreamKey) -> None:
        """End the subscription to a stream."""

    async def time(self) -> Millis:
        """Return the time of the store's clock."""

    async def check(self) -> list[str]:
        """Return warnings about the store's settings, for people. Raises `UnsuitableStore`."""

    async def close(self) -> None:
        """Close all connections."""

"""What a store of rooms owes the house, whichever database serves it."""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomKey, RoomName, Version
from service.store.admin_types import RoomsPage, StoreNode
from service.store.side_channels import Line, SideChannels
from service.store.signing import Signer
from service.store.witness import Identity
from service.store.worker_contract import WorkerStore


class Head(msgspec.Struct, frozen=True):
    """Where a stream ends: its last version and the chained digest there; see `NOT_BEGUN`."""

    version: Version
    digest: bytes


NOT_BEGUN = Head(Version(0), b"")


class Entry(msgspec.Struct, frozen=True):
    """One stored event: its version, its encoded bytes, and the digest of everything up to and including it."""

    version: Version
    data: bytes
    digest: bytes
    mac: bytes = b""
    """Of a command's last event, as it was read: a keyed hash of the digest, b"" where the writer made none."""


class Snapshot(msgspec.Struct, frozen=True):
    """A room folded up to `version`, encoded; a cache that can always be thrown away.

    `receipts` are the recent commands' first answers; only the latest snapshot of a room carries them.
    """

    version: Version
    data: bytes
    receipts: bytes = b""


class LobbyCard(msgspec.Struct, frozen=True):
    """What the lobby shows of a room (encoded), and since when the room is open, which orders the lobby."""

    opened: Millis
    data: bytes


class Batch(msgspec.Struct, frozen=True):
    """The events of one command and the projections that change with them: all or nothing.

    `UNSET` leaves a projection as it is. `due` None takes the room out of the due set; `lobby` None takes it out of the
    lobby; `matches` are index entries by match number; `closes` frees the room's name.
    """

    entries: tuple[Entry, ...]
    due: Millis | msgspec.UnsetType | None = msgspec.UNSET
    lobby: LobbyCard | msgspec.UnsetType | None = msgspec.UNSET
    matches: tuple[tuple[int, bytes], ...] = ()
    closes: bool = False


class LobbyPage(msgspec.Struct, frozen=True):
    """A page of the lobby, newest room first, and the cursor of the next page (None at the end)."""

    cards: tuple[tuple[RoomKey, bytes], ...]
    next: str | None


class Conflict(Exception):  # noqa: N818 - the other writer was faster, which is no error
    """The stream does not end where the writer thought; nothing was written."""

    def __init__(self, head: Head) -> None:
        """Tell where the stream ends in truth."""
        super().__init__(f"the stream ends at version {head.version}")
        self.head = head


class NameTaken(Exception):  # noqa: N818 - an answer, not an error
    """A live room has this name already; nothing was written."""


class Trimmed(Exception):  # noqa: N818 - an answer, not an error
    """The versions asked for were trimmed from history."""


class StoreUnavailable(Exception):  # noqa: N818 - what became of the store
    """The store did not answer; nothing was written."""


class StoreLost(StoreUnavailable):
    """The store has lost data that it had; nothing is written until an operator decides."""


class StoreFull(StoreUnavailable):
    """The store refuses to write, or is away, because its disk or its memory is full; nothing was written."""


class OutcomeUnknown(Exception):  # noqa: N818 - what became of the store
    """The store went away after the append was sent and before its answer: it may or may not have been written."""


class AdminStore(Protocol):
    """The whole store as operators see it. Every method may raise `StoreUnavailable`."""

    async def rooms(self, cursor: str | None = None, *, live: bool = False) -> RoomsPage:
        """Return some rooms and where to go on; `live` leaves out those that are closed. Raises `ValueError`.

        Each room that is there all the time comes at least once.
        """

    async def log(self, data: bytes) -> Line:
        """Add a line to the log of what operators did, for ever."""

    async def logged(self, after: str | None = None, limit: int = 1000) -> list[Line]:
        """Return up to `limit` lines of that log in order, from its beginning or behind a line."""

    async def nodes(self) -> list[StoreNode]:
        """Return what each server of the store says of itself."""


class Store(Protocol):
    """Every method may raise `StoreUnavailable`; `open` and `append` may raise `OutcomeUnknown` instead."""

    @property
    def signer(self) -> Signer:
        """What signs the newest event of each command that is appended."""

    @property
    def side_channels(self) -> SideChannels:
        """What is told and kept beside the streams."""

    @property
    def worker_store(self) -> WorkerStore:
        """What workers do for the house."""

    @property
    def admin_store(self) -> AdminStore:
        """The whole store, for operators."""

    @property
    def identity(self) -> Identity:
        """Which store this is."""

    async def open(self, key: RoomKey, batch: Batch) -> None:
        """Begin a room's stream and point its name at it, in one act. Raises `NameTaken`."""

    async def append(self, key: RoomKey, after: Head, batch: Batch) -> None:
        """Append a command's events if the stream ends at `after`, version and digest. Raises `Conflict`.

        The last of them carries a MAC of the room, its version and its digest.

        Publishes the new version to whoever listens, in the same act.
        """

    async def settle(self, key: RoomKey) -> None:
        """Return when all that a room's stream has is as durable as an answer promises. Raises `OutcomeUnknown`."""

    async def live(self, name: RoomName) -> Epoch | None:
        """Return the epoch of the live room of this name."""

    async def heads(self, keys: Sequence[RoomKey]) -> list[Head | None]:
        """Return where each room's stream ends, None for one that never began. Survives trimming."""

    async def read(self, key: RoomKey, after: Version, limit: int | None = None) -> list[Entry]:
        """Return the entries with versions from `after + 1` on, at most `limit`.

        Raises `Trimmed` where the history begins later; entries that are missing in the middle are just not there.
        """

    async def save_snapshot(self, key: RoomKey, snapshot: Snapshot) -> None:
        """Keep a snapshot; the receipts of older snapshots are dropped. An older `latest` never replaces a newer.

        Of all snapshots of a room the newest four stay, and of each thousand versions the first.
        """

    async def snapshot(self, key: RoomKey, at: Version | None = None) -> Snapshot | None:
        """Return the newest snapshot, or the newest whose version is at most `at`."""

    async def drop_snapshot(self, key: RoomKey, version: Version) -> None:
        """Delete the snapshot of a version; the one before it becomes the latest, without receipts."""

    async def matches(self, key: RoomKey, numbers: Sequence[int]) -> list[bytes | None]:
        """Return the match index's entries by number. Raises `BrokenHistory` for one whose MAC does not fit."""

    async def lobby(self, cursor: str | None, limit: int) -> LobbyPage:
        """Return a page of the lobby, newest room first, over all partitions. Raises `ValueError` for a bad cursor."""

    async def claim_due(self, now: Millis, lease: Millis, limit: int) -> list[RoomKey]:
        """Return rooms that are due at `now` and hide each from other claims until `now + lease`.

        A claim needs no release: the append that serves the room sets its next due moment.
        """

    async def remember_room(self, player: PlayerId, key: RoomKey) -> None:
        """Note that a player may be in a room. Written before the room's event, so it never misses one."""

    async def forget_room(self, player: PlayerId, key: RoomKey) -> None:
        """Drop such a note."""

    async def rooms_of(self, player: PlayerId) -> list[RoomKey]:
        """Return the noted rooms of a player, oldest note first."""

    async def listen(self, key: RoomKey, heard: Callable[[RoomKey, Version], None]) -> None:
        """Call `heard` with the new version at every append to this room by any process, until `unlisten`.

        A notification is a wake-up and may be lost; when the connection was lost and is back, `heard` is called with
        version 0 for every room listened to.
        """

    async def unlisten(self, key: RoomKey) -> None:
        """Stop listening to a room."""

    async def time(self) -> Millis:
        """Return the store's clock."""

    async def check(self) -> list[str]:
        """Return warnings about the store's settings, to be read by people. Raises `UnfitStore`."""

    async def close(self) -> None:
        """Let go of every connection."""

"""The format of an export: one JSON object per line, each event as its stored bytes and digest, and a seal at the end.

    {"turnstream": "export", "format": 3, "made": "2026-11-21T14:00:00.000Z"}
    {"names": "p-a7k2m4qx", "e": {"1": "Ada"}}
    {"stream": "player", "id": "p-a7k2m4qx", "f": 1, "e": {...}, "past": [[1700000000000, {...}], ...]}
    {"room": "friday-night", "epoch": "cvj2dvyw", "version": 41, "digest": "<hex>", "live": true}
    {"v": 1, "d": "<hex>", "e": [2, 1700000000000, ...]}
    ...
    {"log": "<id>", "line": {...}}
    {"end": true, "rooms": 1, "events": 41, "seal": "<hex>", "streams": 1}

An event's line has its stored bytes, with secrets: an export is only for its operator. The seal is a hash
of all lines before it, keyed with the installation's signing key, so that no one else can make a valid one.

Nicknames in exports, which events refer to; those of erased players are not read into a store again.
"""

import hashlib
import hmac
import re
from collections.abc import Collection, Iterator
from typing import IO

import msgspec

from service.domain.ids import Epoch, Millis, NameRef, PlayerId, RoomKey, RoomName, Version
from service.rooms.access.audit_log import AuditLog, PlayerErased, erased_players
from service.store.contract import Entry, Head, Store, every
from service.store.player_names import player_of

FORMAT = 3
"""Format 3 has all kinds of streams, and nicknames. This release also reads formats 1 and 2; 2 has accounts only."""


class Damaged(Exception):  # noqa: N818 - a finding, not a failure
    """A history, an export or a backup is not what was written. The message says where."""


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    turnstream: str
    format: int
    made: str


class RoomLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The beginning of a room, whose events follow."""

    room: RoomName
    epoch: Epoch
    version: Version
    digest: str
    live: bool
    """Whether the room is open and so has its name."""

    @property
    def key(self) -> RoomKey:
        """The room's key."""
        return RoomKey(self.room, self.epoch)

    @property
    def head(self) -> Head:
        """The head of its stream."""
        return Head(self.version, bytes.fromhex(self.digest))


class EventLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One stored event: version, digest, and its bytes as they are stored."""

    v: Version
    d: str
    e: msgspec.Raw

    @property
    def entry(self) -> Entry:
        """The event as a store entry."""
        return Entry(self.v, bytes(self.e), bytes.fromhex(self.d))


class LogLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the audit log."""

    log: str
    line: msgspec.Raw


class PastEvent(msgspec.Struct, frozen=True, array_like=True):
    """An event of a stream: its time, and its bytes."""

    time: Millis
    e: msgspec.Raw


class StreamLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A stream other than a room: its kind and id, the format of its events, and its summary."""

    stream: str
    id: str
    f: int
    e: msgspec.Raw
    past: tuple[PastEvent, ...] = ()
    """The events before the summary that clients can still read."""


class NamesLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The nicknames of a player, to which events refer, by their numbers."""

    names: PlayerId
    e: dict[str, str]


class AccountLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's account in format 2."""

    account: str
    f: int
    e: msgspec.Raw

    @property
    def stream(self) -> StreamLine:
        """The account in format 3."""
        return StreamLine("account", self.account, self.f, self.e)


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    end: bool
    rooms: int
    events: int
    seal: str
    streams: int = 0


AnyLine = Heading | RoomLine | EventLine | LogLine | NamesLine | StreamLine | AccountLine | Ending
KINDS: tuple[tuple[bytes, type[AnyLine]], ...] = (
    (b'{"v"', EventLine),
    (b'{"room"', RoomLine),
    (b'{"log"', LogLine),
    (b'{"names"', NamesLine),
    (b'{"stream"', StreamLine),
    (b'{"account"', AccountLine),
    (b'{"end"', Ending),
    (b'{"turnstream"', Heading),
)
DECODERS = {kind: msgspec.json.Decoder(kind) for _, kind in KINDS}


class Seal:
    """A hash over lines, keyed with the installation's key for exports."""

    def __init__(self, key: bytes) -> None:
        """Start before the first line."""
        self._hash = hashlib.blake2b(key=key, digest_size=32)
        self.text = self._hash.hexdigest
        """Returns the seal of the lines so far."""

    def add(self, line: bytes) -> bytes:
        """Add a line to the hash and return it."""
        self._hash.update(line)
        return line

    def matches(self, seal: str) -> bool:
        """Return whether this is the seal of the lines so far."""
        return hmac.compare_digest(self.text(), seal)


def write_line(line: AnyLine) -> bytes:
    """Return a line of the file."""
    return msgspec.json.encode(line) + b"\n"


def read_line(number: int, line: bytes) -> AnyLine:
    """Parse a line. Raises `Damaged`."""
    kind = next((kind for start, kind in KINDS if line.startswith(start)), None)
    try:
        if kind is not None and line.endswith(b"\n"):
            return DECODERS[kind].decode(line)
    except ValueError as fault:
        raise Damaged(f"line {number}: {fault}") from None
    raise Damaged(f"line {number} is not a line of an export: the file is truncated or not an export")


def read_lines(lines: Iterator[bytes]) -> Iterator[tuple[int, bytes, AnyLine]]:
    """Yield each line with its number and its parsed form, the heading first. Raises `Damaged`."""
    for number, line in enumerate(lines, 1):
        parsed = read_line(number, line)
        if (number == 1) != isinstance(parsed, Heading):
            raise Damaged(f"line {number}: an export must begin with its only heading")
        if isinstance(parsed, Heading) and (parsed.turnstream != "export" or parsed.format > FORMAT):
            raise Damaged(f"format {parsed.format} is newer than this release can read ({FORMAT}): use a newer release")
        yield number, line, parsed


NAME_REF = re.compile(rb'"name_ref":"([^"\\]+)"')
"""A reference to a nickname in a stored event."""

SINCE = "erased after the export was made"
"""The reason in the audit log."""


async def named_players(store: Store) -> set[PlayerId]:
    """Return all players with nicknames."""
    return set(await every(store.admin_store.named_players))


def named_in(file: IO[bytes]) -> set[PlayerId]:
    """Return the players to whose nicknames the events in a room's lines refer."""
    file.seek(0)
    return {player_of(NameRef(ref.decode())) for line in file for ref in NAME_REF.findall(line)}


async def names_line(store: Store, player: PlayerId) -> tuple[NamesLine | None, tuple[str, ...]]:
    """Return the line with the nicknames of a player, None if there are none, and the numbers of damaged ones."""
    names, damaged = await store.player_names.stored(player)
    return NamesLine(player, names) if names else None, damaged


async def import_names(store: Store, line: NamesLine, erased: Collection[PlayerId]) -> None:
    """Write the nicknames of a player, unless the player was erased after the export was made."""
    if line.names not in erased:
        for number, nickname in line.e.items():
            await store.player_names.table.add(line.names, number, nickname)


async def record_erasures(store: Store, players: Collection[PlayerId]) -> set[PlayerId]:
    """Record erasures in the audit log that it does not have, and return all erased players."""
    known = await erased_players(store)
    for player in sorted(set(players) - known):
        await AuditLog(store).record(PlayerErased(SINCE, player))
    return known | set(players)

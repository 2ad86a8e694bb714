"""An export of rooms: one JSON object a line, the very bytes of every event with its digest, sealed at the end.

    {"turnstream": "export", "format": 1, "made": "2026-11-21T14:00:00.000Z"}
    {"room": "friday-night", "epoch": "cvj2dvyw", "version": 41, "digest": "<hex>", "live": true}
    {"v": 1, "d": "<hex>", "e": [2, 1700000000000, ...]}
    ...
    {"log": "<id>", "line": {...}}
    {"end": true, "rooms": 1, "events": 41, "seal": "<hex>"}

An event's line holds its bytes as they are stored, secrets included: an export is for its operator only. The seal is a
hash over all lines before it, keyed with the installation's signing key, so that nobody else can make a valid one.
"""

import hashlib
import hmac
from collections.abc import Iterator

import msgspec

from service.domain.room.model.ids import Epoch, RoomKey, RoomName, Version
from service.store.contract import Entry, Head

FORMAT = 1


class Damaged(Exception):  # noqa: N818 - what was found, not what went wrong here
    """What is kept is not what was written: a history, an export or a backup. The message says where."""


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    turnstream: str
    format: int
    made: str


class RoomLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room begins; its events follow, all of them."""

    room: RoomName
    epoch: Epoch
    version: Version
    digest: str
    live: bool
    """Whether the room has its name now; a closed one has not."""

    @property
    def key(self) -> RoomKey:
        """The room for ever."""
        return RoomKey(self.room, self.epoch)

    @property
    def head(self) -> Head:
        """Where its stream ends."""
        return Head(self.version, bytes.fromhex(self.digest))


class EventLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One stored event: version, digest, and its bytes as they are stored."""

    v: Version
    d: str
    e: msgspec.Raw

    @property
    def entry(self) -> Entry:
        """The event as the store keeps it."""
        return Entry(self.v, bytes(self.e), bytes.fromhex(self.d))


class LogLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the log of what operators did."""

    log: str
    line: msgspec.Raw


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    end: bool
    rooms: int
    events: int
    seal: str


AnyLine = Heading | RoomLine | EventLine | LogLine | Ending
KINDS: tuple[tuple[bytes, type[AnyLine]], ...] = (
    (b'{"v"', EventLine),
    (b'{"room"', RoomLine),
    (b'{"log"', LogLine),
    (b'{"end"', Ending),
    (b'{"turnstream"', Heading),
)
DECODERS = {kind: msgspec.json.Decoder(kind) for _, kind in KINDS}


class Seal:
    """A hash over lines, keyed with the installation's key for exports."""

    def __init__(self, key: bytes) -> None:
        """Begin before the first line."""
        self._hash = hashlib.blake2b(key=key, digest_size=32)

    def add(self, line: bytes) -> bytes:
        """Count a line in and return it."""
        self._hash.update(line)
        return line

    def matches(self, seal: str) -> bool:
        """Return whether this is the seal of the lines so far."""
        return hmac.compare_digest(self.text(), seal)

    def text(self) -> str:
        """Return the seal of the lines so far."""
        return self._hash.hexdigest()


def written(line: AnyLine) -> bytes:
    """Return a line of the file."""
    return msgspec.json.encode(line) + b"\n"


def read(number: int, line: bytes) -> AnyLine:
    """Return what a line says. Raises `Damaged`."""
    kind = next((kind for start, kind in KINDS if line.startswith(start)), None)
    try:
        if kind is not None and line.endswith(b"\n"):
            return DECODERS[kind].decode(line)
    except ValueError as fault:
        raise Damaged(f"line {number}: {fault}") from None
    raise Damaged(f"line {number} is none of an export; the file is cut off or something else")


def opened(lines: Iterator[bytes]) -> Iterator[tuple[int, bytes, AnyLine]]:
    """Yield each line with its number and what it says, the heading first. Raises `Damaged`."""
    for number, line in enumerate(lines, 1):
        said = read(number, line)
        if (number == 1) != isinstance(said, Heading):
            raise Damaged(f"line {number}: an export begins with its heading, and has one only")
        if isinstance(said, Heading) and (said.turnstream != "export" or said.format > FORMAT):
            raise Damaged(f"format {said.format} is newer than this release reads ({FORMAT})")
        yield number, line, said

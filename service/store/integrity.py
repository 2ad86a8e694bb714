"""Whether stored entries are what was written: their order, their digests, and the MACs at the ends of commands."""

import hmac
from collections.abc import Sequence

from service.domain.room.model.ids import RoomKey, Version
from service.store.codec import chained
from service.store.contract import NOT_BEGUN, Entry, Head
from service.store.signing import COMMAND, MATCH, Signer


class BrokenHistory(Exception):  # noqa: N818 - what was found
    """Entries that are not what was written. The message names the version and what is wrong with it."""


def following(head: Head, entry: Entry) -> Head:
    """Return where a stream ends after an entry. Raises `BrokenHistory` unless it follows without a gap, unchanged."""
    if entry.version != head.version + 1:
        raise BrokenHistory(f"version {entry.version} follows {head.version}")
    if not hmac.compare_digest(entry.digest, chained(head.digest, entry.data)):
        raise BrokenHistory(f"version {entry.version} is not what was written: its digest doesn't fit")
    return Head(entry.version, entry.digest)


def is_signed(signer: Signer, key: RoomKey, entry: Entry) -> bool:
    """Return whether an entry carries a MAC of a known key. Raises `BrokenHistory` where that doesn't fit."""
    fits = signer.check(entry.mac, COMMAND, key, entry.version, entry.digest)
    if fits is False:
        raise BrokenHistory(f"version {entry.version} was not written by this installation: its MAC doesn't fit")
    return fits is True


class HistoryCheck:
    """A room's entries as they are checked from the first one on, every digest and every MAC."""

    def __init__(self, signer: Signer, key: RoomKey) -> None:
        """Begin before the first entry."""
        self.head = NOT_BEGUN
        self.signed = Version(0)
        """The newest version that carries a MAC of a known key; 0 where none does."""
        self.current = True
        """Whether that MAC was made with the key that signs now."""
        self._signer = signer
        self._key = key

    def add(self, entries: Sequence[Entry]) -> None:
        """Check more entries. Raises `BrokenHistory`."""
        for entry in entries:
            self.head = following(self.head, entry)
            if is_signed(self._signer, self._key, entry):
                self.signed, self.current = entry.version, self._signer.is_current(entry.mac)

    def end(self) -> None:
        """Check that the newest entry is signed, if any entry is. Raises `BrokenHistory`."""
        if 0 < self.signed < self.head.version and not self._signer.accepts_unsigned:
            raise BrokenHistory(f"the events after version {self.signed} carry no MAC")


FIELD = b',"mac":"'
"""What stands before the MAC of a match's index entry, which is JSON: older releases pass such a field over."""


def sign_match(signer: Signer, key: RoomKey, number: int, data: bytes) -> bytes:
    """Return a match's index entry with its MAC as its last field."""
    mac = signer.sign(MATCH, key, Version(number), data)
    return b'%b%b%b"}' % (data[:-1], FIELD, mac.hex().encode()) if mac else data


def verify_match(signer: Signer, key: RoomKey, number: int, kept: bytes) -> bytes:
    """Return a match's index entry without its MAC, if it has one. Raises `BrokenHistory` where that doesn't fit."""
    data, field, mac = kept.rpartition(FIELD)
    if not field:
        return kept
    try:
        fits = signer.check(bytes.fromhex(mac[:-2].decode()), MATCH, key, Version(number), data + b"}")
    except ValueError:
        fits = False
    if fits is False:
        raise BrokenHistory(f"the index tells match {number} otherwise than this installation wrote it")
    return data + b"}"

"""Checks that stored entries are what was written: their order, their digests, and the MACs of commands."""

import hmac
from collections.abc import Sequence

from service.domain.ids import RoomKey, Version
from service.store.codec import chain_digest
from service.store.contract import NOT_BEGUN, Entry, Head
from service.store.signing import COMMAND, MATCH, Signer
from service.store.stream_keys import StreamKey


class BrokenHistory(Exception):  # noqa: N818 - a finding, not a failure
    """Stored entries differ from what was written. The message names the version and the difference."""


def next_head(head: Head, entry: Entry) -> Head:
    """Return the head after an entry. Raises `BrokenHistory` for a gap or a wrong digest."""
    if entry.version != head.version + 1:
        raise BrokenHistory(f"version {entry.version} comes directly after version {head.version}")
    if not hmac.compare_digest(entry.digest, chain_digest(head.digest, entry.data)):
        raise BrokenHistory(f"version {entry.version} is not what was written: its digest does not match")
    return Head(entry.version, entry.digest)


def head_after(head: Head, entries: Sequence[Entry]) -> Head:
    """Return the head after entries. Raises `BrokenHistory` if they do not follow."""
    for entry in entries:
        head = next_head(head, entry)
    return head


def is_signed(signer: Signer, key: StreamKey, entry: Entry) -> bool:
    """Return whether an entry has a MAC of a known key. Raises `BrokenHistory` if the MAC is invalid."""
    fits = signer.check(entry.mac, COMMAND, key, entry.version, entry.digest)
    if fits is False:
        raise BrokenHistory(f"version {entry.version} was not written by this installation: its MAC does not match")
    return fits is True


class HistoryCheck:
    """Checks all entries of a stream in order: every digest and every MAC."""

    def __init__(self, signer: Signer, key: StreamKey, head: Head = NOT_BEGUN) -> None:
        """Start before the first entry, or after one that is known."""
        self.head = head
        self.signed = Version(0)
        """The newest version with a MAC of a known key; 0 if there is none."""
        self.current = True
        """Whether that MAC was made with the current key."""
        self._signer = signer
        self._key = key

    def add(self, entries: Sequence[Entry]) -> None:
        """Check more entries. Raises `BrokenHistory`."""
        for entry in entries:
            self.head = next_head(self.head, entry)
            if is_signed(self._signer, self._key, entry):
                self.signed, self.current = entry.version, self._signer.is_current(entry.mac)

    def end(self) -> None:
        """Check that the newest entry has a MAC, if any entry has one. Raises `BrokenHistory`."""
        if 0 < self.signed < self.head.version and not self._signer.accepts_unsigned:
            raise BrokenHistory(f"the events after version {self.signed} have no MAC")


FIELD = b',"mac":"'
"""The JSON before the MAC in a match's index entry. Older releases ignore this field."""


def sign_match(signer: Signer, key: RoomKey, number: int, data: bytes) -> bytes:
    """Return a match's index entry with its MAC as its last field."""
    mac = signer.sign(MATCH, key, Version(number), data)
    return b'%b%b%b"}' % (data[:-1], FIELD, mac.hex().encode()) if mac else data


def verify_match(signer: Signer, key: RoomKey, number: int, kept: bytes) -> bytes:
    """Return a match's index entry without its MAC, if it has one. Raises `BrokenHistory` if the MAC is invalid."""
    data, field, mac = kept.rpartition(FIELD)
    if not field:
        return kept
    try:
        fits = signer.check(bytes.fromhex(mac[:-2].decode()), MATCH, key, Version(number), data + b"}")
    except ValueError:
        fits = False
    if fits is False:
        raise BrokenHistory(
            f"the index entry of match {number} is not what this installation wrote: its MAC does not match"
        )
    return data + b"}"

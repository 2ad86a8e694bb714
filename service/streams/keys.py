"""The names of everything kept in the store, in one place.

Whatever one script touches together carries the same hash tag `{pNN}`, its partition, so the same scripts run on one
server and on a cluster:

    {p07}:room:<name>:<epoch>       stream   the room's events, and the channel that tells of them
    {p07}:head:<name>:<epoch>       string   "<version> <digest>" of its last event; survives trimming and a lost tail
    {p07}:matches:<name>:<epoch>    hash     the match index: number -> entry
    {p07}:snapshots:<name>:<epoch>  hash     version -> snapshot, and which is the latest, with its receipts
    {p07}:name:<name>               string   the epoch of the live room of this name
    {p07}:due                       set      <name>:<epoch> by the moment when the house owes the room something
    {p07}:lobby                     set      <opened>:<name>:<epoch> in lexical order
    {p07}:cards                     hash     <name>:<epoch> -> <opened><card>
    {p11}:player:<id>               set      <name>:<epoch> in the order in which they were noted
    {p00}:partitions                string   how many partitions there are, fixed at the first start
"""

from typing import NewType
from zlib import crc32

import msgspec

from service.domain.room.values import Epoch, PlayerId, RoomKey, RoomName

Partition = NewType("Partition", int)
"""A share of the rooms, numbered from 0, that always lives on one node."""


class PartitionKeys(msgspec.Struct, frozen=True):
    """The keys that the rooms of a partition share."""

    number: Partition
    tag: bytes
    due: bytes
    lobby: bytes
    cards: bytes


class Keys:
    """Which key holds what, for a given number of partitions."""

    def __init__(self, partitions: int) -> None:
        """Lay out the keys for this many partitions, at least one."""
        if partitions < 1:
            raise ValueError(f"{partitions} partitions hold nothing")
        self.count = partitions
        self.all = tuple(partition_keys(Partition(number)) for number in range(partitions))
        self.partitions = b"%b:partitions" % self.all[0].tag

    def home(self, name: str) -> PartitionKeys:
        """Return the partition of a room's name or a player's id: the same for ever, on every machine."""
        return self.all[crc32(name.encode()) % self.count]

    def stream(self, key: RoomKey) -> bytes:
        """Return the key of the room's stream, also the name of its channel."""
        return b"%b:room:%b" % (self.home(key.name).tag, member(key))

    def head(self, key: RoomKey) -> bytes:
        """Return the key of the room's head."""
        return b"%b:head:%b" % (self.home(key.name).tag, member(key))

    def matches(self, key: RoomKey) -> bytes:
        """Return the key of the room's match index."""
        return b"%b:matches:%b" % (self.home(key.name).tag, member(key))

    def snapshots(self, key: RoomKey) -> bytes:
        """Return the key of the room's snapshots."""
        return b"%b:snapshots:%b" % (self.home(key.name).tag, member(key))

    def name(self, name: RoomName) -> bytes:
        """Return the key of the pointer to the live room of this name."""
        return b"%b:name:%b" % (self.home(name).tag, name.encode())

    def player(self, player: PlayerId) -> bytes:
        """Return the key of a player's rooms."""
        return b"%b:player:%b" % (self.home(player).tag, player.encode())


def partition_keys(number: Partition) -> PartitionKeys:
    """Return the keys that the rooms of this partition share."""
    tag = b"{p%02d}" % number
    return PartitionKeys(number, tag, due=tag + b":due", lobby=tag + b":lobby", cards=tag + b":cards")


def member(key: RoomKey) -> bytes:
    """Return a room as a member of a set: `<name>:<epoch>`; a name holds no colon."""
    return f"{key.name}:{key.epoch}".encode()


def room_of(member: bytes) -> RoomKey:
    """Return the room that a member of a set names."""
    name, epoch = member.decode().split(":", 1)
    return RoomKey(RoomName(name), Epoch(epoch))

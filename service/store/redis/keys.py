"""The names of everything kept in the store, in one place.

Whatever one script touches together carries the same hash tag `{pNN}`, its partition, so the same scripts run on one
server and on a cluster:

    {p07}:room:<name>:<epoch>       stream   the room's events, and the channel that tells of them
    {p07}:head:<name>:<epoch>       string   "<version> <digest>" of its last event; survives trimming and a lost tail
    {p07}:matches:<name>:<epoch>    hash     the match index: number -> entry
    {p07}:states:<name>:<epoch>     hash     version -> snapshot, and which is the latest, with its receipts
    {p07}:snapshots:<name>:<epoch>  hash     the same without MACs, by releases that made none; no longer read
    {p07}:name:<name>               string   the epoch of the live room of this name
    {p07}:due                       set      <name>:<epoch> by the moment when the house owes the room something
    {p07}:closed                    set      <name>:<epoch> of rooms whose events may go, by when they closed
    {p07}:lobby                     set      <opened>:<name>:<epoch> in lexical order, and the channel of its changes
    {p07}:cards                     hash     <name>:<epoch> -> <opened><card>
    {p11}:player:<id>               set      <name>:<epoch> in the order in which they were noted
    {p07}:chat:<name>:<epoch>       stream   the lines said in the room; `chat:lobby` those in the lobby
    {p07}:beside:<name>:<epoch>     channel  tells of such lines, and of who comes and goes; `beside:lobby` likewise
    {p07}:here:<name>:<epoch>       hash     process -> who is in the room through it
    {p07}:visited:<name>:<epoch>    string   there while somebody has asked for something in the room lately
    {p05}:attends:<process>         set      <name>:<epoch> of the rooms in which a process has noted somebody
    {p00}:processes                 set      the running processes by the end of their lease, 0 for those declared dead
    {p00}:pulse                     string   the moment of the workers' latest beat
    {p00}:clock                     hash     the store's correction; the latest time reported, and the wall clock then
    {p00}:outages                   list     "<since> <until>" of the latest times without a beat, newest first
    {p00}:scrub                     hash     where the check of all rooms goes on, and until when it is claimed
    {p00}:damaged                   set      <name>:<epoch> of the rooms that it found damaged
    {p00}:audit                     stream   what operators did
    {p00}:partitions                string   how many partitions there are, fixed at the first start
    {p00}:store                     string   the store's id and the ids that it replaces
    {p07}:appended                  string   how many events were ever appended to the partition; never reduced
"""

from typing import NewType
from zlib import crc32

import msgspec

from service.domain.room.model.ids import Epoch, PlayerId, RoomKey, RoomName
from service.store.side_channels import ProcessId, Where

LOBBY = "lobby"

Partition = NewType("Partition", int)
"""A share of the rooms, numbered from 0, that always lives on one node."""


class PartitionKeys(msgspec.Struct, frozen=True):
    """The keys that the rooms of a partition share."""

    number: Partition
    tag: bytes
    due: bytes
    lobby: bytes
    cards: bytes
    closed: bytes
    appended: bytes


class Keys:
    """Which key holds what, for a given number of partitions."""

    def __init__(self, partitions: int) -> None:
        """Lay out the keys for this many partitions, at least one."""
        if partitions < 1:
            raise ValueError(f"{partitions} partitions hold nothing")
        self.count = partitions
        self.all = tuple(partition_keys(Partition(number)) for number in range(partitions))
        self.pulse, self.outages = b"%b:pulse" % self.all[0].tag, b"%b:outages" % self.all[0].tag
        self.clock = b"%b:clock" % self.all[0].tag
        self.partitions = b"%b:partitions" % self.all[0].tag
        self.store = b"%b:store" % self.all[0].tag
        self.audit = b"%b:audit" % self.all[0].tag
        self.scrub, self.damaged = b"%b:scrub" % self.all[0].tag, b"%b:damaged" % self.all[0].tag
        self.processes = b"%b:processes" % self.all[0].tag

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
        return b"%b:states:%b" % (self.home(key.name).tag, member(key))

    def old_snapshots(self, key: RoomKey) -> bytes:
        """Return the key of the room's snapshots as releases wrote them that did not sign them."""
        return b"%b:snapshots:%b" % (self.home(key.name).tag, member(key))

    def name(self, name: RoomName) -> bytes:
        """Return the key of the pointer to the live room of this name."""
        return b"%b:name:%b" % (self.home(name).tag, name.encode())

    def player(self, player: PlayerId) -> bytes:
        """Return the key of a player's rooms."""
        return b"%b:player:%b" % (self.home(player).tag, player.encode())

    def home_of(self, where: Where) -> PartitionKeys:
        """Return the partition of a room, or of the lobby's chat."""
        return self.home(LOBBY if where is None else where.name)

    def chat(self, where: Where) -> bytes:
        """Return the key of a chat."""
        return b"%b:chat:%b" % (self.home_of(where).tag, place_of(where))

    def beside(self, where: Where) -> bytes:
        """Return the name of the channel beside a room, or of the lobby's chat."""
        return b"%b:beside:%b" % (self.home_of(where).tag, place_of(where))

    def attendance(self, key: RoomKey) -> bytes:
        """Return the key of who is in a room."""
        return b"%b:here:%b" % (self.home(key.name).tag, member(key))

    def visited(self, key: RoomKey) -> bytes:
        """Return the key of the note that somebody has been in a room lately."""
        return b"%b:visited:%b" % (self.home(key.name).tag, member(key))

    def attends(self, process: ProcessId) -> bytes:
        """Return the key of the rooms in which a process has noted somebody."""
        return b"%b:attends:%b" % (self.home(process).tag, process.encode())


def place_of(where: Where) -> bytes:
    """Return a room or the lobby as the end of a key; no room's member lacks a colon."""
    return LOBBY.encode() if where is None else member(where)


def partition_keys(number: Partition) -> PartitionKeys:
    """Return the keys that the rooms of this partition share."""
    tag = b"{p%02d}" % number
    names = (b":due", b":lobby", b":cards", b":closed", b":appended")
    return PartitionKeys(number, tag, *(tag + name for name in names))


def member(key: RoomKey) -> bytes:
    """Return a room as a member of a set: `<name>:<epoch>`; a name holds no colon."""
    return f"{key.name}:{key.epoch}".encode()


def room_of(member: bytes) -> RoomKey:
    """Return the room that a member of a set names; of a damaged name, one that no store has."""
    name, _, epoch = member.decode(errors="backslashreplace").partition(":")
    return RoomKey(RoomName(name), Epoch(epoch))

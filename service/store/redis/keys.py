"""All key names in the store.

Keys that a script uses together have the same hash tag `{pNN}`, the partition, so that the same scripts run on a single
server and on a cluster:

    {p07}:room:<name>:<epoch>       stream   the room's events, and the channel that announces them
    {p07}:head:<name>:<epoch>       string   "<version> <digest>" of its last event; survives trimming and a lost tail
    {p07}:matches:<name>:<epoch>    hash     the match index: number -> entry
    {p07}:states:<name>:<epoch>     hash     version -> snapshot, and which is the latest, with its records
    {p07}:snapshots:<name>:<epoch>  hash     the same without MACs, by older releases; no longer read
    {p07}:name:<name>               string   the epoch of the open room of this name
    {p07}:due                       set      rooms, players and the outbox by the time when they are due
    {p11}:sending                   set      webhooks/<owner> by the time when they are due
    {p07}:closed                    set      <name>:<epoch> of rooms that may be trimmed, by when they closed
    {p07}:lobby                     set      <opened>:<name>:<epoch> in lexical order, and the channel of its changes
    {p07}:cards                     hash     <name>:<epoch> -> <opened><lobby entry>
    {p11}:player:<id>               set      <name>:<epoch> in the order in which they were recorded
    {p11}:stream:player/<id>        stream   the events of a player, and the channel that announces them
    {p11}:end:player/<id>           string   "<version> <digest>" of its last event
    {p11}:stream:account/<id>       stream   the events of a player's account; its end is {p11}:end:account/<id>
    {p11}:stream:webhooks/<owner>   stream   the events of an owner's webhooks; with `end` like the stream of a player
    {p03}:stream:ratings/<list>     stream   the rated matches of a list, as `morris.blitz`; with `end` and `states`
    {p03}:standings:<list>:2        hash     player -> row of the leaderboard; with `:staged` while it is made again;
                                             all of its keys without `:2` are those of earlier releases
    {p03}:places:<list>:2           set      the players with a place, by their negative ratings
    {p03}:everybody:<list>:2        set      all players with a public match, by their negative ratings
    {p03}:rated:<list>:2            hash     match -> its version in the stream
    {p03}:points:<list>:2           hash     player -> ratings after matches, at most 500
    {p03}:projected:<list>:2        string   the version of the stream up to which these five have everything
    {p03}:projected:<list>:2:staged string   the number of the rebuild of the leaderboard under way; expires
    {p03}:rebuilds:<list>           string   how many rebuilds of the leaderboard have begun
    {p11}:names:<id>                hash     a player's nicknames: number -> nickname
    {p11}:name_macs:<id>            hash     their MACs: number -> MAC
    {p11}:played:<id>               set      the matches of a player, by the time of their end
    {p11}:results:<id>              hash     a player's results: game, or game and opponent -> numbers
    {p05}:notable:<game>:<board>    set      notable matches by negative score; of a day or a week it expires
    {p05}:notable_macs:<game>:<board> hash   match -> MAC of its score; expires with its board
    {p07}:read                      set      player/<id> and <name>:<epoch> by the time until which turns are read
    {p07}:outbox                    stream   what streams of the partition have to deliver to others, oldest first
    {p07}:chat:<name>:<epoch>       stream   the room's chat; `chat:lobby`: the lobby's; `chat:@reports:0`: reports
    {p07}:line:<name>:<epoch>:<key> hash     the line that was sent with an idempotency key; expires
    {p07}:beside:<name>:<epoch>     channel  announces chat and presence; `beside:lobby` announces the lobby's chat
    {p07}:here:<name>:<epoch>       hash     process -> who is in the room through it
    {p07}:visited:<name>:<epoch>    string   exists if someone used the room recently; with `:<player>`, a player
    {p07}:kept:<name>:<epoch>       string   exists while a room is kept open by its creator's requests
    {p09}:invitation:<hash>         string   <name>:<epoch> of the room that a code with this hash leads to; expires
    {p09}:link:<hash>               string   the player whom a link code with this hash leads to; expires
    {p05}:attends:<process>         set      <name>:<epoch> of the rooms in which a process has players
    {p00}:processes                 set      the processes by the end of their lease, 0 for those declared dead
    {p00}:pulse                     string   the time of the workers' latest heartbeat
    {p00}:clock                     hash     the correction; the latest reported time, and the wall clock then
    {p00}:outages                   list     "<since> <until>" of the latest outages, newest first
    {p00}:scrub                     hash     where the check of all rooms continues, and until when it is claimed
    {p00}:damaged                   set      <name>:<epoch> of the rooms that the check found damaged
    {p00}:audit                     stream   the audit log
    {p00}:replaced                  set      the players whose guest token was replaced, in that order
    {p00}:partitions                string   the number of partitions, fixed at the first start
    {p00}:store                     string   the store's id and the ids that it replaces
    {p00}:signed                    string   the sign-off of a store in which every protected value has a MAC
    {p07}:appended                  string   how many events were ever appended to the partition; never reduced
"""

from typing import Literal, NewType
from zlib import crc32

import msgspec

from service.domain.ids import RoomKey
from service.store.side_channels import Where
from service.store.stream_keys import DueKey, OutboxKey, StreamKey, is_webhooks, member, room_of

LOBBY = "lobby"

PlayersKey = Literal["player", "names", "name_macs", "played", "results"]
OwnedKey = PlayersKey | Literal["name", "notable", "notable_macs", "invitation", "link", "attends", "reviewed"]
PlacedKey = Literal["matches", "states", "snapshots", "chat", "line", "beside", "here", "visited", "kept"]
"""The kinds of keys above that belong to somebody, and those that belong to a room or to the lobby."""

Partition = NewType("Partition", int)
"""The number of a group of rooms that is always on one node, from 0."""


class PartitionKeys(msgspec.Struct, frozen=True):
    """A partition: its number, its hash tag, and the keys that its rooms share."""

    number: Partition
    tag: bytes
    due: bytes
    lobby: bytes
    lobby_entries: bytes
    closed: bytes
    appended: bytes
    outbox: bytes
    sending: bytes
    read: bytes


class Keys:
    """The key names for a given number of partitions."""

    def __init__(self, partitions: int) -> None:
        """Use this many partitions, at least one."""
        if partitions < 1:
            raise ValueError(f"expected at least 1 partition, not {partitions}")
        self.count = partitions
        self.all = tuple(partition_keys(Partition(number)) for number in range(partitions))
        self.pulse, self.outages = b"%b:pulse" % self.all[0].tag, b"%b:outages" % self.all[0].tag
        self.clock = b"%b:clock" % self.all[0].tag
        self.partitions = b"%b:partitions" % self.all[0].tag
        self.store, self.signed = b"%b:store" % self.all[0].tag, b"%b:signed" % self.all[0].tag
        self.audit, self.replaced = b"%b:audit" % self.all[0].tag, b"%b:replaced" % self.all[0].tag
        self.scrub, self.damaged = b"%b:scrub" % self.all[0].tag, b"%b:damaged" % self.all[0].tag
        self.processes = b"%b:processes" % self.all[0].tag

    def partition_of(self, name: str) -> PartitionKeys:
        """Return the partition of a room's name or a player's id. It never changes."""
        return self.all[crc32(name.encode()) % self.count]

    def partition_due(self, key: DueKey) -> PartitionKeys:
        """Return the partition whose due set has a key."""
        return self.all[key.partition] if isinstance(key, OutboxKey) else self.partition_of(key.name)

    def due_set(self, key: DueKey) -> bytes:
        """Return the key of the due set that has a key."""
        partition = self.partition_due(key)
        return partition.sending if is_webhooks(key) else partition.due

    def stream(self, key: StreamKey) -> bytes:
        """Return the key of a stream, also the name of its channel."""
        kind = b"room" if isinstance(key, RoomKey) else b"stream"
        return b"%b:%b:%b" % (self.partition_of(key.name).tag, kind, member(key))

    def head(self, key: StreamKey) -> bytes:
        """Return the key of a stream's head."""
        kind = b"head" if isinstance(key, RoomKey) else b"end"
        return b"%b:%b:%b" % (self.partition_of(key.name).tag, kind, member(key))

    def of(self, kind: OwnedKey, owner: str, *more: str) -> bytes:
        """Return the key of this kind of a player, a game, a process, a room's name or the hash of a code."""
        return b":".join((self.partition_of(owner).tag, *(part.encode() for part in (kind, owner, *more))))

    def partition_at(self, place: StreamKey | None) -> PartitionKeys:
        """Return the partition of a stream, or of the lobby."""
        return self.partition_of(LOBBY if place is None else place.name)

    def at(self, kind: PlacedKey, place: StreamKey | None, *more: str) -> bytes:
        """Return the key of this kind of a room or another stream; without one, that of the lobby."""
        parts = (kind.encode(), place_of(place), *(part.encode() for part in more))
        return b":".join((self.partition_at(place).tag, *parts))


def place_of(where: StreamKey | None) -> bytes:
    """Return a room or the lobby as the end of a key. A room's end always has a colon."""
    return LOBBY.encode() if where is None else member(where)


def place_named(end: bytes) -> Where:
    """Return the room or the lobby of such an end of a key."""
    return None if end == LOBBY.encode() else room_of(end)


def partition_keys(number: Partition) -> PartitionKeys:
    """Return the keys that the rooms of this partition share."""
    tag = b"{p%02d}" % number
    names = (b":due", b":lobby", b":cards", b":closed", b":appended", b":outbox", b":sending", b":read")
    return PartitionKeys(number, tag, *(tag + name for name in names))

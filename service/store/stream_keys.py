"""The keys of event streams, and their form as members of the store's sets.

The due set contains rooms as `<name>:<epoch>`, other streams as `<kind>/<id>`, and a partition's outbox as `outbox/`.
The name of a room has neither a colon nor a slash. The streams of webhooks have their own due sets, from which
workers without access to the internet do not claim.
"""

import msgspec

from service.domain.ids import Epoch, PlayerId, RoomKey, RoomName


class KindKey(msgspec.Struct, frozen=True, cache_hash=True):
    """Identifies a stream other than a room's."""

    kind: str
    """The kind of the stream; not `outbox`."""
    id: str = ""
    """Identifies the stream among those of its kind; empty if there is only one."""

    @property
    def name(self) -> str:
        """What determines the stream's partition: streams with the same id share one."""
        return self.id or self.kind

    @property
    def label(self) -> str:
        """The key as a text, as in the store's sets."""
        return f"{self.kind}/{self.id}"


class OutboxKey(msgspec.Struct, frozen=True, cache_hash=True):
    """Identifies the outbox of a partition: what its streams have to deliver to others."""

    partition: int


StreamKey = RoomKey | KindKey
"""Identifies an event stream. Its `name` determines its partition."""

DueKey = StreamKey | OutboxKey
"""Identifies what a worker can claim."""

OUTBOX = b"outbox/"


PLAYER = "player"
"""The kind of the streams of players, whose events make their webhooks due."""

WEBHOOKS = "webhooks"

RATINGS = "ratings"
"""The kind of the streams of rating lists."""

NOTABLE = "notable"
"""The kind under which ends of matches are delivered to the search for notable ones, by game; it has no streams."""

PLAYED = "played"
"""The kind under which ends of matches are delivered to the index of players' matches; it has no streams."""

REVIEWS = "reviews"
"""The kind of the streams of matches' reviews."""

TOURNAMENTS = "tournaments"
"""The kind of the streams of tournaments."""

TOURNAMENT_LIST = "tournament_list"
"""The kind of the stream that lists tournaments."""


def names_key(player: PlayerId) -> KindKey:
    """Return the key of the nicknames of a player in their MACs."""
    return KindKey("names", player)


def webhooks_key(owner: PlayerId) -> KindKey:
    """Return the key of the stream of an owner's webhooks. It is in the same partition as the owner's own stream."""
    return KindKey(WEBHOOKS, owner)


def is_webhooks(key: DueKey) -> bool:
    """Return whether a key is that of a stream of webhooks."""
    return isinstance(key, KindKey) and key.kind == WEBHOOKS


def member(key: StreamKey) -> bytes:
    """Return a stream as a member of a set."""
    return key.label.encode()


def due_member(key: DueKey) -> bytes:
    """Return what a worker can claim as a member of its partition's due set."""
    return OUTBOX if isinstance(key, OutboxKey) else member(key)


def room_of(member: bytes) -> RoomKey:
    """Return the room of a set's member; for a damaged member a room that does not exist."""
    name, _, epoch = member.decode(errors="backslashreplace").partition(":")
    return RoomKey(RoomName(name), Epoch(epoch))


def due_key(member: bytes, partition: int) -> DueKey:
    """Return the key of a member of a partition's due set."""
    if member == OUTBOX:
        return OutboxKey(partition)
    return stream_of(member) if b"/" in member else room_of(member)


def stream_of(member: bytes) -> KindKey:
    """Return the stream other than a room's of a set's member."""
    kind, _, identity = member.decode(errors="backslashreplace").partition("/")
    return KindKey(kind, identity)

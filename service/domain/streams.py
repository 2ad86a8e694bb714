"""What all event streams have in common: records, their stored form, and the pure functions of a kind.

Most streams are trimmed, so their first events are not available forever. From time to time a `Summary` is appended:
an event that contains the state at that point. The fold of a stream starts at its oldest summary, or at its first
event. Streams of a kind with snapshots are never trimmed; their fold starts at the latest snapshot.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from service.domain.game import Event
from service.domain.ids import Millis, Version

State = TypeVar("State")


class Source(msgspec.Struct, frozen=True, array_like=True):
    """Where a delivered event comes from: the stream that caused it, and that stream's version."""

    stream: str
    """For a room `<name>:<epoch>`."""
    version: Version


class Summary(Event, frozen=True):
    """The base of the events that contain the state of a stream; everything before one can be deleted."""

    until: Millis
    """The time of the event before it."""


class Change(msgspec.Struct, frozen=True):
    """An event that is about to be appended."""

    event: Event
    source: Source | None = None
    """None for an event that the stream's own command caused."""


class Record(msgspec.Struct, frozen=True):
    """An event in a stream."""

    version: Version
    time: Millis
    event: Event
    source: Source | None = None


class IdempotencyKey(msgspec.Struct, frozen=True):
    """The idempotency key of a command, with the fingerprint of the command's body."""

    value: str
    fingerprint: str


class Stored(msgspec.Struct, frozen=True):
    """An event as read from the store, with its digest and its command."""

    recorded: Any
    """Its record, of the type of its kind."""
    digest: bytes
    idempotency_key: IdempotencyKey | None = None
    """Only on the first event of a command with an idempotency key."""
    size: int = 1
    """The number of events of the command, if its kind stores that."""


class UnknownEvent(Exception):  # noqa: N818 - a finding, not a failure
    """An entry was written by a newer release. This release cannot read it, and never writes to its stream."""


class Envelope(msgspec.Struct, frozen=True, array_like=True):
    """What is stored around an event, as a JSON array. The first field is always the format, the last one the event."""

    format: int
    time: Millis
    source: Source | None
    event: msgspec.Raw


def pack(record: Record, _: int, __: IdempotencyKey | None) -> tuple[object, ...]:
    """Return the fields of an envelope after the format."""
    return record.time, record.source, record.event


def unpack(version: Version, digest: bytes, envelope: Envelope, event: Event) -> Stored:
    """Return an event as it was stored."""
    return Stored(Record(version, envelope.time, event, envelope.source), digest)


Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Converts an event of one format to the next one."""


@dataclass(frozen=True)
class Form:
    """How the events of a kind are stored. To change an event, raise the format and add an upcaster."""

    format: int = 1
    upcasters: Mapping[int, Upcaster] = field(default_factory=dict)
    """Upcasters by the format that they convert."""
    envelope: Any = Envelope
    """The type of the envelope."""
    pack: Callable[[Any, int, IdempotencyKey | None], tuple[object, ...]] = pack
    """Takes a record, the size of its command, and its key; returns the fields after the format, the event last."""
    unpack: Callable[[Version, bytes, Any, Event], Stored] = unpack
    """Takes a version, a digest, an envelope, and the event in this release's format."""

    command: Callable[[Stored], Version | None] = lambda _: None
    """Returns the version of the first event of the same command; None if that is not stored."""

    @cached_property
    def decoder(self) -> "msgspec.json.Decoder[Any]":
        """The decoder of the envelope."""
        return msgspec.json.Decoder(self.envelope)

    def ends_command(self, stored: Stored) -> bool:
        """Return whether an event is the last of its command, as far as that is stored."""
        first = self.command(stored)
        return first is None or stored.recorded.version - first + 1 == stored.size


class Outgoing(NamedTuple):
    """An event for another stream."""

    to: str
    """The id of that stream among those of its kind."""
    event: Event
    kind: str = "player"


def never(_: object) -> None:
    """Return that nothing is due."""


def nothing(_: object, __: object) -> tuple[Outgoing, ...]:
    """Return nothing to deliver."""
    return ()


def no_summary(state: object, _: Millis) -> Summary:
    """Raise `TypeError`: streams of a kind with snapshots have no summaries."""
    raise TypeError(f"no summary is made of {type(state).__name__}")


@dataclass(frozen=True)
class StreamSnapshots(Generic[State]):
    """How the state of a stream is stored next to its events, all of which are kept."""

    stored: Any
    """The type of the stored form."""
    pack: Callable[[State], msgspec.Struct]
    """Returns the stored form of a state."""
    unpack: Callable[[Any], State]
    """Returns the state of a stored form."""
    size: Callable[[State], int]
    """Returns the number of items in a state: after that many events, another snapshot is stored."""
    least: int = 0
    """After how many events the next snapshot is stored at the earliest; 0 for the number of most kinds."""
    parts: Callable[[Any], tuple[Any, ...]] = lambda _: ()
    """Returns what else determines the stored form: types, and versions as text."""
    after: tuple[type[Event], ...] = ()
    """The events after which a snapshot is stored in any case."""
    keeps_earlier: bool = False
    """Whether earlier snapshots are kept, for states at earlier versions."""


@dataclass(frozen=True)
class StreamKind(Generic[State]):
    """The pure functions of a kind of stream.

    A kind has either summaries, and its streams are trimmed, or snapshots, and all of their events are kept.
    """

    event: Any
    """The union of its events."""
    start: Callable[[str], State]
    """Returns the state of the stream with this name before its first event."""
    evolve: Callable[[State, Any], State]
    """Takes a record, and returns the state after it."""
    variant: Callable[[State], str] = lambda _: ""
    """Returns the variant of the kind that a stream with this state is; "" before the first event."""
    decoder_of: Callable[[str], "msgspec.json.Decoder[Event]"] | None = None
    """Returns the decoder of the events of a variant."""
    check: Callable[[str, Event], object] | None = None
    """Raises `UnknownEvent` or `msgspec.ValidationError` for an event of a variant that this release cannot apply."""
    form: Form = Form()
    """How its events are stored."""
    summary: Callable[[State, Millis], Summary] = no_summary
    """Returns the summary of a state; takes the time of the latest event."""
    snapshots: StreamSnapshots[State] | None = None
    """How states are stored."""
    due: Callable[[State], Millis | None] = never
    """Returns when a worker has to act next; None if never."""
    has_webhooks: bool = False
    """Whether webhooks of the stream's owner become due by an event."""
    deliveries: Callable[[State, Sequence[Any]], Iterable[Outgoing]] = nothing
    """Returns what to deliver to other streams for events that follow a state."""
    has_idempotency: bool = False
    """Whether the results of recent commands are remembered by their idempotency keys."""
    recent: int = 0
    """How many of the latest events are kept in memory."""
    absent: str = ""
    """The code of the refusal to read a stream without events; empty if such a stream can be read."""
    was_unsigned: bool = False
    """Whether its oldest events may be those of releases that made no MACs."""

    @cached_property
    def decoder(self) -> "msgspec.json.Decoder[Event]":
        """The decoder of its events."""
        return msgspec.json.Decoder(self.event)

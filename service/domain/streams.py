"""What all event streams except those of rooms have in common: records, and the pure functions of a kind.

Most streams are trimmed, so their first events are not available forever. From time to time a `Summary` is appended:
an event that contains the state at that point. The fold of a stream starts at its oldest summary, or at its first
event. Streams of a kind with snapshots are never trimmed; their fold starts at the latest snapshot.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from service.domain.game import Event
from service.domain.room.model.ids import Millis, Version

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


@dataclass(frozen=True)
class StreamKind(Generic[State]):
    """The pure functions of a kind of stream.

    A kind has either summaries, and its streams are trimmed, or snapshots, and all of their events are kept.
    """

    event: Any
    """The union of its events."""
    start: Callable[[str], State]
    """Returns the state of the stream with this name before its first event."""
    evolve: Callable[[State, Record], State]
    """Returns the state after an event."""
    summary: Callable[[State, Millis], Summary] = no_summary
    """Returns the summary of a state; takes the time of the latest event."""
    snapshots: StreamSnapshots[State] | None = None
    """How states are stored."""
    due: Callable[[State], Millis | None] = never
    """Returns when a worker has to act next; None if never."""
    has_webhooks: bool = False
    """Whether webhooks of the stream's owner become due by an event."""
    deliveries: Callable[[State, Sequence[Record]], Iterable[Outgoing]] = nothing
    """Returns what to deliver to other streams for events that follow a state."""

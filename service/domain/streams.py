"""What all event streams but the rooms' have in common: records, and a kind's pure functions.

A stream is trimmed, so its first events are not available for ever. From time to time a `Summary` is appended: an event
that contains the state at that point. The fold of a stream starts at its oldest summary, or at its first event.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from service.domain.game import Event
from service.domain.room.model.ids import Millis, PlayerId, Version

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


def never(_: object) -> None:
    """Return that nothing is due."""


def nothing(_: object, __: object) -> tuple[tuple[PlayerId, Event], ...]:
    """Return nothing to deliver."""
    return ()


@dataclass(frozen=True)
class StreamKind(Generic[State]):
    """The pure functions of a kind of stream."""

    event: Any
    """The union of its events."""
    start: Callable[[str], State]
    """Returns the state of the stream with this name before its first event."""
    evolve: Callable[[State, Record], State]
    """Returns the state after an event."""
    summary: Callable[[State, Millis], Summary]
    """Returns the summary of a state; takes the time of the latest event."""
    due: Callable[[State], Millis | None] = never
    """Returns when a worker has to act next; None if never."""
    has_webhooks: bool = False
    """Whether webhooks of the stream's owner become due by an event."""
    deliveries: Callable[[State, Sequence[Record]], Iterable[tuple[PlayerId, Event]]] = nothing
    """Returns what to deliver to whom for events that follow a state."""

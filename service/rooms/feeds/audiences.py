"""The subscribers of a room, grouped into audiences that may know the same."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from service.domain.game import Seat
from service.domain.ids import PlayerId, Version
from service.domain.room.model.state import Table, audience
from service.rooms.feeds.frames import OutgoingFrame, StateMode
from service.rooms.views.match_view import Omitted, Viewer
from service.rooms.views.room_view import SentView

AudienceKey = tuple[Viewer, StateMode]
"""What frames a subscriber gets: for whom their views are, and what they contain of the view."""

EVENTS_ONLY: AudienceKey = (Viewer(None), False)
"""The audience of subscribers without views while nothing is hidden from anyone."""


class Subscriber(Protocol):
    """A connection that follows a room."""

    player: PlayerId | None
    wanted: Seat | None
    state: StateMode
    """What updates contain of the view."""
    omitted: Omitted
    """What its views do not contain."""
    view: SentView | None
    """The last view that was sent to the subscriber, if it gets patches."""
    at: Version
    """The version up to which everything was sent, so that nothing is sent twice."""
    on_own_feed: bool
    """Whether it is a connection for this room only, which keeps bots playing, and not one for many feeds."""

    @property
    def offer(self) -> Callable[[OutgoingFrame], None]:
        """Takes a frame for the subscriber; does not block."""

    async def drained(self) -> None:
        """Wait until the frames offered so far have been sent."""


Audience = tuple[AudienceKey, list[Subscriber]]


class Audiences(NamedTuple):
    """The audiences of a room."""

    table: Table
    """The table for which they were determined."""
    apart: list[Audience]
    """The audiences for events that hide something."""
    open: list[Audience]
    """The audiences for public events, of which all subscribers without views are one."""


def audience_of(table: Table, subscriber: Subscriber) -> AudienceKey:
    """Return the audience of a subscriber."""
    seat = audience(table, subscriber.player, subscriber.wanted)
    return Viewer(seat, subscriber.omitted), subscriber.state


def audiences_of(table: Table, subscribers: Iterable[Subscriber]) -> Audiences:
    """Return the audiences of these subscribers."""
    apart: dict[AudienceKey, list[Subscriber]] = {}
    openly: dict[AudienceKey, list[Subscriber]] = {}
    for subscriber in subscribers:
        key = audience_of(table, subscriber)
        apart.setdefault(key, []).append(subscriber)
        openly.setdefault(key if subscriber.state else EVENTS_ONLY, []).append(subscriber)
    return Audiences(table, [*apart.items()], [*openly.items()])

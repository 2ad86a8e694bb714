"""Who follows a room, and who of them may know the same."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from service.domain.game import Seat
from service.domain.room.model.ids import PlayerId, Version
from service.domain.room.model.state import Table, audience
from service.rooms.feeds.frames import OutgoingFrame, StateMode
from service.rooms.views.patches import SentView

AudienceKey = tuple[Seat | None, StateMode]
"""Which frames a subscriber gets: whose knowledge, and what of the view."""

EVENTS_ONLY: AudienceKey = (None, False)
"""The audience of subscribers without views while nothing is hidden from anyone."""


class Subscriber(Protocol):
    """A connection that follows a room: whose it is, what it may see, and where frames for it go."""

    player: PlayerId | None
    wanted: Seat | None
    state: StateMode
    """What updates say of the view."""
    view: SentView | None
    """The view that the subscriber was sent last, if it gets patches."""
    at: Version
    """The version up to which everything was sent; nothing is sent twice."""

    @property
    def offer(self) -> Callable[[OutgoingFrame], None]:
        """Hands a frame over; never blocks."""

    async def drained(self) -> None:
        """Wait until the frames offered so far are on their way."""


Audience = tuple[AudienceKey, list[Subscriber]]


class Audiences(NamedTuple):
    """The subscribers of a room by what they get."""

    table: Table
    """The table for which it was worked out."""
    apart: list[Audience]
    """Where seats may not know the same."""
    open: list[Audience]
    """The audiences while nothing is hidden: all subscribers without views are one of them."""


def audience_of(table: Table, subscriber: Subscriber) -> AudienceKey:
    """Return which frames a subscriber gets: whose knowledge, and what of the view."""
    return audience(table, subscriber.player, subscriber.wanted), subscriber.state


def audiences_of(table: Table, subscribers: Iterable[Subscriber]) -> Audiences:
    """Return the subscribers by which frames they get."""
    apart: dict[AudienceKey, list[Subscriber]] = {}
    openly: dict[AudienceKey, list[Subscriber]] = {}
    for subscriber in subscribers:
        key = audience_of(table, subscriber)
        apart.setdefault(key, []).append(subscriber)
        openly.setdefault(key if subscriber.state else EVENTS_ONLY, []).append(subscriber)
    return Audiences(table, [*apart.items()], [*openly.items()])

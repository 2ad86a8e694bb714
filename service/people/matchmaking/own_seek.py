"""A seek as its player sees it."""

import msgspec

from service.domain.game import Seat
from service.domain.room.model.clock import Clock
from service.domain.seeks.model import GivenOptions, Seek, SeekId
from service.domain.timestamps import rfc3339


class OwnSeek(msgspec.Struct, frozen=True):
    """A seek of the caller."""

    id: SeekId
    """The id of the seek."""
    game: str
    options: GivenOptions
    """The options that you insist on."""
    clock: Clock | None
    """The clock that you insist on; null for any."""
    seat: Seat | None
    """The seat that you insist on; null for any."""
    rated: bool
    """Whether the match is rated."""
    rating_range: int | None
    """By how many points the ratings of others may differ from yours at first; null for any number."""
    bots: bool
    """Whether you also want to play with bots."""
    made: str
    """When the seek was made."""
    expires: str
    """When it ends unless the same request is sent again."""
    paired: bool
    """Whether others were found immediately; then the seek has ended, and your own feed names the room."""


def own_seek(seek: Seek, *, is_paired: bool) -> OwnSeek:
    """Return a seek as its player sees it."""
    return OwnSeek(
        id=seek.id,
        game=seek.game,
        options=seek.options,
        clock=seek.clock,
        seat=seek.seat,
        rated=seek.rated,
        rating_range=seek.rating_range,
        bots=seek.bots,
        made=rfc3339(seek.made),
        expires=rfc3339(seek.expires),
        paired=is_paired,
    )

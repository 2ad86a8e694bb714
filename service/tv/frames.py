"""The frames of TV, in their wire form."""

from service.rooms.feeds.frames import ServerFrame
from service.tv.channels import TvMatch


class TvFrame(ServerFrame, frozen=True, tag="tv"):
    """What a channel shows: sent after subscribing, and whenever it changes. Subscribe to the room to see the match."""

    tv: str
    """The channel: a game's slug, or `best`."""
    match: TvMatch | None
    """The match; null while none can be shown."""

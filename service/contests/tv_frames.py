"""The frames of TV, in their wire form."""

from service.contests.tv_channels import TvMatch
from service.rooms.feeds.frames import ServerFrame


class TvFrame(ServerFrame, frozen=True, tag="tv"):
    """What a channel shows: sent after subscribing, and whenever it changes. Subscribe to the room to see the match."""

    tv: str
    """The channel: a game's slug, or `best`."""
    match: TvMatch | None
    """The match; null while none can be shown."""

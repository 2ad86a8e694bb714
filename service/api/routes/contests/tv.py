"""TV: the matches to watch now."""

import msgspec

from service.api.http.json_routes import Call, read
from service.api.http.route_docs import STORE_CODES
from service.contests.tv_channels import TvMatch


class TvChannel(msgspec.Struct, frozen=True):
    """A channel of TV."""

    tv: str
    """The channel: a game's slug, or `best` for all games."""
    match: TvMatch | None
    """What it shows; null while there is no match that everybody may watch."""


class TvChannels(msgspec.Struct, frozen=True):
    """All channels of TV."""

    channels: tuple[TvChannel, ...]
    """First the channel of all games, then one per game."""


@read("/v1/tv", "Read what is on TV", TvChannels, refusals=STORE_CODES, caller="none", tag="Feeds")
async def read_tv(call: Call) -> TvChannels:
    """Return the match that each channel shows: one channel per game, and one for all games.

    A channel shows the running match with the highest mean rating, until eight seconds after its end. Unrated matches
    are shown while there is no rated one. To follow a channel, send `subscribe` with `tv` to /v1/feed.
    """
    channels = await call.context.tv.channels()
    return TvChannels(tuple(TvChannel(channel, match) for channel, match in channels.items()))

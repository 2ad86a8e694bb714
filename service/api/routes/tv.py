"""TV: the matches to watch now."""

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from service.api.http.parameters import HttpRequest
from service.api.http.requests import context_of, headers_of, negotiate
from service.api.http.responses import JSON, respond_json
from service.api.http.route_docs import NEGOTIATION_CODES, STORE_CODES, document_route
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


@get(
    "/v1/tv",
    opt=document_route(
        "Read what is on TV",
        {200: TvChannels},
        refusals=(*STORE_CODES, *NEGOTIATION_CODES),
        caller="none",
        tag="Feeds",
    ),
)
async def read_tv(request: HttpRequest) -> ASGIResponse:
    """Return the match that each channel shows: one channel per game, and one for all games.

    A channel shows the running match with the highest mean rating, until eight seconds after its end. Unrated matches
    are shown while there is no rated one. To follow a channel, send `subscribe` with `tv` to /v1/feed.
    """
    context = context_of(request)
    negotiate(headers_of(request), JSON)
    channels = await context.tv.channels()
    return respond_json(TvChannels(tuple(TvChannel(channel, match) for channel, match in channels.items())))

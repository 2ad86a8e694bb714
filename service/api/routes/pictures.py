"""A room's position as a picture."""

from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.requests import Web, accepts, has, headers_of, house_of
from service.api.http.responses import answered, etag
from service.api.http.route_docs import NEGOTIATED, READS_A_ROOM, described
from service.api.routes.rooms import AT, SEAT, TAG, at_version, seen
from service.rooms.views.board_svg import drawing

SVG = "image/svg+xml"
POLICY = ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox")


@get(
    "/v1/rooms/{room:str}/board.svg",
    opt=described(
        "The board as a picture",
        {200: None, 304: None},
        parameters=(AT, SEAT, TAG),
        refusals=(*READS_A_ROOM, *NEGOTIATED, "no_such_version", "trimmed", "not_your_seat"),
        headers=("ETag",),
        also=((SVG, "1200 by 630 units: the players and how it stands on the left, the boards on the right."),),
    ),
)
async def draw_room(request: Web, room: FromPath[str]) -> ASGIResponse:
    """Draw the position as the caller may see it, now or at an earlier version."""
    house, headers = house_of(request), headers_of(request)
    accepts(headers, SVG)
    live, seat = await seen(request, house, headers, room)
    past = await at_version(request, house, live)
    tag = etag(past)
    if has(headers, tag[1]):
        return answered(b"", 304, [tag])
    return answered(drawing(past, seat), headers=[tag, POLICY], media_type=SVG)

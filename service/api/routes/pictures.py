"""SVG images: a room's position, and the QR code of an invitation."""

import io

import segno
from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.json_routes import Call, call_of, read
from service.api.http.parameters import (
    AT,
    NEGOTIATION_CODES,
    ROOM_CODES,
    ROOMS_CODES,
    SEAT,
    HttpRequest,
    document_route,
)
from service.api.http.requests import Headers, has_etag, headers_of, negotiate
from service.api.http.responses import etag, respond
from service.api.routes.invitations import CODE_CODES, find
from service.api.routes.reading import TAG, load_for_caller, room_at_version
from service.rooms.views.board_svg import drawing

QUIET_ZONE = 4
"""The light modules around a code that readers need, by the standard (ISO/IEC 18004)."""


def qr_code(link: str) -> bytes:
    """Return the QR code of a link as an SVG image, dark on light in every theme, as readers need it."""
    code = segno.make_qr(link, error="m")
    image = io.BytesIO()
    code.save(image, kind="svg", border=QUIET_ZONE, dark="#000", light="#fff", xmldecl=False, omitsize=True)
    return image.getvalue()


SVG = "image/svg+xml"
SECURITY_POLICY = ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox")


@get(
    "/v1/rooms/{room:str}/board.svg",
    opt=document_route(
        "Draw a room's board",
        {200: None, 304: None},
        parameters=(AT, SEAT, TAG),
        refusals=(*ROOM_CODES, *NEGOTIATION_CODES, "no_such_version", "trimmed", "not_your_seat"),
        headers=("ETag",),
        also=((SVG, "An image of 1200 by 630 units: players and score on the left, boards on the right."),),
    ),
)
async def draw_room(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:
    """Return an image of the position as the caller may see it, now or at an earlier version."""
    headers = headers_of(request)
    negotiate(headers, SVG)
    live, seat = await load_for_caller(call_of(request), room)
    past = await room_at_version(call_of(request), live)
    tag = etag(past)
    if has_etag(headers, tag[1]):
        return respond(b"", 304, [tag])
    return respond(drawing(past, seat), headers=[tag, SECURITY_POLICY], media_type=SVG)


@read(
    "/v1/invitations/{code:str}/qr.svg",
    "Draw an invitation's QR code",
    None,
    media_types=(SVG,),
    refusals=(*CODE_CODES, *ROOMS_CODES),
    caller="none",
    also=((SVG, "A QR code of the invitation's page, black on white."),),
)
async def draw_invitation(call: Call, code: str) -> ASGIResponse:
    """Return a QR code for the page of an open invitation, `/i/{code}`."""
    await find(call.request, code)
    base = call.context.public_url or own_address(call.request, call.headers)
    return respond(qr_code(f"{base}/i/{code}"), headers=[SECURITY_POLICY], media_type=SVG)


def own_address(request: HttpRequest, headers: Headers) -> str:
    """Return the address under which the caller reached this service; only the caller gets the result."""
    is_secure = request.scope["scheme"] == "https" or headers.get(b"x-forwarded-proto") == b"https"
    return f"{'https' if is_secure else 'http'}://{headers.get(b'host', b'').decode('latin-1')}"

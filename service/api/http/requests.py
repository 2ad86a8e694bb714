"""What comes in: headers, bodies and parameters, checked before anything is done."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import InternalServerException

from service.api.callers.tokens import Tokens
from service.api.context import AppContext
from service.domain.game import Rejected, Seat
from service.domain.room.model.ids import Epoch, RoomName, Version
from service.domain.room.names import names
from service.domain.room.subjects.privacy import OPERATOR
from service.domain.validation import Unfit, fit, unfit
from service.rooms.errors import ServiceError
from service.rooms.requests import Player

T = TypeVar("T")
HttpRequest = Request[Any, Any, State]
Headers = Mapping[bytes, bytes]

JSON = b"application/json"
MAX_KEY_LENGTH = 128
WEIGHT = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")
"""How much a media type is liked."""
MAX_VERSION = 2**53
"""No version goes beyond what every JSON reader holds exactly."""

SeatParameter = Annotated[Seat, msgspec.Meta(ge=0, le=15)]
VersionParameter = Annotated[Version, msgspec.Meta(ge=1, le=MAX_VERSION)]
CursorVersion = Annotated[Version, msgspec.Meta(ge=0, le=MAX_VERSION)]


def context_of(request: HttpRequest) -> AppContext:
    """Return the house that serves this request."""
    context: AppContext = request.app.state.context
    return context


def headers_of(request: HttpRequest) -> Headers:
    """Return the headers by lower-case name; the last of equal names counts."""
    return dict(request.scope["headers"])


def identify(tokens: Tokens, headers: Headers) -> Player | None:
    """Return who asks, None for a stranger. Refuses `unauthenticated` for a token that is none of ours.

    With the operators' token it is `OPERATOR`, who only reads.
    """
    header = headers.get(b"authorization")
    return None if header is None else tokens.bearer(header)


def identify_player(tokens: Tokens, headers: Headers) -> Player:
    """Return the player who asks. Refuses `unauthenticated` for a stranger and for the operator."""
    return require_player(identify(tokens, headers))


def require_player(asking: Player | None) -> Player:
    """Return who asks for more than to read. Refuses `unauthenticated` for a stranger and for the operator."""
    if asking is None:
        raise ServiceError("unauthenticated")
    if asking.id == OPERATOR:
        raise ServiceError(
            "unauthenticated", "The operators' token only reads here: POST /v1/players gives a player's."
        )
    return asking


async def read_json(request: HttpRequest, headers: Headers, decoder: "msgspec.json.Decoder[T]") -> T:
    """Read a JSON body. Refuses `unsupported_media_type`, `malformed`; raises `Unfit`."""
    check_content_type(headers)
    return parse_json(await read_body(request), decoder)


async def read_body(request: HttpRequest) -> bytes:
    """Return the bytes of a body. Refuses `malformed` where the caller hung up in the middle."""
    try:
        return await request.body()
    except InternalServerException:  # so Litestar calls it, though nothing is wrong in here
        raise ServiceError("malformed", "The body has not come to its end.") from None


def check_content_type(headers: Headers) -> None:
    """Refuse `unsupported_media_type` for a body that is not announced as JSON."""
    announced = headers.get(b"content-type", b"")
    if announced != JSON and announced.split(b";")[0].strip().lower() != JSON:
        raise ServiceError("unsupported_media_type")


def parse_json(data: bytes | str, decoder: "msgspec.json.Decoder[T]") -> T:
    """Decode JSON. Refuses `malformed` for what is no JSON at all; raises `Unfit` for what doesn't fit."""
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as misfit:
        check_syntax(data)
        raise unfit(misfit) from None
    except (ValueError, RecursionError) as fault:
        raise ServiceError("malformed", str(fault)) from None


def check_syntax(data: bytes | str) -> None:
    """Refuse `malformed` for what is no JSON, which counts before what doesn't fit."""
    try:
        msgspec.json.decode(data)
    except (ValueError, RecursionError) as fault:
        raise ServiceError("malformed", str(fault)) from None


def query_parameter(request: HttpRequest, name: str, kind: Any) -> Any:
    """Return a query parameter as a `kind`, None where it is absent. Raises `Unfit` with the pointer `?name`."""
    text = request.query_params.get(name)
    if text is None:
        return None
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(MAX_VERSION)) else text
    return fit(number, kind, at=f"?{name}")


def query_text(request: HttpRequest, name: str) -> str | None:
    """Return a query parameter as it was written."""
    text: str | None = request.query_params.get(name)
    return text


def query_flag(request: HttpRequest, name: str) -> bool:
    """Return a query parameter that is true or false."""
    text = request.query_params.get(name, "false")
    if text not in {"true", "false"}:
        raise Unfit("Expected `true` or `false`", f"?{name}")
    return bool(text == "true")


def room_name(path: str) -> RoomName:
    """Fold a room's name from an address. Refuses `no_such_room` for what no room can be called."""
    try:
        return names.room_name(path)
    except Rejected:
        raise ServiceError("no_such_room") from None


def idempotency_key(headers: Headers) -> str | None:
    """Return the key of the command. Raises `Unfit` for an empty or too long one."""
    header = headers.get(b"idempotency-key")
    if header is None:
        return None
    if not 1 <= len(header) <= MAX_KEY_LENGTH:
        raise Unfit(f"Expected 1 to {MAX_KEY_LENGTH} characters", "Idempotency-Key")
    return header.decode("latin-1")


def if_match(headers: Headers) -> tuple[Epoch | None, Version | None]:
    """Return the epoch and version that the caller insists on; an unreadable tag names a version that never is."""
    header = headers.get(b"if-match")
    if header is None or header.strip() == b"*":
        return None, None
    tag = header.decode("latin-1").strip().removeprefix("W/").strip('"')
    epoch, _, version = tag.rpartition(".")
    if not version.isascii() or not version.isdigit() or len(version) > len(str(MAX_VERSION)):
        return None, Version(-1)
    return Epoch(epoch) or None, Version(int(version))


def has_etag(headers: Headers, tag: str) -> bool:
    """Tell whether a caller has what a room's tag names.

    The tag names a state, not whose view of it: a program knows whose it has. The cache of a browser, which asks by
    itself, doesn't, and would show one player what it kept for another: whoever names a language gets the whole answer.
    Node's `fetch`, which keeps nothing, names `*`.
    """
    return headers.get(b"accept-language", b"*") == b"*" and tag in headers.get(b"if-none-match", b"").decode("latin-1")


def negotiate(headers: Headers, *media_types: str) -> str:
    """Return which of our media types the caller likes best, our first of equals. Refuses `not_acceptable`."""
    header = headers.get(b"accept", b"").decode("latin-1").lower().strip() or "*/*"
    ranges = dict(parse_media_range(part) for part in header.split(","))
    liked = {ours: preference(ranges, ours) for ours in media_types}
    best = max(liked, key=lambda ours: liked[ours])
    if liked[best][0] == 0:
        raise ServiceError("not_acceptable", params={"served": list(media_types)})
    return best


def preference(ranges: Mapping[str, float], media_type: str) -> tuple[float, int]:
    """Return the weight that a caller gives a media type, and how exactly it was named (RFC 9110, 12.5.1)."""
    for exactness, named in ((2, media_type), (1, media_type.split("/", maxsplit=1)[0] + "/*"), (0, "*/*")):
        if named in ranges:
            return ranges[named], exactness
    return 0, 0


def parse_media_range(part: str) -> tuple[str, float]:
    """Return a part of `Accept` with its weight; one that can't be read counts as 1."""
    named, *parameters = (piece.strip() for piece in part.split(";"))
    weights = [WEIGHT.fullmatch(parameter) for parameter in parameters]
    return named, next((float(weight[1]) for weight in weights if weight), 1.0)

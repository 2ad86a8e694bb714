"""Headers, bodies and parameters of requests, validated before they are used."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from litestar.exceptions import InternalServerException

from service.api.http.parameters import MAX_KEY_LENGTH, HttpRequest, RouteDocs
from service.domain.game import Rejected
from service.domain.ids import Epoch, RoomName, Version
from service.domain.room.model import names
from service.domain.streams import IdempotencyKey
from service.domain.validation import MAX_INTEGER, Invalid, as_invalid
from service.rooms.commands.requests import with_fingerprint
from service.streams.errors import ServiceError

T = TypeVar("T")
Headers = Mapping[bytes, bytes]
IsKnown = Callable[[Any, bytes | str], bool]

MAX_BODY_BYTES = 64 * 1024
"""The largest body of a request."""

JSON = b"application/json"
ONLY_EXPECTED = re.compile(r"Expected `\w+`")
TYPE_NAMES = {
    type(None): "null",
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    list: "array",
    dict: "object",
}
"""The types of JSON, as msgspec names them."""
ENCODER = msgspec.json.Encoder()
ANY = msgspec.json.Decoder()
SHAPES = bytes.maketrans(b"123456789E", b"000000000e")
"""Makes all digits zeros, so that large numbers can be found quickly."""
LARGE = re.compile(rb"[0-9](?:(?<=[\[:,\s][0-9])|(?<=[\[:,\s]-[0-9]))(?:[0-9.]{15}|[0-9.]*[eE])")
"""Finds them behind what is before a value; a text with a comma or a colon in it may look like one."""
WEIGHT = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")
"""The weight of a media type."""


def headers_of(request: HttpRequest) -> Headers:
    """Return the headers by lower-case name; the last one of the same name counts."""
    return dict(request.scope["headers"])


async def read_json(request: HttpRequest, headers: Headers, decoder: "msgspec.json.Decoder[T]") -> T:
    """Read a JSON body. Raises `ServiceError` with `unsupported_media_type` or `malformed`, or `Invalid`."""
    check_content_type(headers)
    return parse_json(await read_body(request), decoder)


async def read_body(request: HttpRequest) -> bytes:
    """Return the bytes of a body. Raises `ServiceError` with `malformed` if the client disconnected meanwhile."""
    try:
        return await request.body()
    except InternalServerException:  # which is what Litestar raises for a disconnected client
        raise ServiceError("malformed", "The body is incomplete.") from None


def check_content_type(headers: Headers) -> None:
    """Raise `ServiceError` with `unsupported_media_type` unless `Content-Type` is JSON."""
    announced = headers.get(b"content-type", b"")
    if announced != JSON and announced.split(b";")[0].strip().lower() != JSON:
        raise ServiceError("unsupported_media_type")


def parse_json(data: bytes | str, decoder: "msgspec.json.Decoder[T]", is_known: IsKnown | None = None) -> T:
    """Decode JSON. Raises `ServiceError` with `malformed` for invalid JSON, `Invalid` for a value of another type.

    A part of what was checked needs no `check_json`, nor does what `is_known`.
    """
    try:
        found = decoder.decode(data)
        if not (isinstance(data, msgspec.Raw) or (is_known is not None and is_known(found, data))):
            check_json(data)
    except msgspec.ValidationError as misfit:
        try:
            check_json(data)  # invalid JSON takes precedence over a mismatched schema
        except (ValueError, RecursionError) as fault:
            raise malformed(fault) from None
        raise with_sent_type(as_invalid(misfit), data) from None
    except (ValueError, RecursionError) as fault:
        raise malformed(fault) from None
    return found


def malformed(fault: Exception) -> ServiceError:
    """Return the refusal of invalid JSON, without the place in it as msgspec writes it."""
    too_deep = isinstance(fault, RecursionError)
    return ServiceError("malformed", "JSON is nested too deeply" if too_deep else str(fault).partition(" - at `$")[0])


def with_sent_type(invalid: Invalid, data: bytes | str) -> Invalid:
    """Return what is invalid in JSON with the type that was sent, which msgspec leaves out for the tag of a union."""
    if not ONLY_EXPECTED.fullmatch(invalid.detail):
        return invalid
    value = msgspec.json.decode(data)
    for step in invalid.pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return Invalid(f"{invalid.detail}, got `{TYPE_NAMES[type(value)]}`", invalid.pointer)


def check_json(data: bytes | str) -> None:
    """Raise `ValueError` for invalid JSON, two equal names in an object, and a number beyond `MAX_INTEGER`.

    Decoding leaves out all but the last of equal names, and with them their colons. So JSON that is its decoded form
    has no equal names, nor has one with as many colons, unless it has escapes; any other is read by a slower parser.
    """
    text = data.encode() if isinstance(data, str) else bytes(data)
    plain = ENCODER.encode(ANY.decode(text))
    shape = text.translate(SHAPES).decode("latin-1")  # searching in bytes takes several times as long
    is_large = "0000000000000000" in shape or "0e" in shape  # 16 digits, or an exponent
    is_distinct = plain == text or (b"\\" not in text and text.count(b":") == plain.count(b":"))
    if not is_distinct or (is_large and LARGE.search(b" " + text)):
        json.loads(text, object_pairs_hook=with_distinct_names, parse_int=in_range, parse_float=in_range)


def with_distinct_names(pairs: list[tuple[str, Any]]) -> None:
    """Raise `ValueError` for two equal names in an object."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("Object has the same name more than once")


def in_range(number: str) -> None:
    """Raise `ValueError` for a number beyond `MAX_INTEGER`."""
    if abs(float(number)) > MAX_INTEGER:
        raise ValueError("Number out of range: beyond 2^53 - 1")


def check_query(request: HttpRequest) -> None:
    """Raise `Invalid` for a query parameter of the API that the route does not have, or that is given twice."""
    if not request.scope["query_string"] or not request.scope["path"].startswith("/v1/"):
        return
    docs: RouteDocs | None = request.route_handler.opt.get("docs")
    known = [parameter.name for parameter in docs.parameters if parameter.where == "query"] if docs else []
    for name, values in request.query_params.dict().items():
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else "none"
            raise Invalid(f"Unknown parameter; expected {expected}", parameter=name)
        if len(values) > 1:
            raise Invalid("The parameter is given more than once", parameter=name)


def room_name(path: str) -> RoomName:
    """Return the normalised room name from a path. Raises `ServiceError` with `no_such_room` for an invalid name."""
    try:
        return names.room_name(path)
    except Rejected:
        raise ServiceError("no_such_room") from None


def idempotency_key(headers: Headers, body: object) -> IdempotencyKey | None:
    """Return the idempotency key of a request with this decoded body. Raises `Invalid` for an empty or too long one."""
    header = headers.get(b"idempotency-key")
    if header is None:
        return None
    if not 1 <= len(header) <= MAX_KEY_LENGTH:
        raise Invalid(f"Expected 1 to {MAX_KEY_LENGTH} characters", parameter="Idempotency-Key")
    return with_fingerprint(header.decode("latin-1"), body)


def refuse_key(headers: Headers) -> None:
    """Raise `ServiceError` with `key_not_supported` for a key if the answer has a new token.

    A client that repeats the request without a token could be given that of another player.
    """
    if b"idempotency-key" in headers:
        raise ServiceError("key_not_supported")


def wants_minimal(headers: Headers) -> bool:
    """Return whether the client prefers an answer without the view: `Prefer: return=minimal` (RFC 7240)."""
    header = headers.get(b"prefer")
    if header is None:
        return False
    preferences = header.decode("latin-1").split(",")
    return "return=minimal" in ["".join(each.partition(";")[0].split()).lower() for each in preferences]


def if_match(headers: Headers) -> tuple[Epoch | None, Version | None]:
    """Return the required epoch and version, None for any; an unreadable tag gives a version that never matches."""
    header = headers.get(b"if-match")
    if header is None or header.strip() == b"*":
        return None, None
    tag = header.decode("latin-1").strip().removeprefix("W/").strip('"')
    epoch, _, version = tag.rpartition(".")
    if not version.isascii() or not version.isdigit() or len(version) > len(str(MAX_INTEGER)):
        return None, Version(-1)
    return Epoch(epoch) or None, Version(int(version))


def has_etag(headers: Headers, tag: str) -> bool:
    """Return whether `If-None-Match` names a room's tag, and the client can be answered with 304.

    The tag names a state, not whose view of it. A program knows whose view it has, but a browser's cache does not and
    could show one player the view of another. A browser sends a real `Accept-Language` and gets the whole answer;
    Node's `fetch`, which has no cache, sends `*`.
    """
    return headers.get(b"accept-language", b"*") == b"*" and names_tag(headers, tag)


def names_tag(headers: Headers, tag: str) -> bool:
    """Return whether `If-None-Match` names a tag, weak or not, or any with `*`."""
    header = headers.get(b"if-none-match", b"").decode("latin-1").strip()
    named = [each.strip().removeprefix("W/") for each in header.split(",")]
    return header == "*" or tag.removeprefix("W/") in named


def negotiate(headers: Headers, *media_types: str) -> str:
    """Return the media type that the client prefers, the first of equals. Raises `ServiceError` (`not_acceptable`)."""
    header = headers.get(b"accept", b"").decode("latin-1").lower().strip() or "*/*"
    ranges = dict(parse_media_range(part) for part in header.split(","))
    liked = {ours: preference(ranges, ours) for ours in media_types}
    best = max(liked, key=lambda ours: liked[ours])
    if liked[best][0] == 0:
        raise ServiceError("not_acceptable", params={"served": list(media_types)})
    return best


def preference(ranges: Mapping[str, float], media_type: str) -> tuple[float, int]:
    """Return the weight of a media type in `Accept`, and how specifically it was named (RFC 9110, 12.5.1)."""
    for exactness, named in ((2, media_type), (1, media_type.split("/", maxsplit=1)[0] + "/*"), (0, "*/*")):
        if named in ranges:
            return ranges[named], exactness
    return 0, 0


def accepts_gzip(headers: Headers) -> bool:
    """Return whether a client accepts gzip by `Accept-Encoding`."""
    accepted = headers.get(b"accept-encoding", b"").decode("latin-1").lower()
    return "gzip" in accepted and dict(map(parse_media_range, accepted.split(","))).get("gzip", 0) > 0


def parse_media_range(part: str) -> tuple[str, float]:
    """Return a part of `Accept` with its weight; an unreadable weight counts as 1."""
    named, *parameters = (piece.strip() for piece in part.split(";"))
    weights = [WEIGHT.fullmatch(parameter) for parameter in parameters]
    return named, next((float(weight[1]) for weight in weights if weight), 1.0)

"""Documentation of routes, stated beside each handler: `opt=document_route(...)` or `opt=document_feed(...)`."""

from typing import Annotated, Any, Literal

import msgspec

from service.api.http.parameters import Parameter
from service.domain.translation import LANGUAGES

STORE_CODES: tuple[str, ...] = ("store_unavailable", "history_damaged")
"""The refusals of a route that uses the store; the document adds `store_full` to those that do not only read."""

ROOMS_CODES: tuple[str, ...] = (*STORE_CODES, "newer_events")
"""The refusals of a route that reads rooms."""

CHANGE_CODES: tuple[str, ...] = (*ROOMS_CODES, "busy", "outcome_unknown", "counter_damaged")
"""The refusals of a route that changes a player's data."""

ROOM_CODES: tuple[str, ...] = (*ROOMS_CODES, "no_such_room", "members_only")
"""The refusals of a route that reads the room in its path."""

NEGOTIATION_CODES: tuple[str, ...] = ("not_acceptable",)
"""The refusals of a route that negotiates the media type."""


UNCOMPRESSED = "uncompressed"
"""The `opt` of a route whose responses Litestar does not compress."""


MAX_KEY_LENGTH = 128

KEY: Parameter[str | None] = Parameter(
    "Idempotency-Key",
    Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_KEY_LENGTH)],
    f"1 to {MAX_KEY_LENGTH} characters. Repeating the request with the same key and body repeats the first answer: a "
    "room remembers at least the last 256 keys of a player, and chats remember keys for ten minutes.",
    "0d9bfa3e-6a0e-4d3a-9c0b-7f1f0c5d2a11",
    "header",
)
CONTENT_TAG: Parameter[str | None] = Parameter(
    "If-None-Match", str, "The ETag of the client's copy, or `*`.", 'W/"0a1b2c3d4e5f60718293"', "header"
)

LANGUAGE: Parameter[str | None] = Parameter(
    "Accept-Language",
    str,
    f"The languages that the reader prefers: {', '.join(LANGUAGES)}. English if none of them is available.",
    "de-AT, de;q=0.9, en;q=0.5",
    "header",
)


class RouteDocs(msgspec.Struct, frozen=True):
    """An HTTP route in the OpenAPI document: its parameters, bodies and refusal codes.

    The document adds the refusals of tokens, JSON bodies and parameters; `refusals` holds all others.
    """

    summary: str
    answers: dict[int, Any]
    """The type of the JSON body by status, None for no body."""
    refusals: tuple[str, ...] = ()
    body: Any = None
    parameters: tuple[Parameter[Any], ...] = ()
    caller: Literal["required", "optional", "none", "operator"] = "optional"
    """Whether a token is needed; with `none` it is ignored, with `operator` it is the operator token."""
    tag: str = "Rooms"
    also: tuple[tuple[str, str], ...] = ()
    """Further media types of the 200 response, each with a description."""
    line: Any = None
    """The type of a line in the response, for media types that have lines of JSON."""
    headers: tuple[str, ...] = ()
    """The headers of every successful response."""
    frames: Any = None
    """The frames of a feed that the response streams."""


class FeedDocs(msgspec.Struct, frozen=True):
    """A feed over WebSocket in the AsyncAPI document: the frames that it receives and sends."""

    summary: str
    takes: Any
    sends: Any


def document_route(
    summary: str,
    answers: dict[int, Any],
    *,
    cacheable: bool = False,
    translated: bool = False,
    compressed: bool = True,
    **more: Any,
) -> dict[str, Any]:
    """Return the `opt` of an HTTP route's handler.

    `cacheable`: the response is the same for everyone and has a tag. `translated`: the same for everyone with the same
    language; both are compressed once. `compressed`: others may be compressed for each request.
    """
    if cacheable or translated:
        compressed = False
        answers = {**answers, 304: None}
        headers, parameters = (("Content-Language",), (LANGUAGE,)) if translated else ((), ())
        tagged = {"headers": ("ETag", *headers), "parameters": (CONTENT_TAG, *parameters)}
        more = {"caller": "none", **more, **tagged}
    return {"docs": RouteDocs(summary, answers, **more), UNCOMPRESSED: not compressed}


def document_feed(summary: str, takes: Any, sends: Any) -> dict[str, Any]:
    """Return the `opt` of a WebSocket route's handler."""
    return {"feed_docs": FeedDocs(summary, takes, sends)}

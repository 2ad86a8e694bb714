"""The parameters and the documentation of routes, stated once beside each handler.

The document shows a parameter's declaration, and the handler reads by it. `opt=document_route(...)` or
`opt=document_feed(...)` has what the types of a handler do not say.
"""

from collections.abc import Callable
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import State

from service.domain.catalog import GAMES, game_named
from service.domain.game import Seat
from service.domain.ids import Version
from service.domain.presentation import LANGUAGES
from service.domain.validation import MAX_INTEGER, Invalid, convert

T = TypeVar("T")
HttpRequest = Request[Any, Any, State]

AnySeat = Annotated[Seat, msgspec.Meta(ge=0, le=15)]
AnyVersion = Annotated[Version, msgspec.Meta(ge=1, le=MAX_INTEGER)]
CursorVersion = Annotated[Version, msgspec.Meta(ge=0, le=MAX_INTEGER)]
PageSize = Annotated[int, msgspec.Meta(ge=1, le=1000)]
"""The size of a page of events or rooms."""


class Parameter(msgspec.Struct, Generic[T], frozen=True):
    """A query parameter or header of a route, whose values are a `T`."""

    name: str
    kind: Any
    """The type as which a query parameter is parsed."""
    about: str
    example: Any
    """A valid value, in the form of real ones."""
    where: str = "query"
    default: Any = None
    """The value if the parameter is absent."""
    read: Callable[[str], Any] | None = None
    """Parses what a type alone cannot express. Raises `Invalid`."""

    def of(self, request: HttpRequest) -> T:
        """Return the value in the query of a request. Raises `Invalid`."""
        text = request.query_params.get(self.name)
        found: T = self.default if text is None else self._parse(text)
        return found

    def _parse(self, text: str) -> Any:
        if self.read is not None:
            return self.read(text)
        if self.kind is str:
            return text
        if self.kind is bool:
            if text not in {"true", "false"}:
                raise Invalid("Expected `true` or `false`, got another text", parameter=self.name)
            return text == "true"
        return parse_number(text, self.kind, self.name)


def parse_number(text: str, kind: Any, name: str) -> Any:
    """Return a parameter as a `kind`, a number if it has the form of one. Raises `Invalid`."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_INTEGER))
    return convert_parameter(int(text) if is_number else text, kind, name)


def convert_parameter(value: object, kind: Any, name: str) -> Any:
    """Return the value of a parameter as a `kind`. Raises `Invalid`."""
    try:
        return convert(value, kind)
    except Invalid as misfit:
        raise Invalid(misfit.detail, parameter=name) from None


def page_size(what: str, default: int, kind: Any = PageSize, example: int = 20) -> Parameter[int]:
    """Return the parameter `limit`: how many of something are on a page."""
    return Parameter("limit", kind, f"{what} per page, {default} by default.", example, default=default)


def flag(name: str, about: str) -> Parameter[bool]:
    """Return a parameter that is false by default."""
    return Parameter(name, bool, about, example=True, default=False)


def only_game(what: str, example: str = next(iter(GAMES))) -> Parameter[str | None]:
    """Return the parameter `game`, the slug of a game in the catalogue."""
    read: Callable[[str], str] = lambda slug: game_named(slug, parameter="game").slug  # noqa: E731 - used once
    return Parameter("game", str, f"Only {what}.", example, read=read)


CURSOR: Parameter[Version | None] = Parameter("cursor", CursorVersion, "The `next` of the previous page.", 50)
SINCE: Parameter[Version | None] = Parameter("since", CursorVersion, "The last version that the client has.", 12)
MARK: Parameter[str | None] = Parameter("mark", str, "The mark of that version.", "seCZu9E6a-nNZxAh")
SEAT: Parameter[Seat | None] = Parameter(
    "seat", AnySeat, "The seat whose view to read, if the caller holds several.", 0
)
AT: Parameter[Version | None] = Parameter("at", AnyVersion, "The version to read; the current one by default.", 12)


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

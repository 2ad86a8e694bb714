"""The parameters of routes, each declared once: the document shows the declaration, and the handler reads by it."""

from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import State

from service.domain.catalog import GAMES, game_named
from service.domain.game import Seat
from service.domain.ids import Version
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
            return parse_flag(text, self.name)
        return parse_number(text, self.kind, self.name)


def parse_flag(text: str, name: str) -> bool:
    """Return a boolean parameter. Raises `Invalid`."""
    if text not in {"true", "false"}:
        raise Invalid("Expected `true` or `false`, got another text", parameter=name)
    return text == "true"


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

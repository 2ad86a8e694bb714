"""Pages of the lists of tournaments, standings and tables."""

from collections.abc import Sequence
from typing import TypeVar

from service.api.http.requests import CursorVersion, HttpRequest, PageSize, query_parameter
from service.api.http.route_docs import ROOMS_CODES, Parameter

Item = TypeVar("Item")

PER_PAGE = 50
TOURNAMENT_CODES = (*ROOMS_CODES, "no_such_tournament")
"""The refusals of a route that reads the tournament in its path."""

PAGE = (
    Parameter("cursor", CursorVersion, "The `next` of the previous page.", 50),
    Parameter("limit", PageSize, f"Entries per page, {PER_PAGE} by default.", 20),
)


def page_of(request: HttpRequest, total: int, around: int | None = None) -> tuple[int, int, int | None]:
    """Return where the requested page (or that `around` a place) begins, its length, and where the next page begins."""
    limit: int = query_parameter(request, "limit", PageSize) or PER_PAGE
    start: int = query_parameter(request, "cursor", CursorVersion) or 0
    if around is not None:
        start = max(0, around - limit // 2)
    return start, limit, start + limit if start + limit < total else None


def latest_of(request: HttpRequest, found: Sequence[tuple[int, Item]]) -> tuple[list[Item], int | None]:
    """Return the requested page of numbered items, of which the latest comes first, and the cursor of the next page.

    The cursor is the number of the last item on the page, so that an item that is added repeats none.
    """
    limit: int = query_parameter(request, "limit", PageSize) or PER_PAGE
    before: int | None = query_parameter(request, "cursor", CursorVersion)
    left = [(number, item) for number, item in found if before is None or number < before]
    shown = left[:limit]
    return [item for _, item in shown], shown[-1][0] if len(left) > limit else None

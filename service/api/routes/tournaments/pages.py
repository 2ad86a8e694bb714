"""Pages of the lists of tournaments, standings and tables."""

from collections.abc import Sequence
from typing import TypeVar

from service.api.http.parameters import CURSOR, HttpRequest, page_size
from service.api.http.route_docs import ROOMS_CODES

Item = TypeVar("Item")

TOURNAMENT_CODES = (*ROOMS_CODES, "no_such_tournament")
"""The refusals of a route that reads the tournament in its path."""

ENTRIES_PER_PAGE = page_size("Entries", 50)
PAGE = (CURSOR, ENTRIES_PER_PAGE)


def page_of(request: HttpRequest, total: int, around: int | None = None) -> tuple[int, int, int | None]:
    """Return where the requested page begins, its length, and where the next page begins.

    `around`: a place, from 1, in the middle of the page.
    """
    limit = ENTRIES_PER_PAGE.of(request)
    start: int = CURSOR.of(request) or 0
    if around is not None:
        start = max(0, around - 1 - limit // 2)
    return start, limit, start + limit if start + limit < total else None


def latest_of(request: HttpRequest, found: Sequence[tuple[int, Item]]) -> tuple[list[Item], int | None]:
    """Return the requested page of numbered items, of which the latest comes first, and the cursor of the next page.

    The cursor is the number of the last item on the page, so that an item that is added repeats none.
    """
    limit, before = ENTRIES_PER_PAGE.of(request), CURSOR.of(request)
    left = [(number, item) for number, item in found if before is None or number < before]
    shown = left[:limit]
    return [item for _, item in shown], shown[-1][0] if len(left) > limit else None

"""Ratings: leaderboards, players' ratings, how matches were rated, and the data from which all of this is computed."""

from collections.abc import AsyncIterator
from urllib.parse import quote

from turnstream_client.requests import Requests
from turnstream_client.schema import (
    Leaderboard,
    MatchRatings,
    PlayerRatings,
    RatingEntries,
    RatingEntry,
    RatingLists,
)

PAGE = 1000
"""How many entries are read at a time."""


class Ratings:
    """`client.ratings`. Every method raises `RefusedError` and `UnreachableError`."""

    def __init__(self, requests: Requests) -> None:
        """Send requests as this player; `Client` does this."""
        self._requests = requests

    async def lists(self) -> RatingLists:
        """Return the rating lists of all games and classes, with the first place of each."""
        found: RatingLists = await self._requests.get("/v1/ratings", RatingLists)
        return found

    async def leaderboard(
        self,
        game: str,
        rating_class: str,
        *,
        cursor: int | None = None,
        around: str | None = None,
        limit: int | None = None,
    ) -> Leaderboard:
        """Return a page of a leaderboard, the best first; `next` is the `cursor` of the following page.

        `around` is the id of a player, for the page with their `place`.
        """
        values = {"cursor": cursor, "around": around, "limit": limit}
        query = {name: str(value) for name, value in values.items() if value is not None}
        page: Leaderboard = await self._requests.get(list_path(game, rating_class), Leaderboard, query)
        return page

    async def of_player(self, player: str) -> PlayerRatings:
        """Return a player's ratings in all games and classes."""
        found: PlayerRatings = await self._requests.get(f"/v1/players/{quote(player, safe='')}/ratings", PlayerRatings)
        return found

    async def of_match(self, match: str) -> MatchRatings:
        """Return how a match was rated. Its `rating_class` is None if it was not, or not yet."""
        found: MatchRatings = await self._requests.get(f"/v1/matches/{quote(match, safe='')}/ratings", MatchRatings)
        return found

    async def entries(self, game: str, rating_class: str, since: int = 0) -> AsyncIterator[RatingEntry]:
        """Yield everything from which the ratings of a list are computed, in order, or the entries after a version."""
        after: int | None = since
        while after is not None:
            query = {"since": str(after), "limit": str(PAGE)}
            path = f"{list_path(game, rating_class)}/entries"
            page: RatingEntries = await self._requests.get(path, RatingEntries, query)
            for entry in page.entries:
                yield entry
            after = page.next


def list_path(game: str, rating_class: str) -> str:
    """Return the path of a rating list."""
    return f"/v1/ratings/{quote(game, safe='')}/{quote(rating_class, safe='')}"

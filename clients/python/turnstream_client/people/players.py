"""Players: profiles, matches, results, and the history of ratings."""

from collections.abc import AsyncIterator
from urllib.parse import quote

import msgspec

from turnstream_client.requests import Requests
from turnstream_client.schema import (
    HeadToHead,
    NotableMatches,
    PlayerMatch,
    PlayerMatches,
    PlayerProfile,
    ProfileSettings,
    RatingHistory,
)

PART = 1000
"""How many matches are read at a time."""


class WantedMatches(msgspec.Struct, frozen=True, kw_only=True):
    """The matches of a player to select; None is any."""

    game: str | None = None
    rated: bool | None = None
    opponent: str | None = None
    since: str | None = None
    """The `cursor` of a match, or a time such as `2026-01-01T00:00:00Z`: only matches after it."""


ANY = WantedMatches()


class Players:
    """`client.players`. Every method raises `RefusedError` and `UnreachableError`."""

    def __init__(self, requests: Requests) -> None:
        """Send requests as this player; `Client` does this."""
        self._requests = requests

    async def profile(self, player: str) -> PlayerProfile:
        """Return name, ratings, results by game, and the latest matches."""
        found: PlayerProfile = await self._requests.get(path_of(player), PlayerProfile)
        return found

    async def matches(
        self, player: str, wanted: WantedMatches = ANY, *, cursor: str | None = None, limit: int | None = None
    ) -> PlayerMatches:
        """Return a page of the player's matches, the latest first; `next` is the `cursor` of the following page."""
        query = query_of(wanted, cursor=cursor, limit=limit)
        page: PlayerMatches = await self._requests.get(f"{path_of(player)}/matches", PlayerMatches, query)
        return page

    async def all_matches(self, player: str, wanted: WantedMatches = ANY) -> AsyncIterator[PlayerMatch]:
        """Yield all matches of the player, the oldest first. A lost connection is resumed after the last one."""
        while True:
            path, query = f"{path_of(player)}/matches", query_of(wanted, limit=PART)
            part: list[PlayerMatch] = await self._requests.get_lines(path, PlayerMatch, query)
            for match in part:
                yield match
            if not part:
                return
            wanted = msgspec.structs.replace(wanted, since=part[-1].cursor)

    async def against(self, player: str, other: str) -> HeadToHead:
        """Return the results of a player against another player, by game."""
        found: HeadToHead = await self._requests.get(f"{path_of(player)}/against/{quote(other, safe='')}", HeadToHead)
        return found

    async def rating_history(self, player: str, game: str, rating_class: str) -> RatingHistory:
        """Return the history of a player's rating, for a chart."""
        path = f"{path_of(player)}/ratings/{quote(game, safe='')}/{quote(rating_class, safe='')}"
        found: RatingHistory = await self._requests.get(path, RatingHistory)
        return found

    async def notable_matches(self, game: str | None = None, limit: int = 1) -> NotableMatches:
        """Return matches that stand out: comebacks, shortest wins and longest matches of the day, week and all time."""
        query = {"limit": str(limit)} if game is None else {"limit": str(limit), "game": game}
        found: NotableMatches = await self._requests.get("/v1/matches/notable", NotableMatches, query)
        return found

    async def hide(self, *, hidden: bool) -> ProfileSettings:
        """Hide the player's profile from others, or show it again."""
        body = ProfileSettings(hidden)
        found: ProfileSettings = await self._requests.put("/v1/players/me/profile", body, ProfileSettings)
        return found


def path_of(player: str) -> str:
    """Return the path of a profile."""
    return f"/v1/players/{quote(player, safe='')}"


def query_of(wanted: WantedMatches, cursor: str | None = None, limit: int | None = None) -> dict[str, str]:
    """Return the selection as the query of a request."""
    values = {**msgspec.structs.asdict(wanted), "cursor": cursor, "limit": limit}
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in values.items()}
    return {name: str(text) for name, text in texts.items() if text is not None}

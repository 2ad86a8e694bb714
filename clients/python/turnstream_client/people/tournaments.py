"""Tournaments: creating them, taking part, and reading them."""

from urllib.parse import quote

from turnstream_client.requests import Requests
from turnstream_client.schema import (
    NewTournament,
    PairedTable,
    StandingsPage,
    StandingView,
    TablesPage,
    TournamentAnswer,
    TournamentList,
)


class Tournaments:
    """`client.tournaments`. Every method raises `RefusedError` and `UnreachableError`.

    The own feed names the room of a match: `TournamentMatchEvent`. `client.follow_tournament` has live standings.
    """

    def __init__(self, requests: Requests) -> None:
        """Send requests as this player; `Client` does this."""
        self._requests = requests

    async def make(self, tournament: NewTournament) -> TournamentAnswer:
        """Create a tournament; a player can have two open ones."""
        made: TournamentAnswer = await self._requests.post("/v1/tournaments", tournament, TournamentAnswer)
        return made

    async def list(
        self,
        *,
        status: str | None = None,
        game: str | None = None,
        organiser: str | None = None,
        player: str | None = None,
        cursor: int | None = None,
        limit: int | None = None,
    ) -> TournamentList:
        """Return a page of tournaments, the latest created one first; `next` is the `cursor` of the following page.

        `organiser` is the id of the player who created them, and `player` that of one who takes part in open ones.
        """
        query = text_of(status=status, game=game, organiser=organiser, player=player, cursor=cursor, limit=limit)
        page: TournamentList = await self._requests.get("/v1/tournaments", TournamentList, query)
        return page

    async def read(self, tournament: str) -> TournamentAnswer:
        """Return a tournament, and this player's part in it."""
        found: TournamentAnswer = await self._requests.get(path_of(tournament), TournamentAnswer)
        return found

    async def standings(
        self, tournament: str, *, cursor: int | None = None, around: str | None = None, limit: int | None = None
    ) -> StandingsPage:
        """Return a page of the standings, the best first; `around` is the id of a player, for the page with them."""
        query = text_of(cursor=cursor, around=around, limit=limit)
        page: StandingsPage = await self._requests.get(f"{path_of(tournament)}/standings", StandingsPage, query)
        return page

    async def tables(
        self,
        tournament: str,
        *,
        round_number: int | None = None,
        player: str | None = None,
        cursor: int | None = None,
        limit: int | None = None,
    ) -> TablesPage:
        """Return a page of the matches, the latest first: all, or those of a round or of a player."""
        query = text_of(round=round_number, player=player, cursor=cursor, limit=limit)
        page: TablesPage = await self._requests.get(f"{path_of(tournament)}/tables", TablesPage, query)
        return page

    async def all_standings(self, tournament: str) -> tuple[StandingView, ...]:
        """Return all standings, the best first."""
        return tuple(await self._requests.get_lines(f"{path_of(tournament)}/standings", StandingView))

    async def all_tables(
        self, tournament: str, *, round_number: int | None = None, player: str | None = None
    ) -> tuple[PairedTable, ...]:
        """Return all matches, or those of a round or of a player, the earliest first."""
        query = text_of(round=round_number, player=player)
        return tuple(await self._requests.get_lines(f"{path_of(tournament)}/tables", PairedTable, query))

    async def register(self, tournament: str) -> TournamentAnswer:
        """Take part, or come back after leaving."""
        return await self._command(tournament, "register")

    async def withdraw(self, tournament: str) -> TournamentAnswer:
        """Get no further match; a running match continues."""
        return await self._command(tournament, "withdraw")

    async def check_in(self, tournament: str) -> TournamentAnswer:
        """Check this player in, in the time before the start that the tournament sets."""
        return await self._command(tournament, "check_in")

    async def begin(self, tournament: str) -> TournamentAnswer:
        """Begin a tournament of this player before its time."""
        return await self._command(tournament, "begin")

    async def remove(self, tournament: str, player: str) -> TournamentAnswer:
        """Remove a player permanently from a tournament of this player."""
        return await self._command(tournament, "remove", player=player)

    async def cancel(self, tournament: str) -> TournamentAnswer:
        """Cancel a tournament of this player; running matches continue."""
        return await self._command(tournament, "cancel")

    async def _command(self, tournament: str, kind: str, **more: str) -> TournamentAnswer:
        command = {"type": kind, **more}
        answer: TournamentAnswer = await self._requests.post(
            f"{path_of(tournament)}/commands", command, TournamentAnswer
        )
        return answer


def path_of(tournament: str) -> str:
    """Return the path of a tournament."""
    return f"/v1/tournaments/{quote(tournament, safe='')}"


def text_of(**values: str | int | None) -> dict[str, str]:
    """Return the parameters of a query that have a value."""
    return {name: str(value) for name, value in values.items() if value is not None}

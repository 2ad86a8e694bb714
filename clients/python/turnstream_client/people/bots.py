"""The list of bots that can be challenged."""

from turnstream_client.requests import Requests
from turnstream_client.schema import BotRegistration, ListedBot
from turnstream_client.schema import Bots as BotList


class Bots:
    """`client.bots`. Every method raises `RefusedError` and `UnreachableError`."""

    def __init__(self, requests: Requests) -> None:
        """Send requests as this player; `Client` does this."""
        self._requests = requests

    async def list(self, game: str | None = None) -> BotList:
        """Return the service's own bots, and those that others run; of all games or of one."""
        found: BotList = await self._requests.get("/v1/bots", BotList, None if game is None else {"game": game})
        return found

    async def register(self, registration: BotRegistration) -> ListedBot:
        """List the bot for a day, or for another one. This requires the token of a declared bot."""
        listed: ListedBot = await self._requests.put("/v1/bots/me", registration, ListedBot)
        return listed

    async def leave(self) -> None:
        """Leave the list."""
        await self._requests.delete("/v1/bots/me")

"""The services by which players find each other, in one process."""

from collections.abc import Callable

from service.people.matchmaking.blocks import Asking
from service.people.matchmaking.bot_list import BotListService
from service.people.matchmaking.challenges import ChallengeService
from service.people.matchmaking.held_seeks import HeldSeeks
from service.people.matchmaking.seeks import RatingOf, SeekService
from service.rooms.commands.requests import Environment
from service.rooms.service import RoomService
from service.store.contract import Store


class Matchmaking:
    """Seeks, challenges and the list of bots."""

    def __init__(
        self,
        store: Store,
        environment: Environment,
        rooms: RoomService,
        asking: Asking,
        rating_of: RatingOf,
        new_id: Callable[[], str],
    ) -> None:
        """Open rooms for players who agree; see `ChallengeService` and `SeekService`. `new_id` returns an unused id."""
        self.seeks = SeekService(store, environment, rooms, asking.block_lists, rating_of, new_id)
        self.held_seeks = HeldSeeks(self.seeks)
        self.bots = BotListService(store, environment.now)
        self.challenges = ChallengeService(store, environment, rooms, asking, new_id)

    async def close(self) -> None:
        """Finish all background work."""
        await self.held_seeks.close()
        await self.seeks.close()
        await self.challenges.close()
        await self.bots.close()

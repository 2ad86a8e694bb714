"""The services of players, built from the settings: accounts, own feeds, matchmaking, tournaments, and the like."""

import asyncio
from typing import NamedTuple

from service.accounts.service import AccountService
from service.derived_keys import derive_key, purpose_key
from service.environment import SystemEnvironment, new_process
from service.erasure.nicknames import NicknameEraser
from service.erasure.service import ErasureService, PlayerServices
from service.matchmaking.service import Matchmaking
from service.notable.service import NotableService
from service.player_matches.service import PlayerMatchService
from service.players.service import PlayerService
from service.ratings.service import RatingService
from service.rooms.access.audit_log import ModerationFollower
from service.rooms.access.moderation import Moderation
from service.rooms.service import RoomCore, RoomService
from service.settings import Settings
from service.store.stream_keys import NOTABLE, PLAYED, PLAYER, RATINGS
from service.streams.outboxes import Receiver
from service.tournaments.pairing.process import PairingProcess
from service.tournaments.service import TournamentService
from service.webhooks.operator import OperatorEvents
from service.webhooks_setup import webhooks_of


class People(NamedTuple):
    """What a process knows of players, and what makes it forget erased ones."""

    services: PlayerServices
    ratings: RatingService
    notable: NotableService
    pairing: PairingProcess
    moderation: ModerationFollower
    eraser: NicknameEraser
    erasure: ErasureService

    @property
    def receivers(self) -> dict[str, Receiver]:
        """What receives from outboxes, by kind of stream."""
        _, players, _, _, matches, tournaments = self.services
        own = {PLAYER: players.receive, RATINGS: self.ratings.receive, PLAYED: matches.receive}
        return {**own, NOTABLE: self.notable.receive, **tournaments.receivers}

    async def close(self) -> None:
        """Finish all background work."""
        accounts, players, matchmaking, webhooks, _, tournaments = self.services
        await asyncio.gather(*(accounts.close(), players.close(), matchmaking.close(), webhooks.close()))
        await asyncio.gather(tournaments.close(), self.pairing.close())
        await self.ratings.close()
        await self.eraser.close()


def people_of(
    settings: Settings,
    environment: SystemEnvironment,
    core: RoomCore,
    rooms: RoomService,
    accounts: AccountService,
    moderation: Moderation,
) -> People:
    """Return the services of the players of a store."""
    store = core.repository.store
    players = players_of(settings, core, rooms)
    ratings, asking = RatingService(store, environment.now), (players.can_be_asked, accounts)
    matchmaking = Matchmaking(store, environment, rooms, asking, ratings.points, new_process)
    webhooks = webhooks_of(settings, store, environment, players)
    matches = PlayerMatchService(store, rooms, accounts.is_erased)
    pairing = PairingProcess()
    tournaments = TournamentService(store, environment, rooms, ratings.points, pairing.pair, new_process)
    services = PlayerServices(accounts, players, matchmaking, webhooks, matches, tournaments)
    known, eraser = ModerationFollower(store, moderation), NicknameEraser(core.repository)
    moderation.on_erasure = eraser.erase
    notable = NotableService(store, rooms, environment.now)
    return People(services, ratings, notable, pairing, known, eraser, ErasureService(store, rooms, services, known))


def accounts_of(settings: Settings, core: RoomCore, environment: SystemEnvironment) -> AccountService:
    """Return the accounts of a store."""
    keys = [derive_key(key, "link codes") for key in settings.keys]
    return AccountService(core.repository.store, environment, new_process, keys)


def players_of(settings: Settings, core: RoomCore, rooms: RoomService) -> PlayerService:
    """Return the players' own feeds of a store."""
    store = core.repository.store
    return PlayerService(store, rooms.now, purpose_key(settings, "marks"), rooms, address=OperatorEvents(store).address)

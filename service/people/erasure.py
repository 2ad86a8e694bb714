"""The application's only entry to erasure: what players wrote and set up is deleted, their matches stay without names.

The account drives it. Its `account_erased` makes it due, so that a worker finishes what a process did not.
"""

from contextlib import suppress
from typing import NamedTuple

from service.contests.tournaments.service import TournamentService
from service.domain.game import Rejected
from service.domain.room.model.commands import Leave
from service.domain.room.model.ids import PlayerId
from service.people.accounts.service import AccountService
from service.people.erased_chats import erase_lines
from service.people.matchmaking.service import Matchmaking
from service.people.player_matches.service import PlayerMatchService
from service.people.players.service import PlayerService
from service.people.webhooks.service import WebhookService
from service.rooms.access.audit_log import AuditLog, ModerationFollower, PlayerErased
from service.rooms.commands.requests import CommandRequest
from service.rooms.player import Player
from service.rooms.service import RoomService
from service.store.contract import Store
from service.store.stream_keys import KindKey
from service.streams.errors import ServiceError

BY_PLAYER = "requested by the player"
"""The reason in the audit log."""


class PlayerServices(NamedTuple):
    """The services that store something about players."""

    accounts: AccountService
    players: PlayerService
    matchmaking: Matchmaking
    webhooks: WebhookService
    matches: PlayerMatchService
    tournaments: TournamentService


class ErasureService:
    """Erases players."""

    def __init__(
        self, store: Store, rooms: RoomService, services: PlayerServices, moderation: ModerationFollower
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._accounts, self._players, self._matchmaking, self._webhooks, self._matches, self._tournaments = services
        self._moderation = moderation

    async def erase(self, player: Player) -> None:
        """Erase a player: none of their tokens is accepted afterwards, and their nicknames are no longer shown.

        A worker deletes the rest within a minute. Raises `StoreUnavailable` and `OutcomeUnknown`; then it can be
        repeated, or continues automatically.
        """
        await self._leave_rooms(player)
        await self._accounts.erase(player.id)
        await self._delete(player.id)

    async def _leave_rooms(self, player: Player) -> None:
        for room in await self._rooms.rooms_of(player.id):
            live = await self._rooms.by_key(room.table.key)
            try:
                await self._rooms.execute(live, CommandRequest(Leave(), player))
            except ServiceError as refused:
                if refused.problem.status >= 500:
                    raise

    async def proceed(self, key: KindKey) -> None:
        """Do what is due in an account, as a worker."""
        player = PlayerId(key.id)
        if await self._accounts.is_being_erased(player):
            await self._delete(player)
            await erase_lines(self._store, player)
            await self._accounts.finish_erasure(player)
        await self._accounts.proceed(key)

    async def _delete(self, player: PlayerId) -> None:
        """Delete what can be found by the player's id, and make all processes forget the nicknames."""
        await self._moderation.catch_up()
        if not self._moderation.has_erased(player):
            await AuditLog(self._store).record(PlayerErased(BY_PLAYER, player))
            await self._moderation.catch_up()
        await self._store.player_names.erase(player)
        await self._withdraw(player)
        await self._webhooks.delete_all(player)
        await self._players.discard(player)
        await self._matches.discard(player)

    async def _withdraw(self, player: PlayerId) -> None:
        """End what a player waits for: seeks, challenges, tournaments, and challenges to their bot."""
        seeks, _ = await self._matchmaking.seeks.of(player)
        for seek in seeks:
            with suppress(Rejected):  # it was matched or has expired meanwhile
                await self._matchmaking.seeks.withdraw(seek.id, player)
        await self._matchmaking.challenges.discard(player)
        await self._matchmaking.bots.remove(player)
        await self._tournaments.withdraw_everywhere(player)

"""The application's only entry to erasure: what players wrote and set up is deleted, their matches stay without names.

The account drives it. Its `account_erased` makes it due, so that a worker finishes what a process did not.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import msgspec
import structlog
from msgspec.structs import replace

from service.contests.tournament_service import TournamentService
from service.domain.game import Rejected
from service.domain.ids import Player, PlayerId
from service.domain.room.model.commands import Leave
from service.people.account_service import AccountService
from service.people.matchmaking.service import Matchmaking
from service.people.player_matches.service import PlayerMatchService
from service.people.player_service import PlayerService
from service.people.webhooks.service import WebhookService
from service.rooms.access.audit_log import AuditLog, ModerationFollower, PlayerErased
from service.rooms.access.reports import Reports
from service.rooms.commands.requests import CommandRequest
from service.rooms.repository import RoomRepository
from service.rooms.service import RoomService
from service.rooms.social.chat import STORED_LINE
from service.store.contract import Store, StoreUnavailable, every
from service.store.side_channels import Line, Where
from service.store.stream_keys import KindKey
from service.streams.errors import ServiceError

PAGE = 200
"""How many lines are read at a time."""


async def erase_lines(store: Store, where: Where, player: PlayerId) -> None:
    """Delete the texts of a player in one chat."""
    changed: dict[str, bytes] = {}
    last = "0-0"
    while lines := await store.side_channels.read_lines(where, PAGE, after=last):
        changed.update({line.id: data for line in lines if (data := erased(line, player)) is not None})
        last = lines[-1].id
    if changed:
        await store.side_channels.replace_lines(where, changed)


def erased(line: Line, player: PlayerId) -> bytes | None:
    """Return what replaces a line of a player; None for lines of others, erased ones and damaged ones."""
    try:
        said = STORED_LINE.decode(line.data)
    except ValueError:
        return None
    if said.player != player or (not said.text and not said.nickname):
        return None
    return msgspec.json.encode(replace(said, nickname="", text=""))


log = structlog.get_logger()

RETRY_SECONDS = 1.0
"""Seconds between attempts while the store is unavailable."""


class NicknameEraser:
    """Makes a process forget the nicknames of erased players."""

    def __init__(self, repository: RoomRepository, on_erasure: Callable[[PlayerId], None] = lambda _: None) -> None:
        """Look for nicknames in the rooms in memory; `on_erasure` is called with each erased player."""
        self._repository = repository
        self._on_erasure = on_erasure
        self._tasks: set[asyncio.Task[None]] = set()

    def erase(self, player: PlayerId) -> None:
        """Show nothing of a player's nicknames from now on; rooms that have them in memory are loaded again."""
        self._repository.store.player_names.hide(player)
        self._on_erasure(player)
        task = asyncio.create_task(self._reload(player))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reload(self, player: PlayerId) -> None:
        while True:
            try:
                await self._repository.reload_rooms_of(player)
            except StoreUnavailable:
                await asyncio.sleep(RETRY_SECONDS)
            except ServiceError as refused:
                log.warning("room_not_reloaded", player=player, code=refused.problem.code)
                return
            else:
                return

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


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

        A worker deletes the rest within a minute. After a `StoreFailed` it can be repeated, or continues automatically.
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
            for where in await every(self._store.admin_store.chats):
                await erase_lines(self._store, where, player)
            await Reports(self._store).erase(player)
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

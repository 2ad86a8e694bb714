"""Opening rooms: under a name that no open room has, once per idempotency key."""

import asyncio
from collections.abc import Callable
from time import perf_counter

from msgspec import UNSET, UnsetType

from service.domain.ids import NameRef, Player, PlayerId, RoomKey
from service.domain.room.model.commands import CommandContext
from service.domain.room.model.names import choose_nickname
from service.domain.room.model.settings import OpenRoom, OpenTable
from service.domain.room.process import open_room
from service.domain.streams import IdempotencyKey
from service.rooms.access.passwords import hash_new_password
from service.rooms.commands.activity import ActivityTracker
from service.rooms.commands.processor import CommandProcessor, trace
from service.rooms.commands.requests import CommandResult, NameGenerator, candidate_names
from service.runtime.tracing import TRACING
from service.store.contract import NameTaken
from service.store.stream_keys import PLAYER, KindKey
from service.streams.errors import ServiceError
from service.streams.processor import Decision

Count = Callable[[], None]
"""Counts a new room against a limit. Raises `ServiceError`."""


class RoomOpener:
    """Opens rooms."""

    def __init__(self, processor: CommandProcessor, names: NameGenerator, activity: ActivityTracker) -> None:
        self._processor = processor
        self._environment = processor.environment
        self._repository = processor.repository
        self._store = processor.repository.store
        self._names = names
        self._activity = activity

    async def open(
        self, request: OpenRoom, by: Player, idempotency_key: IdempotencyKey | None, count_new: Count
    ) -> CommandResult:
        """Open a room; `count_new` is called before one is stored.

        Raises `ServiceError` (`name_taken`, `key_reused`), and `Rejected` or `Invalid` for a room that is not possible.
        """
        self._store.identity.admit_writes()
        epoch = self._names.epoch(by.id, idempotency_key.value if idempotency_key else None)
        names = candidate_names(self._names, request, epoch)
        candidates = [RoomKey(name, epoch) for name in names]
        password_hash = await hash_new_password(request.settings.password, self._environment.seed())
        for key in candidates:
            if earlier := await self._opened_before(by, idempotency_key, candidates):
                return earlier
            try:
                return await self._open(request, key, by, idempotency_key, password_hash, count_new)
            except NameTaken:
                continue
        if earlier := await self._opened_before(by, idempotency_key, candidates):
            return earlier
        raise ServiceError("name_taken", params={"name": names[0]})

    async def _opened_before(
        self, by: Player, idempotency_key: IdempotencyKey | None, candidates: list[RoomKey]
    ) -> CommandResult | None:
        """Return the first result if a room was opened with this key before; the epoch is derived from the key."""
        if idempotency_key is None:
            return None
        entered = [key for key in await self._store.rooms_of(by.id) if key.epoch == candidates[0].epoch]
        keys = list(dict.fromkeys([*entered, *candidates]))
        heads = await self._store.heads(keys)
        for key, head in zip(keys, heads, strict=True):
            if head is not None:
                live = await self._repository.by_key(key)
                record = live.idempotency.get(by.id, idempotency_key.value) if live.idempotency else None
                return None if record is None else await self._processor.replay(live, idempotency_key, record)
        return None

    async def _open(
        self,
        request: OpenRoom,
        key: RoomKey,
        by: Player,
        idempotency_key: IdempotencyKey | None,
        password_hash: str | None,
        count_new: Count,
    ) -> CommandResult:
        began = perf_counter()
        self._store.identity.admit_rooms()
        name_ref, now = await self._refer_to_name(request, by), self._environment.now()
        outages, seed = self._environment.outages(now), self._environment.seed()
        context = CommandContext(by.id, by.nickname, now, seed, password_hash, by.bot, outages, name_ref=name_ref)
        work = open_room(request, key.name, key.epoch, context)
        count_new()
        live = self._repository.new(key)
        decision = Decision(work.recorded, work.room, live.due_in(work.room), idempotency_key)
        others = request.entrants if isinstance(request, OpenTable) else ()
        entering = dict.fromkeys((by.id, *(each.player for each in others)))
        remembered = (self._remember(player, key) for player in entering)
        seated = [by.id] if by.id in work.room.table.seats else []
        await asyncio.gather(*remembered, self._activity.begin(key, *seated))
        try:
            await self._processor.engine.append(live, decision)
        except NameTaken:
            if await self._store.open_epoch(key.name) != key.epoch:  # otherwise a repetition of this command was faster
                await asyncio.gather(*(self._store.forget_room(player, key) for player in entering))
            raise
        self._repository.add(live)
        result = CommandResult(work.room, work.recorded)
        if TRACING.on:
            trace(result, "open", perf_counter() - began, by_service=False)
        return result

    async def _remember(self, player: PlayerId, key: RoomKey) -> None:
        """Record that a player enters a new room, and until when the turns in it are read."""
        await self._store.remember_room(player, key)
        until = await self._store.turns_read_until(KindKey(PLAYER, player))
        if until > self._environment.now():
            await self._store.read_turns(key, until)

    async def _refer_to_name(self, request: OpenRoom, by: Player) -> NameRef | UnsetType:
        """Return the reference to the creator's nickname; the creator of a tournament's table does not enter it."""
        if isinstance(request, OpenTable):
            return UNSET
        return await self._store.player_names.refer(by.id, choose_nickname(request.nickname, by.nickname))

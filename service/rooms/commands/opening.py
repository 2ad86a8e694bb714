"""Opening rooms: under a name that no open room has, once per idempotency key."""

import asyncio

from msgspec import UNSET, UnsetType

from service.domain.room.due import due_at
from service.domain.room.model.ids import NameRef, PlayerId, RoomKey
from service.domain.room.model.opening import OpenRoom, OpenTable
from service.domain.room.names.names import choose_nickname
from service.domain.room.notices import notices, operator_notices
from service.domain.room.process import open_room
from service.rooms.access.passwords import hash_new_password
from service.rooms.commands.activity import ActivityTracker
from service.rooms.commands.instrumentation import record_opening
from service.rooms.commands.processor import CommandProcessor
from service.rooms.commands.requests import CommandResult, NameGenerator, candidate_names, command_context
from service.rooms.errors import ServiceError
from service.rooms.loading.idempotency import IdempotencyRecords
from service.rooms.loading.room import LoadedRoom
from service.rooms.player import Player
from service.rooms.projections import batch
from service.store.codec import IdempotencyKey, encode_command
from service.store.contract import NOT_BEGUN, NameTaken


class RoomOpener:
    """Opens rooms."""

    def __init__(self, processor: CommandProcessor, names: NameGenerator, activity: ActivityTracker) -> None:
        """Take the write path, and the generator of names for rooms that are opened without one."""
        self._processor = processor
        self._environment = processor.environment
        self._repository = processor.repository
        self._store = processor.repository.store
        self._names = names
        self._activity = activity

    async def open(self, request: OpenRoom, by: Player, idempotency_key: IdempotencyKey | None) -> CommandResult:
        """Open a room.

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
                return await self._open(request, key, by, idempotency_key, password_hash)
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
                record = live.idempotency.get(by.id, idempotency_key.value)
                return None if record is None else await self._processor.replay(live, idempotency_key, record)
        return None

    @record_opening
    async def _open(
        self,
        request: OpenRoom,
        key: RoomKey,
        by: Player,
        idempotency_key: IdempotencyKey | None,
        password_hash: str | None,
    ) -> CommandResult:
        context = command_context(self._environment, by, password_hash, name_ref=await self._refer_to_name(request, by))
        work = open_room(request, key.name, key.epoch, context)
        room = work.room
        history, entries = encode_command(NOT_BEGUN, work.recorded, idempotency_key)
        due = due_at(room)
        entering = dict.fromkeys((by.id, *entrants_of(request)))
        remembered = (self._store.remember_room(player, key) for player in entering)
        await asyncio.gather(*remembered, self._activity.begin(key))
        news = [*notices(None, room, work.recorded), *operator_notices(room, work.recorded)]
        sent = batch(None, room, work.recorded, entries, due, news)
        try:
            await self._store.open(key, sent)
        except NameTaken:
            if await self._store.open_epoch(key.name) != key.epoch:  # otherwise a repetition of this command was faster
                await asyncio.gather(*(self._store.forget_room(player, key) for player in entering))
            raise
        live = LoadedRoom(room, NOT_BEGUN, IdempotencyRecords())
        live.advance(history, room, due)
        self._repository.add(live)
        self._processor.stored(live, history, sent)
        return CommandResult(room, work.recorded)

    async def _refer_to_name(self, request: OpenRoom, by: Player) -> NameRef | UnsetType:
        """Return the reference to the creator's nickname; the creator of a tournament's table does not enter it."""
        if isinstance(request, OpenTable):
            return UNSET
        return await self._store.player_names.refer(by.id, choose_nickname(request.nickname, by.nickname))


def entrants_of(request: OpenRoom) -> list[PlayerId]:
    """Return the players whom a request seats besides the creator."""
    return [each.player for each in request.entrants] if isinstance(request, OpenTable) else []

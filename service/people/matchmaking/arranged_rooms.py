"""Rooms that workers open for players who have agreed to play."""

from collections.abc import Sequence

import structlog
from msgspec.structs import replace

from service.domain.game import Rejected, Seat
from service.domain.ids import Player, PlayerId, RoomKey, RoomName
from service.domain.room.model.clock import Clock
from service.domain.room.model.commands import Close, Join
from service.domain.room.model.names import numbered_nickname
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings, SeatChoice, Visibility
from service.rooms.commands.requests import CommandRequest, with_fingerprint
from service.rooms.service import RoomService
from service.streams.errors import ServiceError

log = structlog.get_logger()


class CannotEnter(Exception):  # noqa: N818 - an answer, not an error
    """A player cannot enter the room that was arranged for them."""

    def __init__(self, player: PlayerId, code: str) -> None:
        super().__init__(code)
        self.player = player
        self.code = code


class ArrangedRooms:
    """Opens rooms, and admits all of their players."""

    def __init__(self, rooms: RoomService) -> None:
        self._rooms = rooms

    async def open(self, key: str, request: OpenRoom, seats: Sequence[Player | BotSeat]) -> RoomKey:
        """Open a room for the players of all seats; the first one is its creator.

        The same `key`, an idempotency key, leads to the same room if this was interrupted before. Raises
        `CannotEnter`; then the room is closed. A refusal that may pass, such as `busy`, is raised unchanged.
        """
        creator = next(player for player in seats if isinstance(player, Player))
        choices = tuple(seat_choice(each, creator) for each in seats)
        complete = replace(request, seats=choices)
        try:
            opened = await self._rooms.open(complete, creator, with_fingerprint(key, complete))
        except (Rejected, ServiceError) as refusal:
            raise cannot_enter(creator.id, refusal) from None
        room = opened.room.table.key
        for seat, player in enumerate(seats):
            if isinstance(player, Player) and player != creator:
                try:
                    await self._let_in(key, room.name, player, Seat(seat))
                except CannotEnter:
                    await self.close(room.name, creator)
                    raise
        return room

    async def _let_in(self, key: str, room: RoomName, player: Player, seat: Seat) -> None:
        """Let a player join with a seat; under a changed nickname if another player has the same one."""
        for nickname in (None, numbered_nickname(player.nickname, seat)):
            command = Join(role="player", nickname=nickname, seat=seat)
            try:
                await self._rooms.command(room, CommandRequest(command, player, with_fingerprint(key, command)))
            except (Rejected, ServiceError) as refusal:
                if nickname is None and code_of(refusal) == "nickname_taken":
                    continue
                raise cannot_enter(player.id, refusal) from None
            return

    async def close(self, room: RoomName, creator: Player) -> None:
        """Close a room unless it was closed meanwhile or the creator has left."""
        try:
            await self._rooms.command(room, CommandRequest(Close(), creator))
        except (Rejected, ServiceError) as refusal:
            log.info("arranged_room_not_closed", room=room, code=code_of(refusal))


def agreed_settings(clock: Clock, *, rated: bool, visibility: Visibility = "public") -> RequestedSettings:
    """Return the settings of an arranged room: its players agree on each further match, and then the seats rotate."""
    return RequestedSettings(clock=clock, rated=rated, visibility=visibility, restart=None, seats_next="rotate")


def seat_choice(player: Player | BotSeat, creator: Player) -> SeatChoice:
    """Return who takes a seat when the room is opened; players other than the creator join afterwards."""
    if isinstance(player, BotSeat):
        return player
    return "me" if player == creator else None


def cannot_enter(player: PlayerId, refusal: Rejected | ServiceError) -> CannotEnter:
    """Return the error for a player who cannot enter; a refusal that may pass, such as `busy`, is raised again."""
    if isinstance(refusal, ServiceError) and refusal.problem.status >= 500:
        raise refusal
    return CannotEnter(player, code_of(refusal))


def code_of(refusal: Rejected | ServiceError) -> str:
    """Return the code of a refusal."""
    return refusal.code if isinstance(refusal, Rejected) else refusal.problem.code

"""The seeks that one socket holds."""

import msgspec

from service.api.context import AppContext
from service.api.http.requests import parse_json
from service.domain.seeks.decide import SeekRequest
from service.domain.seeks.model import SeekId
from service.people.matchmaking.own_seek import own_seek
from service.rooms.feeds import frames
from service.rooms.player import Player

REQUEST = msgspec.json.Decoder(SeekRequest)


class SocketSeeks:
    """Makes seeks that last as long as the socket."""

    def __init__(self, context: AppContext) -> None:
        """Start without any."""
        self._matchmaking = context.matchmaking
        self._held: set[SeekId] = set()

    async def make(self, frame: frames.SeekFrame, player: Player) -> frames.Reply:
        """Make a seek or hold the same one. Raises `Rejected`, `Invalid` and `ServiceError`."""
        made = await self._matchmaking.seeks.seek(parse_json(frame.seek, REQUEST), player)
        if made.seek.id not in self._held:
            self._held.add(made.seek.id)
            self._matchmaking.held_seeks.hold(made.seek.id)
        seek = msgspec.json.encode(own_seek(made.seek, is_paired=made.is_paired))
        return frames.Reply(frame.id, seek=msgspec.Raw(seek))

    async def withdraw(self, frame: frames.WithdrawSeek, player: Player) -> frames.Reply:
        """Withdraw a seek. Raises `Rejected` and `ServiceError`."""
        await self._matchmaking.seeks.withdraw(frame.seek, player.id)
        self._held.discard(frame.seek)
        return frames.Reply(frame.id)

    def close(self) -> None:
        """Let the seeks end soon."""
        self._matchmaking.held_seeks.release(self._held)

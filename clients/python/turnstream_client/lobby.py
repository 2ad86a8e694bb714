"""The lobby that is followed: the public rooms, as they open, fill and close."""

from collections.abc import AsyncIterator

from turnstream_client.errors import TurnstreamError
from turnstream_client.feed import Feed, Followed, Readers
from turnstream_client.frames import Chat, Frame, LobbyUpdate
from turnstream_client.retries import Retries
from turnstream_client.schema import ChatLine, LobbyEntry


class Lobby(Followed):
    """The lobby, followed: `async with client.follow_lobby() as lobby`. The block begins when the rooms have arrived.

    After a lost connection the lobby reconnects. If it can no longer be followed, every method raises the reason.
    """

    def __init__(
        self, url: str, *, token: str | None, retries: Retries, game: str | None = None, joinable: bool = False
    ) -> None:
        """Prepare to follow; `Client.follow_lobby` does this."""
        self.rooms: list[LobbyEntry] = []
        """The public rooms, newest first. Each change creates a new list."""
        wanted = {"game": game} if game is not None else {}
        topic: dict[str, object] = {"lobby": True, **wanted, **({"joinable": True} if joinable else {})}
        self._lines: Readers[ChatLine] = Readers()
        self._feed = Feed(url, "/v1/feed", token, retries, topic, self)

    async def changes(self) -> AsyncIterator[list[LobbyEntry]]:
        """Yield the rooms, then the latest list whenever it has changed."""
        shown: list[LobbyEntry] | None = None
        while True:
            while self.rooms is shown:
                await self._feed.next_change()
            shown = self.rooms
            yield shown

    def lines(self) -> AsyncIterator[ChatLine]:
        """Yield each line that is sent to the lobby's chat after this call, except while there is no connection."""
        return self._lines.read(self.failure)

    # Frames

    def receive(self, frame: Frame) -> None:
        """Use a frame."""
        match frame:
            case LobbyUpdate():
                self._update(frame)
            case Chat():
                self._lines.put(frame.line)

    def _end(self, failure: TurnstreamError | None) -> None:
        self._lines.put(failure)

    def _update(self, frame: LobbyUpdate) -> None:
        """Apply a change; a snapshot replaces the list."""
        changed = {(each.room, each.epoch) for each in frame.upsert} | {
            (each.room, each.epoch) for each in frame.remove
        }
        kept = [] if frame.snapshot else [room for room in self.rooms if (room.room, room.epoch) not in changed]
        self.rooms = sorted([*frame.upsert, *kept], key=lambda room: room.opened, reverse=True)
        self._is_loaded = True

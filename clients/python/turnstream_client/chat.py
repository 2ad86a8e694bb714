"""A view of the chat that is followed: the lobby and the player's rooms, or one of them, in one order."""

from collections.abc import AsyncIterator

from turnstream_client.feed import Feed, Followed
from turnstream_client.frames import Chat, ChatSnapshot, Frame
from turnstream_client.retries import Retries
from turnstream_client.schema import ChatLine


class ChatView(Followed):
    """A view, followed: `async with client.follow_chat() as chat`. The block begins when the latest lines have arrived.

    A line has the room where it was written; lines of the lobby have none. After a lost connection the view reconnects.
    """

    def __init__(self, url: str, *, token: str | None, retries: Retries, view: str) -> None:
        """Prepare to follow; `Client.follow_chat` does this."""
        self.lines: list[ChatLine] = []
        """The latest lines, oldest first. Each change creates a new list."""
        self.next: str | None = None
        """The `cursor` with which `Client.chat_view` returns earlier lines, None if there are none."""
        self._feed = Feed(url, "/v1/feed", token, retries, {"chat": view}, self)

    async def changes(self) -> AsyncIterator[list[ChatLine]]:
        """Yield the lines, then the latest list whenever it has changed."""
        shown: list[ChatLine] | None = None
        while True:
            while self.lines is shown:
                await self._feed.next_change()
            shown = self.lines
            yield shown

    # Frames

    def receive(self, frame: Frame) -> None:
        """Use a frame."""
        match frame:
            case ChatSnapshot():
                self.lines, self.next, self._is_loaded = list(frame.lines), frame.next, True
            case Chat():
                self.lines = sorted([*self.lines, frame.line], key=place_of_line)


def place_of_line(line: ChatLine) -> tuple[int, int]:
    """Return the place of a line in the order of a view: its time, and its number."""
    moment, _, number = line.id.partition("-")
    return int(moment), int(number)

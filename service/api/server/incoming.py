"""Incoming messages of a WebSocket: assembled from frames, and queued for the application."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from picows import WSMsgType

WAITING = 16
"""How many messages may be queued before reading is paused."""

PROTOCOL_ERROR, INVALID_TEXT, TOO_BIG = 1002, 1007, 1009
"""Close codes for a client that violates the protocol (RFC 6455, 7.4.1)."""

TEXT, CONTINUATION = WSMsgType.TEXT, WSMsgType.CONTINUATION

Message = dict[str, Any]


class DataFrame(Protocol):
    """A data frame as it arrived, or decompressed."""

    @property
    def msg_type(self) -> WSMsgType:
        """Whether it begins a text or another message, or continues one."""

    @property
    def fin(self) -> bool:
        """Whether it ends a message."""

    @property
    def rsv1(self) -> bool:
        """The first reserved bit, which marks compressed messages."""

    @property
    def rsv2(self) -> bool:
        """The second one."""

    @property
    def rsv3(self) -> bool:
        """The third one."""

    def get_payload_as_utf8_text(self) -> str:
        """Return the payload. Raises `UnicodeDecodeError`."""

    def get_payload_as_memoryview(self) -> memoryview:
        """Return the payload."""


class BadFrameError(Exception):
    """A frame that violates the protocol."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class ReceiveQueue:
    """A queue for one reader that pauses the transport's reading while many messages wait."""

    def __init__(self, first: Message) -> None:
        """Queue a first message."""
        self._waiting: deque[Message] = deque([first])
        self._reader: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport | None = None
        self._is_paused = False

    def bound(self, transport: asyncio.Transport) -> None:
        """Begin to pause and resume this transport."""
        self._transport = transport

    def unbound(self) -> None:
        """Resume reading and stop pausing it."""
        self._read_on()
        self._transport = None

    def put(self, message: Message) -> None:
        """Append a message."""
        self._waiting.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
        if len(self._waiting) > WAITING and self._transport is not None and not self._is_paused:
            self._is_paused = True
            self._transport.pause_reading()

    async def get(self) -> Message:
        """Return and remove the first message; wait until there is one."""
        if not self._waiting:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        message = self._waiting.popleft()
        if self._is_paused and not self._waiting:
            self._read_on()
        return message

    def _read_on(self) -> None:
        if self._is_paused and self._transport is not None:
            self._is_paused = False
            self._transport.resume_reading()


class Assembler:
    """Assembles messages from frames. Reserved bits are an error: a compressed frame is decompressed before."""

    def __init__(self, most_bytes: int, deliver: Callable[[Message], None]) -> None:
        """Pass messages of up to `most_bytes` to `deliver`."""
        self._most_bytes = most_bytes
        self._deliver = deliver
        self._parts: bytearray | None = None
        self._is_text = False

    def take(self, frame: DataFrame) -> None:
        """Handle a data frame; nearly all are complete texts. Raises `BadFrameError`."""
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            raise BadFrameError(PROTOCOL_ERROR, "reserved bits are set")
        if self._parts is None and frame.fin and frame.msg_type == TEXT:
            try:
                self._deliver({"type": "websocket.receive", "text": frame.get_payload_as_utf8_text()})
            except UnicodeDecodeError:
                raise BadFrameError(INVALID_TEXT, "not UTF-8") from None
        else:
            self._take_part(frame)

    def _take_part(self, frame: DataFrame) -> None:
        begins = frame.msg_type != CONTINUATION
        if begins != (self._parts is None):
            raise BadFrameError(PROTOCOL_ERROR, "a message was not finished, or not begun")
        if begins:
            self._parts, self._is_text = bytearray(), frame.msg_type == TEXT
        parts = self._parts = self._parts or bytearray()
        parts += frame.get_payload_as_memoryview()
        if len(parts) > self._most_bytes:
            raise BadFrameError(TOO_BIG, "")
        if frame.fin:
            self._parts = None
            self._deliver({"type": "websocket.receive", **self._whole(bytes(parts))})

    def _whole(self, data: bytes) -> Message:
        if not self._is_text:
            return {"bytes": data}
        try:
            return {"text": data.decode()}
        except UnicodeDecodeError:
            raise BadFrameError(INVALID_TEXT, "not UTF-8") from None

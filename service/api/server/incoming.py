"""What arrives over a WebSocket: messages put together from frames, and the queue in which they wait."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from picows import WSFrame, WSMsgType

WAITING = 16
"""How many messages may wait for the application before nothing more is read."""

PROTOCOL_ERROR, INVALID_TEXT, TOO_BIG = 1002, 1007, 1009
"""Close codes for a client that breaks the protocol (RFC 6455, 7.4.1)."""

TEXT, CONTINUATION = WSMsgType.TEXT, WSMsgType.CONTINUATION

Message = dict[str, Any]


class BadFrameError(Exception):
    """A frame that breaks the protocol."""

    def __init__(self, code: int, reason: str) -> None:
        """Close with this code."""
        super().__init__(reason)
        self.code = code


class ReceiveQueue:
    """Messages for one reader: an `asyncio.Queue` that does less, and stops the client while much waits."""

    def __init__(self, first: Message) -> None:
        """Begin with one message."""
        self._waiting: deque[Message] = deque([first])
        self._reader: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport | None = None
        self._is_paused = False

    def bound(self, transport: asyncio.Transport) -> None:
        """From now on, pause and resume this transport's reading."""
        self._transport = transport

    def unbound(self) -> None:
        """Read on whatever waits, and pause no more."""
        self._read_on()
        self._transport = None

    def put(self, message: Message) -> None:
        """Let a message wait."""
        self._waiting.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
        if len(self._waiting) > WAITING and self._transport is not None and not self._is_paused:
            self._is_paused = True
            self._transport.pause_reading()

    async def get(self) -> Message:
        """Return the first message that waits, as soon as there is one."""
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
    """Puts messages together from their frames; without an extension no frame has reserved bits."""

    def __init__(self, most_bytes: int, heard: Callable[[Message], None]) -> None:
        """Hand messages of up to so many bytes to `heard`."""
        self._most_bytes = most_bytes
        self._heard = heard
        self._parts: bytearray | None = None
        self._is_text = False

    def take(self, frame: WSFrame) -> None:
        """Take a frame of a text, of a binary message, or of what has begun. Raises `BadFrameError`.

        Nearly all are whole texts.
        """
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            raise BadFrameError(PROTOCOL_ERROR, "reserved bits are set")
        if self._parts is None and frame.fin and frame.msg_type == TEXT:
            try:
                self._heard({"type": "websocket.receive", "text": frame.get_payload_as_utf8_text()})
            except UnicodeDecodeError:
                raise BadFrameError(INVALID_TEXT, "not UTF-8") from None
        else:
            self._take_part(frame)

    def _take_part(self, frame: WSFrame) -> None:
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
            self._heard({"type": "websocket.receive", **self._whole(bytes(parts))})

    def _whole(self, data: bytes) -> Message:
        if not self._is_text:
            return {"bytes": data}
        try:
            return {"text": data.decode()}
        except UnicodeDecodeError:
            raise BadFrameError(INVALID_TEXT, "not UTF-8") from None

"""How uvicorn speaks WebSocket for us: plain texts are read here, and ready-made frames are written as they are.

Nearly all that a client sends is a text in one frame, and nearly all that it is sent is a frame that others get, too.
The rest is the library's: the handshake, control frames, texts in parts, and whatever breaks the rules of RFC 6455. It
is given whole frames only, so that what comes behind them can be read here again.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library has come without its part in C
    from websockets.utils import apply_mask

from service.api.callers.peers import IS_GONE
from service.api.close_codes import TOO_SLOW
from service.api.server.stalling import LAST_WORDS, Stall
from service.rooms.feeds.frames import TEXT
from service.telemetry import metrics

SOCKET = "turnstream.socket"
"""The ASGI extension that hands the application the socket itself."""

LEAVE = "turnstream.leave"
"""A message of this type comes behind all that was received, and asks the application to end the conversation."""

FINAL = 0x80
"""In the first byte: the last frame of a message."""

CONTROL = 0x08
"""In the first byte: a frame that is no part of a message."""

MASKED = 0x80
"""In the second byte: a key comes before the payload, as it has to from a client."""

SHORTEST = 6
"""Bytes of a client's frame before its payload: two and the key, and two more for a length that follows."""

LONG = 126
"""In the second byte, instead of a length: it follows in two bytes; one more, and it follows in eight."""

NOT_TEXT = 1007
"""Closes a socket that sent a text that is not UTF-8."""

WAITING = 16
"""How many messages may wait for the application before nothing more is read."""


NO_HANDSHAKE = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
"""Answers what is no handshake, as one with a body."""


class Messages(deque[Any]):
    """What has come and waits for its one reader: an `asyncio.Queue` as far as uvicorn uses it, and less work."""

    reader: asyncio.Future[None] | None = None
    """Where it waits while there is nothing."""

    def put_nowait(self, message: Any) -> None:
        """Let a message wait."""
        self.append(message)
        if self.reader is not None and not self.reader.done():
            self.reader.set_result(None)


class SocketProtocol(WebSocketsSansIOProtocol):
    """A socket as uvicorn drives it, and for the application what a `service.api.websocket.session.Socket` is."""

    queue: Messages  # type: ignore[assignment]  # as much of a queue as uvicorn uses
    is_clear = False
    """Whether what is written goes out at once: the handshake is over, and the peer keeps up."""
    write: Callable[[bytes], object]
    """Takes a whole frame."""
    _held: list[bytes]
    """Frames that wait for more, to go out together."""
    _rest: bytes | None = None
    """The beginning of a frame that is not here as a whole; None while the library reads all."""
    _is_early = False
    """Whether something came behind the handshake before it was answered."""
    _in_parts = False
    """Whether a message has begun that comes in several frames."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the connection that was upgraded, with writes that go out at once."""
        direct = cast("asyncio.Transport", getattr(transport, "direct", transport))
        self.queue = Messages()
        self.write, self._held = direct.write, []
        self._stall = Stall(self._give_up)
        super().connection_made(direct)

    async def run_asgi(self) -> None:
        """Run the application with `SOCKET` among its extensions."""
        scope = cast("dict[str, Any]", self.scope)
        ours = {SOCKET: self, IS_GONE: self.transport.is_closing}
        scope["extensions"] = {**(scope.get("extensions") or {}), **ours}
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        """Send what is not ready-made; the first is the answer to the handshake."""
        self._flush()
        if self.close_sent and message["type"] == "websocket.close":
            return
        await super().send(message)
        if message["type"] == "websocket.accept":
            self.is_clear = self.writable.is_set() and not self.disconnected
            self._rest = None if self._is_early else b""

    async def receive(self) -> Any:
        """Return the first message that waits, as soon as there is one."""
        queue = self.queue
        if not queue:
            queue.reader = self.loop.create_future()
            try:
                await queue.reader
            finally:
                queue.reader = None
        message = queue.popleft()
        if self.read_paused and not queue:
            self.read_paused = False
            self.transport.resume_reading()
        return message

    def data_received(self, data: bytes) -> None:
        """Read what has come."""
        if self._rest is None:
            self._is_early = self.handshake_initiated
            super().data_received(data)
            if self.conn.handshake_exc is not None:
                self._refuse_handshake()
        else:
            self._read(self._rest + data)

    def _refuse_handshake(self) -> None:
        """Answer a handshake that the library can't read, which uvicorn doesn't, and hang up."""
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()) or NO_HANDSHAKE)
            self.transport.close()

    def _read(self, data: bytes) -> None:
        """Take one frame after another, and keep the beginning of the last; what fits no frame is left alone."""
        start, size = 0, len(data)
        while size - start >= SHORTEST:
            length, begins = data[start + 1] - MASKED, start + SHORTEST
            if length == LONG:
                length, begins = data[start + 2] << 8 | data[start + 3], begins + 2
            elif not 0 <= length < LONG:
                break
            ends = begins + length
            if ends > size:
                break
            is_text = data[start] == TEXT and not self._in_parts
            if not is_text or not self._hear(apply_mask(data[begins:ends], data[begins - 4 : begins])):
                self._pass_on(data[start:ends])
            start = ends
        self._rest = data[start:]
        if size - start > 1 and is_beyond(data[start + 1]):
            self._rest = None
            super().data_received(data[start:])

    def _hear(self, payload: bytes) -> bool:
        """Let a text wait for the application, unless the conversation is over; tell whether it is one."""
        try:
            text = payload.decode()
        except UnicodeDecodeError:
            return False
        if not self.close_sent:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
            if len(self.queue) > WAITING and not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()
        return True

    def send_receive_event_to_app(self) -> None:
        """Hand a whole message on; a text that is not UTF-8 closes the socket."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not is_text(b"".join(self.frames)):
            self.frames = []
            self._close_at_once(NOT_TEXT, "not UTF-8")
        else:
            super().send_receive_event_to_app()

    def _pass_on(self, frame: bytes) -> None:
        """Leave a whole frame to the library."""
        if not frame[0] & CONTROL:
            self._in_parts = not frame[0] & FINAL
        super().data_received(frame)

    def hold(self) -> None:
        """Let what is written in one turn of the loop go out in one piece, for a packet more costs more than that."""
        self.write = self._write_later

    def release(self) -> None:
        """Let what is held go out, and from now on everything at once."""
        self._flush()
        self.write = self.transport.write

    def _write_later(self, frame: bytes) -> None:
        if not self._held:
            self.loop.call_soon(self._flush)
        self._held.append(frame)

    def _flush(self) -> None:
        if self._held and not self.disconnected:
            self.transport.write(b"".join(self._held))
        self._held.clear()

    def leave(self) -> None:
        """Ask the application to end the conversation when it has answered all that has come."""
        self.queue.put_nowait({"type": LEAVE})

    def pause_writing(self) -> None:
        """Hear that the peer doesn't keep up."""
        self.is_clear = False
        self._stall.begin()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Hear that it does again."""
        self._stall.end()
        self.is_clear = self.handshake_complete
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Hear that the peer is gone."""
        self.is_clear = False
        self._stall.end()
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        """Close a socket whose peer has not answered a ping: it reads nothing, or is gone."""
        self.pong_timer = None
        self._give_up()

    def _give_up(self) -> None:
        """Close with `TOO_SLOW` behind all that waits, and drop the connection soon if nobody reads that."""
        if self.close_sent or self.transport.is_closing():
            self.transport.abort()
            return
        metrics.SLOW_CLOSES.inc()
        self._close_at_once(TOO_SLOW, "too slow; resume")

    def _close_at_once(self, code: int, reason: str) -> None:
        """Close without waiting until the peer reads."""
        self._flush()
        self.stop_keepalive()
        self.conn.fail(code, reason)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        self.loop.call_later(LAST_WORDS, self.transport.abort)

    async def cleared(self) -> None:
        """Wait until the peer keeps up. Raises `ClientDisconnected` for one that is gone."""
        await self.writable.wait()
        if self.disconnected:
            raise ClientDisconnected


def is_beyond(second: int) -> bool:
    """Tell by its second byte whether a frame is none for us: it has no mask, or 64 KB and more."""
    return not MASKED <= second <= MASKED + LONG


def is_text(data: bytes) -> bool:
    """Return whether bytes are UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True

"""A WebSocket as the application uses it: ASGI messages, sending of encoded payloads, keepalive and closing."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec
import uvicorn
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from service.api.close_codes import TOO_SLOW
from service.api.http.responses import PROBLEM_JSON, problem_headers
from service.api.server.incoming import PROTOCOL_ERROR, Assembler, BadFrameError, Message, ReceiveQueue
from service.api.server.transport import LAST_WORDS, Stall
from service.runtime import metrics
from service.streams.errors import Problem, problem

if TYPE_CHECKING:
    from service.api.server.handshake import Compression

LEAVE = "turnstream.leave"
"""The type of a message that asks the application to close the socket after what was received before it."""

FAIL_SECONDS = 0.5
"""How long a client that violated the protocol may take to answer a close frame."""

CLOSE_SECONDS = 10.0
"""How long any other client may take to answer a close frame."""

NORMAL, INTERNAL_ERROR, SERVICE_RESTART = 1000, 1011, 1012
"""Close codes (RFC 6455, 7.4.1)."""

NEVER_SENT = frozenset({0, 1005, 1006, 1015})
"""Close codes that no frame may carry."""

LAST_CODE = 4999

ENDS = 100
"""How many steps of ending sockets are done in one iteration of the event loop."""

CLOSE, PONG, TEXT = WSMsgType.CLOSE, WSMsgType.PONG, WSMsgType.TEXT


class PeerGone(Exception):  # noqa: N818 - an end, not an error
    """The connection is closed, or about to be."""


class Answer(Protocol):
    """Answers a handshake."""

    def __call__(self, status: int, headers: Iterable[tuple[str, str]] = (), body: bytes = b"") -> None:
        """Send the answer; 101 opens the socket."""


class EndingSockets:
    """The steps that remain for sockets that end, a bounded number per iteration: thousands may end in the same one."""

    def __init__(self) -> None:
        """Start without steps."""
        self._waiting: deque[Callable[[], object]] = deque()

    def add(self, step: Callable[[], object]) -> None:
        """Append a step."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._schedule)
        self._waiting.append(step)

    def _schedule(self) -> None:
        """Schedule the next steps, each on its own so that a failure concerns no other."""
        loop = asyncio.get_running_loop()
        for _ in range(min(ENDS, len(self._waiting))):
            loop.call_soon(self._waiting.popleft())
        if self._waiting:
            loop.call_soon(self._schedule)


class Socket(WSListener):
    """Receives frames from picows; implements `service.api.websocket.session.Socket`."""

    is_clear = False
    """Whether writes are sent at once: the socket is open and the client keeps up."""
    write: Callable[[bytes], object]
    """Sends a payload as one text frame."""
    _answer: Answer | None
    """Answers the handshake; None once that is done."""
    _transport: WSTransport | None = None
    """picows' transport; None until the socket is open."""
    compression: "Compression | None" = None
    """How messages are compressed; None for sockets without compression."""
    _is_over = False
    """Whether either side has closed the socket or the connection is lost."""

    def __init__(self, answer: Answer, config: uvicorn.Config, ending: EndingSockets) -> None:
        """Wait until the application accepts or refuses the handshake."""
        self._answer = answer
        self._ending = ending
        self._loop = asyncio.get_running_loop()
        self._received = ReceiveQueue({"type": "websocket.connect"})
        self._assembler = Assembler(config.ws_max_size, self._received.put)
        self._writable = asyncio.Event()
        self._stall = Stall(self._give_up)
        self._ping_every, self._ping_timeout = config.ws_ping_interval or 0.0, config.ws_ping_timeout or 0.0
        self._pong_is_due = False
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.receive = self._received.get

    # Called by the application.

    async def send(self, message: Message) -> None:
        """Accept or refuse the handshake, send a text, or close. Raises `PeerGone`."""
        match message["type"]:
            case "websocket.accept":
                named = message.get("subprotocol")
                compressed = [self.compression.header] if self.compression is not None else []
                self._reply(101, [*([("sec-websocket-protocol", named)] if named else []), *compressed])
                self._connected()
            case "websocket.send":
                await self.cleared()
                self.write(message["text"].encode())
            case "websocket.close":
                if self._transport is not None:
                    await self._writable.wait()
                self.close(message.get("code", NORMAL), message.get("reason") or "")
            case other:
                raise RuntimeError(f"{other} cannot be sent over a socket")

    def close(self, code: int, reason: str, seconds: float = CLOSE_SECONDS) -> None:
        """Send a close frame after everything written; drop the connection if it is not answered in time.

        Before the handshake is answered this refuses it. Only the first call has an effect.
        """
        if self._is_over:
            return
        if self._transport is None and self._answer is not None:
            self.refuse(problem("leaving" if code == SERVICE_RESTART else "internal"))
            return
        self._end(code, reason)
        if self._transport is not None:
            self._send_close(code, reason, seconds)

    def refuse(self, refusal: Problem, headers: Iterable[tuple[str, str]] = ()) -> None:
        """Refuse the handshake."""
        self._end(INTERNAL_ERROR, refusal.detail)
        head = [("content-type", PROBLEM_JSON), *problem_headers(refusal), *headers]
        self._reply(refusal.status, head, msgspec.json.encode(refusal))

    async def cleared(self) -> None:
        """Wait until the client keeps up. Raises `PeerGone`."""
        await self._writable.wait()
        if self._is_over:
            raise PeerGone

    def leave(self) -> None:
        """Ask the application to close the socket after everything received so far."""
        self._received.put({"type": LEAVE})

    def lose(self) -> None:
        """Release everything, in its turn: the connection is closed."""
        is_news, self._is_over, self.is_clear = not self._is_over, True, False
        self._ending.add(partial(self._release, is_news=is_news))

    def _release(self, *, is_news: bool) -> None:
        if is_news:
            self._end(1006, "")
        for timer in self._timers.values():
            timer.cancel()
        self._stall.end()
        self._writable.set()

    # Called by picows and its protocol.

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Open the socket."""
        self._transport = transport
        self._received.bound(transport.underlying_transport)
        self.write = partial(transport.send, TEXT) if self.compression is None else self._write_compressed
        self._writable.set()
        self.is_clear = True
        if self._ping_every:
            self._timers["ping"] = self._loop.call_later(self._ping_every, self._ping)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Handle a frame; after a close only the other side's close frame counts."""
        kind = frame.msg_type
        if kind == CLOSE:
            self._on_close(transport, frame)
        elif kind == PONG:
            self._pong_is_due = False
        elif not self._is_over and not transport.is_close_frame_sent:
            try:
                self._assembler.take(frame if self.compression is None else self.compression.inflate(frame))
            except BadFrameError as bad:
                self.close(bad.code, str(bad), FAIL_SECONDS)

    def _write_compressed(self, payload: bytes) -> None:
        if self.compression is not None:
            self._connected().send(TEXT, self.compression.deflate(payload), rsv1=True)

    def pause_writing(self) -> None:
        """Stop writing: the client does not keep up."""
        self.is_clear = False
        self._writable.clear()
        self._stall.begin()

    def resume_writing(self) -> None:
        """Write again: the client keeps up."""
        self._stall.end()
        self._writable.set()
        self.is_clear = not self._is_over

    def _on_close(self, transport: WSTransport, frame: WSFrame) -> None:
        """Answer a close frame with its own code if that is valid, and close the connection."""
        code: int = cast("Any", frame.get_close_code()) if frame.payload_size else NORMAL
        reason = ""
        if code in NEVER_SENT or code > LAST_CODE:
            code, reason = PROTOCOL_ERROR, "invalid close code"
        if not self._is_over:
            self._end(code, reason)
            self._ending.add(partial(self._send_close, code, reason, CLOSE_SECONDS))
        self._ending.add(transport.disconnect)

    def _send_close(self, code: int, reason: str, seconds: float) -> None:
        """Send a close frame; drop the connection if it is not answered in time."""
        transport = self._connected()
        if not transport.underlying_transport.is_closing():  # picows would write to a descriptor that is closed
            transport.send_close(cast("WSCloseCode", code), reason)
            self._timers["close"] = self._loop.call_later(seconds, transport.underlying_transport.abort)

    # Keepalive and the end.

    def _ping(self) -> None:
        """Send a ping."""
        self._pong_is_due = True
        self._connected().send_ping()
        self._timers["ping"] = self._loop.call_later(self._ping_timeout, self._check_pong)

    def _check_pong(self) -> None:
        """Close the socket if the ping was not answered; else schedule the next one."""
        if self._pong_is_due:
            self._give_up()
        else:
            self._timers["ping"] = self._loop.call_later(self._ping_every - self._ping_timeout, self._ping)

    def _give_up(self) -> None:
        """Close with `TOO_SLOW`; drop the connection if the client already got that and still does not read."""
        if self._is_over:
            self._connected().underlying_transport.abort()
        else:
            metrics.SLOW_CLOSES.inc()
            self.close(TOO_SLOW, "too slow; resume", LAST_WORDS)

    def _end(self, code: int, reason: str) -> None:
        """Report to the application that the socket is closed, and continue to read up to the client's close frame."""
        self._is_over, self.is_clear = True, False
        self._received.unbound()
        self._ending.add(partial(self._received.put, {"type": "websocket.disconnect", "code": code, "reason": reason}))

    def _reply(self, status: int, headers: Iterable[tuple[str, str]], body: bytes = b"") -> None:
        """Answer the handshake, once."""
        answer, self._answer = self._answer, None
        if answer is None:
            raise RuntimeError("the handshake is answered already")
        answer(status, headers, body)

    def _connected(self) -> WSTransport:
        """Return picows' transport. Raises `PeerGone`."""
        if self._transport is None:
            raise PeerGone
        return self._transport

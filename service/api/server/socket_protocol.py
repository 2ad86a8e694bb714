"""WebSockets by picows, as uvicorn's `ws` class: the only file that knows picows' protocol, which it does not export.

uvicorn creates one for a request that asks for a WebSocket, hands it the request's head, and sets it on the transport.
From then on picows reads and writes frames, and `Socket` makes messages of them.
"""

import asyncio
import logging
from collections.abc import Iterable
from functools import partial
from typing import Any, cast

import structlog
import uvicorn
from msgspec import structs
from picows import WSAutoPingStrategy, WSUpgradeRequest, WSUpgradeResponse, WSUpgradeResponseWithListener
from picows.picows import WSProtocol  # type: ignore[attr-defined]  # its stub leaves the class out
from uvicorn.server import ServerState

from service.api.http.peers import IS_GONE
from service.api.server import handshake
from service.api.server.socket_listener import INTERNAL_ERROR, NORMAL, SERVICE_RESTART, EndingSockets, PeerGone, Socket
from service.runtime.current_operation import new_request_id, request_id
from service.streams.errors import problem

SOCKET = "turnstream.socket"
"""The ASGI extension with the `Socket` of a connection."""

UPGRADE_REQUIRED = 426

READ_BUFFER_BYTES = 2048
"""The initial size of picows' read buffer, which grows with the frames."""

log = structlog.get_logger()


class PicowsLogger(logging.LoggerAdapter[logging.Logger]):
    """Logs picows' faults as errors, but protocol errors of clients at the level `debug`."""

    def error(self, msg: object, *args: object, **more: Any) -> None:
        """Log a protocol error of a client."""
        self.debug(msg, *args, **more)


PICOWS_LOGGER = PicowsLogger(logging.getLogger("picows"))


class JoiningTransport:
    """An asyncio transport that copies what picows passes to `writelines`: the header and the payload of a large frame.

    The header is a view of the buffer in which picows writes the next header. A transport that sends later, as while a
    client does not keep up, would send that one instead.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        """Write to this transport."""
        self._transport = transport
        self.write = transport.write
        self.get_write_buffer_size = transport.get_write_buffer_size

    def writelines(self, parts: Iterable[bytes]) -> None:
        """Write the parts as one."""
        self.write(b"".join(parts))

    def __getattr__(self, name: str) -> Any:
        """Pass everything else to the transport."""
        return getattr(self._transport, name)


class SocketProtocol(WSProtocol):  # type: ignore[misc]  # picows describes no types of it
    """One WebSocket connection."""

    def __init__(
        self, ending: EndingSockets, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        """Wait for the request that uvicorn hands over; `ending` is the server's, the rest is what uvicorn passes."""
        self._config, self._server, self._app_state, self._ending = config, server_state, app_state, ending
        self._head = handshake.REFUSED
        self._response: WSUpgradeResponse | None = None
        self.socket = Socket(self.answer, config, ending)
        super().__init__(
            host_port=None,
            ws_path=None,
            is_client_side=False,
            ws_listener_factory=self._respond,
            logger=PICOWS_LOGGER,
            disconnect_on_exception=True,
            websocket_handshake_timeout=None,
            enable_auto_ping=False,
            auto_ping_idle_timeout=0,
            auto_ping_reply_timeout=0,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
            enable_auto_pong=True,
            max_frame_size=config.ws_max_size,
            extra_headers=None,
            read_buffer_init_size=READ_BUFFER_BYTES,
        )

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Take over the connection."""
        self._server.connections.add(cast("Any", self))
        super().connection_made(JoiningTransport(getattr(transport, "direct", transport)))

    def connection_lost(self, exc: Exception | None) -> None:
        """End the socket, in its turn: thousands may be lost in the same iteration."""
        self.socket.lose()
        self._ending.add(partial(self._lost, exc))

    def _lost(self, exc: Exception | None) -> None:
        self._server.connections.discard(cast("Any", self))
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read the request; uvicorn hands over its head this way, and everything behind it goes to picows."""
        transport = self.transport.underlying_transport
        transport.pause_reading()  # until the handshake is answered
        try:
            asked = handshake.read(data)
        except handshake.HandshakeError as bad:
            self._refuse(bad)
            return
        self._head = handshake.essence(asked)
        if self._config.ws_per_message_deflate:
            from service.api.server.handshake import Compression  # noqa: PLC0415 - 300 KB, only with this setting

            self.socket.compression = Compression.negotiate(asked.headers, self._config.ws_max_size)
        scope = {
            **handshake.websocket_scope(asked, self._config.root_path),
            "scheme": "wss" if self.transport.is_secure else "ws",
            "server": host_and_port(transport.get_extra_info("sockname")),
            "client": host_and_port(transport.get_extra_info("peername")),
            "state": self._app_state.copy(),
            "extensions": {SOCKET: self.socket, IS_GONE: transport.is_closing},
        }
        task = asyncio.get_running_loop().create_task(self._run(scope))
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    async def _run(self, scope: dict[str, Any]) -> None:
        """Run the application for this socket."""
        code = SERVICE_RESTART
        try:
            await self._config.loaded_app(scope, self.socket.receive, self.socket.send)
            code = NORMAL
        except PeerGone:
            log.debug("peer_gone")
        except Exception:  # the outermost edge: a bug is logged and ends only its own socket
            code = INTERNAL_ERROR
            log.exception("socket_failed")
        finally:
            self.socket.close(code, "")

    def answer(self, status: int, headers: Iterable[tuple[str, str]] = (), body: bytes = b"") -> None:
        """Answer the handshake: 101 opens the socket, any other status closes the connection."""
        if status != 101:
            headers = [*headers, ("x-request-id", request_id() or new_request_id())]
        always = [(name.decode(), value.decode()) for name, value in self._server.default_headers]
        if status == 101:
            self._response = WSUpgradeResponse.create_101_response([*always, *headers])
        else:
            more = [*headers, ("connection", "close"), *(() if body else (("content-length", "0"),))]
            self._response = WSUpgradeResponse.create_error_response(status, body, [*always, *more])
        head = memoryview(self._head)
        while head:
            buffer = self.get_buffer(-1)
            size_read = min(len(buffer), len(head))
            buffer[:size_read] = head[:size_read]
            self.buffer_updated(size_read)
            head = head[size_read:]
        self.transport.underlying_transport.resume_reading()

    def _respond(self, _request: WSUpgradeRequest) -> WSUpgradeResponseWithListener:
        """Return what picows answers to the request."""
        response = cast("WSUpgradeResponse", self._response)
        return WSUpgradeResponseWithListener(response, self.socket if response.status == 101 else None)

    def _refuse(self, bad: handshake.HandshakeError) -> None:
        headers = [("sec-websocket-version", handshake.VERSION.decode())] if bad.status == UPGRADE_REQUIRED else []
        self.socket.refuse(structs.replace(problem("malformed", str(bad)), status=bad.status), headers)

    def shutdown(self) -> None:
        """Close the socket because the server shuts down."""
        self.socket.close(SERVICE_RESTART, "")
        self.transport.underlying_transport.close()


def socket_protocol() -> Any:
    """Return what makes the sockets of one server, as uvicorn's `ws` class."""
    return partial(SocketProtocol, EndingSockets())


def host_and_port(address: object) -> tuple[str, int] | None:
    """Return the two parts of an internet address that ASGI needs, None for another kind of address."""
    return (str(address[0]), int(address[1])) if isinstance(address, tuple) else None

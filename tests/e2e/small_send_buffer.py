"""`python -m tests.e2e.small_send_buffer`: the API on sockets with a send buffer of a few kilobytes.

On the loopback interface the kernel buffers megabytes for a client that does not read; with a small buffer it does not.
`TURNSTREAM_TEST_PATIENCE` is how many seconds a client may leave data unread, 60 by default, and `TURNSTREAM_TEST_PING`
is the number of seconds between pings and until their replies.
"""

import os
import socket

import uvicorn

from service import wiring
from service.api.server import transport
from service.api.server.command_protocol import command_protocol
from service.api.server.socket_protocol import socket_protocol
from service.runtime import logs, settings


def main() -> None:
    """Serve until a signal arrives."""
    config = settings.read(os.environ)
    logs.set_up(config)
    transport.PATIENCE = float(os.environ.get("TURNSTREAM_TEST_PATIENCE", "60"))
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # inherited by the accepted sockets
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((config.host, config.port))
        ping = float(os.environ.get("TURNSTREAM_TEST_PING", "20"))
        application, _ = wiring.api(config)
        uvicorn_config = uvicorn.Config(
            application,
            loop="uvloop",
            http=command_protocol(application.context),
            ws=socket_protocol(),
            ws_per_message_deflate=False,
            ws_ping_interval=ping,
            ws_ping_timeout=ping,
            proxy_headers=False,
            log_config=None,
            log_level="warning",
        )
        uvicorn.Server(uvicorn_config).run(sockets=[listening])


if __name__ == "__main__":
    main()

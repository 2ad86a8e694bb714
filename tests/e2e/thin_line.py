"""`python -m tests.e2e.thin_line`: the API on sockets that hold a few kilobytes on their way out.

On this machine's own network a socket takes in megabytes for a reader who doesn't read; on a thin line it doesn't.
`TURNSTREAM_TEST_PATIENCE` is how many seconds a reader may leave what waits for it, a minute if absent, and
`TURNSTREAM_TEST_PING` how many lie between pings and until their answer.
"""

import os
import socket

import uvicorn

from service import settings, wiring
from service.api.server import stalling
from service.api.server.http_protocol import HttpProtocol
from service.api.server.socket_protocol import SocketProtocol
from service.telemetry import logs


def main() -> None:
    """Serve until a signal comes."""
    chosen = settings.read(os.environ)
    logs.set_up(chosen)
    stalling.PATIENCE = float(os.environ.get("TURNSTREAM_TEST_PATIENCE", "60"))
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # inherited by what it accepts
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((chosen.host, chosen.port))
        ping = float(os.environ.get("TURNSTREAM_TEST_PING", "20"))
        config = uvicorn.Config(
            wiring.api(chosen)[0],
            loop="uvloop",
            http=HttpProtocol,
            ws=SocketProtocol,
            ws_per_message_deflate=False,
            ws_ping_interval=ping,
            ws_ping_timeout=ping,
            proxy_headers=False,
            log_config=None,
            log_level="warning",
        )
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()

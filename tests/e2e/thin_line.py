"""`python -m tests.e2e.thin_line`: the API on sockets that hold a few kilobytes on their way out.

On this machine's own network a socket takes in megabytes for a reader who doesn't read; on a thin line it doesn't.
"""

import os
import socket

import uvicorn

from service import settings, wiring
from service.api.socket_protocol import SocketProtocol


def main() -> None:
    """Serve until a signal comes."""
    chosen = settings.read(os.environ)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # inherited by what it accepts
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((chosen.host, chosen.port))
        config = uvicorn.Config(
            wiring.api(chosen), loop="uvloop", ws=SocketProtocol, ws_per_message_deflate=False, log_level="warning"
        )
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
